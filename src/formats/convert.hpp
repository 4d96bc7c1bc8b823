// From compressed rows to another storage, at the place of the matrix.
//
// Beside what every backend offers, `Call::on` must know  exclusive_scan(x, n, memory),
// sort(keys, values, n, bits, memory),  sort_distinct(keys, n, bits, memory),
// distinct_values(values, most)  and  longest_list<V>(), of columns that products can do with.
#pragma once

#include "entry_steps.hpp"
#include "list_steps.hpp"

#include "ddla/error.hpp"

#include <algorithm>
#include <bit>
#include <span>
#include <string>

namespace ddla::formats {

template <class Call, scalar V>
class converter {
public:
    converter(Call& call, place at, const csr<V>& a, std::size_t memory_limit)
        : call_(call), at_(at), a_(a), memory_limit_(memory_limit)
    {
    }

    /// Rows in slices, into `to`.
    void make_slices(const slice_plan& plan, row_storage<V>& to)
    {
        ordered_rows<V> rows{a_, nullptr, plan};
        rows.order = order_of(rows);
        slice_list<V>& list = to.slices;
        const index_t m = tiles(a_.rows);
        auto* const first = workspace<index_t>(m + 1);
        each(count_slices<V>{{}, rows, first}, m);
        list.tiles_of_long = plan.long_rows ? a_.long_rows.tiles : 0;
        list.count = list.tiles_of_long + total_of(first, m);
        auto* const of = lasting<slice>(to, list.count);
        each(shape_tiles<V>{{}, rows, of}, list.tiles_of_long);
        each(shape_slices<V>{{}, rows, first, of + list.tiles_of_long}, m);
        list.of = of;
        list.tile_by_tile = plan.has_one_lane() && !plan.listed && !plan.long_rows &&
                            plan.window <= tile_size &&
                            tile_size % std::max<index_t>(plan.window, 1) == 0;
        list.widest = std::min(plan.widest(), longest_stored());
        if (list.tiles_of_long > 0) list.widest = std::max(list.widest, tile_size / lanes_of_slice);
        fill(rows, of, to);
    }

    /// Rows in slices whose columns are listed, into `to`.
    void make_tiles(const slice_plan& plan, row_storage<V>& to)
    {
        column_lists& lists = to.lists;
        lists.count = (a_.rows + rows_of_list - 1) / rows_of_list;
        auto* const of = lasting<listed_rows>(to, lists.count + 1);
        const std::span<const std::uint64_t> keys = distinct_columns();
        lists.columns = static_cast<index_t>(keys.size());
        each(begin_list{{}, keys.data(), lists.columns, of}, lists.count + 1);
        auto* const longest = call_.on.template small<steps::largest>();
        each(longest_of_lists{{}, of, longest}, lists.count);
        lists.longest = static_cast<int>(call_.on.read(longest).value);
        require_short_lists(lists.longest);
        auto* const column = lasting<column_t>(to, lists.columns);
        each(list_column{{}, keys.data(), column}, lists.columns);
        lists.of = of;
        lists.column = column;
        make_slices(plan, to);
        each(find_slices{{}, to.slices.of, to.slices.count, of}, lists.count + 1);
        to.report.product_bytes +=
            static_cast<std::size_t>(lists.columns * index_t(sizeof(column_t)) +
                                     (lists.count + 1) * index_t(sizeof(listed_rows)));
    }

    /// Entries with row numbers, those of each row from number `before` on, into `to`.
    void make_entries(int before, row_storage<V>& to)
    {
        entry_list<V>& list = to.entries;
        index_t* const first = workspace<index_t>(a_.rows + 1);
        each(count_entries<V>{{}, a_, before, first}, a_.rows);
        list.count = total_of(first, a_.rows);
        list.before = before;
        auto* const row = lasting<std::int32_t>(to, list.count);
        auto* const column = lasting<column_t>(to, list.count);
        const vec<V> value = lasting_vector(to, list.count);
        each(list_entries<V>{{}, a_, before, first, row, column, value}, a_.rows);
        list.row = row;
        list.column = column;
        list.value = value;
        if (before > 0) return;
        each(mark_empty_row<V>{{}, a_, first}, a_.rows);
        list.empty_rows = total_of(first, a_.rows);
        auto* const empty = lasting<std::int32_t>(to, list.empty_rows);
        each(list_empty_row<V>{{}, a_, first, empty}, a_.rows);
        list.empty_row = empty;
    }

    /// The longest row of those that are not longer than a tile.
    int longest_stored()
    {
        if (a_.longest_row <= tile_size) return static_cast<int>(a_.longest_row);
        return largest_length([&](index_t k) { return rows_from(k) > a_.long_rows.count; });
    }
    /// The largest k <= 256 for which holds(k), which holds up to some k; 0 for none.
    template <class Holds>
    static int largest_length(const Holds& holds)
    {
        int low = 0, high = tile_size + 1;
        while (high - low > 1) {
            const int middle = (low + high) / 2;
            if (holds(middle))
                low = middle;
            else
                high = middle;
        }
        return low;
    }

    /// Long rows that are not stored are read from the compressed rows.
    void count_what_stays_compressed(row_storage<V>& to)
    {
        if (a_.long_rows.count == 0 || to.slices.tiles_of_long > 0) return;
        auto* const result = call_.on.template small<sums<double, 1>>();
        each(count_entries_of_long<V>{{}, a_, result}, a_.long_rows.count);
        const auto entries = static_cast<index_t>(call_.on.read(result).value[0]);
        to.report.slots += entries;
        to.report.product_bytes +=
            static_cast<std::size_t>(entries) * (sizeof(column_t) + sizeof(V));
    }

    /// The rows that have at least so many entries.
    index_t rows_from(index_t length)
    {
        auto* const result = call_.on.template small<sums<double, 1>>();
        each(count_long_rows<V>{{}, a_, length, result}, a_.rows);
        return static_cast<index_t>(call_.on.read(result).value[0]);
    }

private:
    template <class Step>
    void each(const Step& step, index_t n)
    {
        call_.on.run(step, n);
    }
    template <class U>
    U* workspace(index_t count)
    {
        return call_.memory.template objects<U>(count);
    }
    template <class U>
    U* lasting(row_storage<V>& in, index_t count)
    {
        const std::size_t bytes = static_cast<std::size_t>(count) * sizeof(U);
        if (memory_limit_ > 0 && in.bytes() + bytes > memory_limit_)
            throw resource_error("it takes at least " + std::to_string(in.bytes() + bytes) +
                                 " bytes beside the compressed rows, " +
                                 std::to_string(memory_limit_) + " are allowed");
        in.memory.emplace_back(bytes, at_);
        return static_cast<U*>(in.memory.back().data());
    }
    vec<V> lasting_vector(row_storage<V>& in, index_t n)
    {
        auto* const words = lasting<double>(in, n * words_of<V>);
        return {words, words_of<V> == 2 ? words + n : nullptr, n};
    }
    /// Counts become what comes before; one more number is their sum, which is returned.
    index_t total_of(index_t* count, index_t n)
    {
        call_.on.write(count + n, index_t(0));
        call_.on.exclusive_scan(count, n + 1, call_.memory);
        return call_.on.read(count + n);
    }

    /// The columns of each list, all lists one after the other: see key_columns.
    std::span<const std::uint64_t> distinct_columns()
    {
        index_t* const first = workspace<index_t>(a_.rows + 1);
        each(count_entries<V>{{}, a_, 0, first}, a_.rows);
        const index_t entries = total_of(first, a_.rows);
        auto* const key = workspace<std::uint64_t>(entries);
        each(key_columns<V>{{}, a_, first, key}, a_.rows);
        const auto last_list = static_cast<std::uint64_t>(a_.rows / rows_of_list);
        return call_.on.sort_distinct(key, entries, 32 + std::bit_width(last_list), call_.memory);
    }
    void require_short_lists(int longest) const
    {
        const int most = call_.on.template longest_list<V>();
        if (longest > most)
            throw resource_error(std::to_string(rows_of_list) +
                                 " rows that follow on one another have up to " +
                                 std::to_string(longest) + " different columns, " +
                                 std::to_string(most) + " fit a list");
    }

    /// The rows in the order of the plan; null where that is their own.
    const std::uint32_t* order_of(const ordered_rows<V>& rows)
    {
        const index_t n = a_.rows, m = tiles(n);
        const slice_plan& plan = rows.plan;
        if (plan.window <= 1 || n == 0) return nullptr;
        std::uint8_t* sorted = nullptr;
        if (plan.window == tile_size) {
            sorted = workspace<std::uint8_t>(m);
            each(look_at_tile<V>{{}, rows, sorted}, m);
            auto* const any = call_.on.template small<steps::largest>();
            each(count_sorted{{}, sorted, any}, m);
            if (call_.on.read(any).value == 0) return nullptr;
        }
        auto* const key = workspace<std::uint64_t>(n);
        auto* const row = workspace<std::uint32_t>(n);
        each(make_keys<V>{{}, rows, sorted, key, row}, n);
        const int bits = 9 + (plan.by_column ? 31 : 0) +
                         std::bit_width(static_cast<std::uint64_t>((n - 1) / plan.window));
        return call_.on.sort(key, row, n, bits, call_.memory);
    }

    void fill(const ordered_rows<V>& rows, slice* of, row_storage<V>& to)
    {
        slice_list<V>& list = to.slices;
        if (rows.plan.compress) list.distinct = distinct_values(to);
        const int value_bytes = list.distinct.size > 0 ? 1 : static_cast<int>(sizeof(V));
        auto* const slots = workspace<index_t>(list.count + 1);
        auto* const begin = workspace<index_t>(list.count + 1);
        auto* const far = workspace<index_t>(list.count + 1);
        each(code_slice<V>{{}, rows, of, value_bytes, slots, begin, far}, list.count);
        list.slots = total_of(slots, list.count);
        const index_t bytes = total_of(begin, list.count);
        each(place_slice{{}, of, begin}, list.count);
        auto* const code = lasting<std::uint8_t>(to, bytes);
        list.code = code;
        each(write_bases<V>{{}, rows, of, code}, list.count);
        each(fill_lane<V>{{}, rows, of, code, list.distinct, to.lists},
             list.count * lanes_of_slice);
        if (list.tile_by_tile) each(mark_eights<V>{{}, list, a_.columns, of}, list.count);
        to.far = static_cast<double>(total_of(far, list.count)) /
                 static_cast<double>(std::max<index_t>(list.slots, 1));
        to.sorted = rows.order != nullptr;
        to.report.product_bytes +=
            static_cast<std::size_t>(list.count * index_t(sizeof(slice)) + bytes);
        to.report.slots += list.slots;
    }

    /// The values of A if they are doubles and at most 256 different ones.
    vec<const V> distinct_values(row_storage<V>& to)
    {
        if constexpr (words_of<V> == 1) {
            std::vector<std::uint64_t> bits = call_.on.distinct_values(a_.value, tile_size);
            if (bits.empty()) return {};
            std::sort(bits.begin(), bits.end());
            const auto n = static_cast<index_t>(bits.size());
            const vec<V> there = lasting_vector(to, n);
            copy_bytes(there.high, at_, bits.data(), host, bits.size() * sizeof(V));
            return there;
        }
        return {};
    }

    Call& call_;
    place at_;
    csr<V> a_;
    std::size_t memory_limit_;
};

}  // namespace ddla::formats
