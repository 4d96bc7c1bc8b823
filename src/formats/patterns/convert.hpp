// The patterns format, for matrices such as stencils on grids: each row stores the number of its
// pattern, which has the column offsets from the diagonal and, where coefficients are constant, the
// values.
//
// (After the repeated substructures of CSX: Kourtis, Karakasis, Goumas, Koziris, PPoPP 2011.  Here
// a substructure is a whole row, so a product reads one byte a row besides values.)
#pragma once

#include "formats/conversion.hpp"
#include "formats/tuning.hpp"
#include "steps.hpp"

#include <algorithm>

namespace ddla::formats {

/// There are more distinct rows than patterns can have, or than pay.
struct too_many_patterns : resource_error {
    using resource_error::resource_error;
};

template <class Call, scalar V>
class pattern_finder : conversion<Call, V> {
public:
    pattern_finder(Call& call, place where, const csr<V>& a, std::size_t memory_limit)
        : base(call, where, a, memory_limit)
    {
    }

    /// Whether lengths vary little within groups of 32 rows, and a sample of rows has few enough
    /// patterns.
    bool may_pay(alike in)
    {
        const index_t most = wanted().sampled_rows;
        if (a_.rows == 0) return false;
        const index_t slots = slots_beside(slots_of_groups()) * lanes_of_slice;
        if (slots > a_.nonzeros() + a_.nonzeros() / 10) return false;
        const index_t apart = (a_.rows + most - 1) / most;
        const auto kinds = static_cast<index_t>(kinds_of(in, a_.rows / apart, apart).size());
        return kinds > 0 && wanted().rows_of_kind * kinds <= a_.rows &&
               (in == alike::values_too || wanted().repeated_beside || !values_repeat());
    }

    /// Stores all rows in `to`: with values in the patterns if these are few enough, else
    /// separately.
    void make_patterns(row_storage<V>& storage)
    {
        try {
            make_patterns(alike::values_too, false, storage);
        } catch (const too_many_patterns&) {
            call_.memory.clear();
            make_patterns(alike::columns, false, storage);
        }
    }
    /// With `must_pay`, throws too_many_patterns if patterns would not pay.
    void make_patterns(alike in, bool must_pay, row_storage<V>& storage)
    {
        require_numbers();
        const double* key = nullptr;
        const std::vector<std::uint64_t> kinds = kinds_of(in, a_.rows, 1, &key);
        if (kinds.empty() && a_.rows > 0)
            throw too_many_patterns(std::to_string(a_.rows) + " rows have more than " +
                                    std::to_string(most_patterns) +
                                    " different column patterns; use slices or auto");
        row_patterns<V>& made = storage.patterns;
        made.count = static_cast<int>(kinds.size());
        if (must_pay && wanted().rows_of_kind * made.count > a_.rows)
            throw too_many_patterns(std::to_string(made.count) + " patterns do not pay");
        auto* const number = this->template lasting<std::uint8_t>(storage, a_.rows);
        each(number_rows{{}, key, there(kinds), made.count, number}, a_.rows);
        made.of_row = number;
        if (must_pay && wanted().kinds_of_eight < 8 &&
            kinds_of_eight(number) > wanted().kinds_of_eight)
            throw too_many_patterns("adjacent rows have different patterns");
        while (a_.longest_row > slots_of_leaf << made.log2_leaves) ++made.log2_leaves;
        const index_t leaves = index_t(made.count) << made.log2_leaves;
        auto* const length = this->template lasting<std::int32_t>(storage, made.count);
        auto* const leaf = this->template lasting<pattern_leaf<V>>(storage, leaves);
        each(write_pattern<V>{{}, a_, there(first_rows(made)), made.log2_leaves, length, leaf},
             made.count);
        made.length = length;
        made.leaf = leaf;
        storage.report.product_bytes +=
            static_cast<std::size_t>(a_.rows + made.count * index_t(sizeof(std::int32_t)) +
                                     leaves * index_t(sizeof(pattern_leaf<V>)));
        if (in == alike::columns)
            put_values_beside(storage);
        else
            storage.report.slots += a_.nonzeros();
        require_right(made);
    }

private:
    static constexpr const pattern_limits& wanted() { return Call::tuned.patterns; }

    using base = conversion<Call, V>;
    using base::a_, base::call_;
    using base::each, base::total_of;

    bool values_repeat()
    {
        if constexpr (words_of<V> == 1)
            return !call_.backend.distinct_values(a_.value, tile_size).empty();
        return false;
    }
    index_t groups() const { return (a_.rows + lanes_of_slice - 1) / lanes_of_slice; }
    /// The slots of each group of 32 rows, and memory for one number more.
    index_t* slots_of_groups()
    {
        auto* const slots = this->template workspace<index_t>(groups() + 1);
        each(count_slots_beside<V>{{}, a_, slots}, groups());
        return slots;
    }
    /// Their total; `slots` become prefix sums.
    index_t slots_beside(index_t* slots) { return total_of(slots, groups()); }

    void require_numbers() const
    {
        constexpr index_t most_rows = index_t(1) << 30;  // kernels number them with 32 bits
        if (a_.rows > most_rows)
            throw resource_error(std::to_string(a_.rows) + " rows are more than " +
                                 std::to_string(most_rows));
        if (a_.longest_row > tile_size)
            throw resource_error("a row of " + std::to_string(a_.longest_row) +
                                 " entries is too long for patterns, which hold at most " +
                                 std::to_string(tile_size) + "; use slices or auto");
    }
    /// The distinct keys of `rows` rows, ascending; none if they are too many.
    std::vector<std::uint64_t> kinds_of(alike in, index_t rows, index_t apart,
                                        const double** keys = nullptr)
    {
        auto* const key = this->template workspace<double>(rows);
        each(write_keys<V>{{}, a_, in, apart, key}, rows);
        if (keys) *keys = key;
        std::vector<std::uint64_t> kinds =
            call_.backend.distinct_values({key, rows}, most_patterns);
        std::sort(kinds.begin(), kinds.end());
        return kinds;
    }
    /// Mean patterns among eight adjacent rows.
    double kinds_of_eight(const std::uint8_t* number)
    {
        const index_t eights = (a_.rows + 7) / 8;
        auto* const count = this->template workspace<index_t>(eights + 1);
        each(count_kinds_of_eight{{}, number, a_.rows, count}, eights);
        return double(total_of(count, eights)) / double(eights);
    }
    /// The first row of each pattern.  Most are among the first 65,536 rows.
    std::vector<index_t> first_rows(const row_patterns<V>& made)
    {
        const index_t few = std::min<index_t>(a_.rows, 65536);
        auto* const result = call_.backend.template small<steps::first_index>();
        const auto first_of = [&](int p, index_t rows) {
            call_.backend.run(first_of_number{{}, made.of_row, p, result}, rows);
            return call_.backend.read(result).value;
        };
        std::vector<index_t> first;
        for (int p = 0; p < made.count; ++p) {
            const index_t i = first_of(p, few);
            first.push_back(i < few ? i : first_of(p, a_.rows));
        }
        return first;
    }
    void put_values_beside(row_storage<V>& storage)
    {
        row_patterns<V>& made = storage.patterns;
        index_t* const slots = slots_of_groups();
        const index_t all = slots_beside(slots);
        if (all > index_t(UINT32_MAX))
            throw resource_error(std::to_string(all) + " slots of 32 values are too many");
        auto* const first = this->template lasting<std::uint32_t>(storage, groups() + 1);
        each(narrow{{}, slots, first}, groups() + 1);
        made.first_slot = first;
        const vec<V> value = this->lasting_vector(storage, all * lanes_of_slice);
        made.beside = value;
        each(write_values_beside<V>{{}, a_, made, value}, groups() * lanes_of_slice);
        storage.report.slots += value.size;
        storage.report.product_bytes += static_cast<std::size_t>(
            value.size * index_t(sizeof(V)) + (groups() + 1) * index_t(sizeof(std::uint32_t)));
    }
    /// Copies a number for each pattern to where steps can read it.
    template <class U>
    const U* there(const std::vector<U>& here)
    {
        number_of_each<U> all{};
        std::copy(here.begin(), here.end(), all.pattern);
        auto* const copy = this->template workspace<number_of_each<U>>(1);
        call_.backend.write(copy, all);
        return copy->pattern;
    }
    /// Checks for hash collisions: different rows with the same key.
    void require_right(const row_patterns<V>& made)
    {
        auto* const result = call_.backend.template small<steps::largest>();
        call_.backend.run(differs_from_stored<V>{{{}, result}, a_, made}, a_.rows);
        if (a_.rows > 0 && call_.backend.read(result).value != 0)
            throw resource_error("different rows have equal hashes; use slices");
    }
};

}  // namespace ddla::formats
