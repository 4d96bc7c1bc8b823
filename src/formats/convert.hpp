// From compressed rows to slices and tiles, at the place of the matrix.
#pragma once

#include "formats/slices/codes.hpp"
#include "formats/slices/counts.hpp"
#include "formats/tiles/lists.hpp"

#include <algorithm>
#include <bit>

namespace ddla::formats {

template <class Call, scalar V>
class converter : public column_list_builder<Call, V> {
public:
    converter(Call& call, place where, const csr<V>& a, std::size_t memory_limit)
        : base(call, where, a, memory_limit)
    {
    }

    /// Stores the rows as slices in `to`.
    void make_slices(const slice_plan& plan, row_storage<V>& storage)
    {
        ordered_rows<V> rows{a_, nullptr, plan};
        rows.plan.limits = Call::tuned.slices;
        rows.plan.sorting = Call::tuned.sorting;
        rows.order = order_of(rows);
        slice_list<V>& list = storage.slices;
        const index_t m = tiles(a_.rows);
        auto* const first = this->template workspace<index_t>(m + 1);
        each(count_slices<V>{{}, rows, first}, m);
        if (plan.long_rows && a_.long_rows.tiles > 0) prepare_long_rows(rows, list);
        list.count = list.of_long + total_of(first, m);
        auto* const slices = this->template lasting<slice>(storage, list.count);
        each(shape_tiles<V>{{}, rows, slices}, list.of_long);
        each(shape_slices<V>{{}, rows, first, slices + list.of_long}, m);
        list.slices = slices;
        list.widest = std::min(plan.widest(), longest_stored());
        if (list.of_long > 0) list.widest = std::max(list.widest, tile_size / lanes_of_slice);
        if (plan.by_column) list.shorter = short_ones(list);
        fill(rows, slices, storage);
    }

    /// Stores the rows as slices with column lists in `to`.
    void make_tiles(const slice_plan& plan, row_storage<V>& storage)
    {
        this->list_columns(storage);
        make_slices(plan, storage);
    }

    /// Frees the scratch of a failed attempt.
    void forget_attempt() { call_.memory.clear(); }

    /// The length of the longest row that is not longer than a tile.
    int longest_stored()
    {
        if (a_.longest_row <= tile_size) return static_cast<int>(a_.longest_row);
        if (longest_stored_ < 0)
            longest_stored_ =
                largest_length([&](index_t k) { return rows_from(k) > a_.long_rows.count; });
        return longest_stored_;
    }
    /// The largest k <= 256 with holds(k), which must hold for all smaller k then, too; 0 for none.
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

    /// Adds long rows that the format does not store to its report: they are read from the
    /// compressed rows.
    void count_what_stays_compressed(row_storage<V>& storage)
    {
        if (a_.long_rows.count == 0 || storage.slices.of_long > 0) return;
        const index_t entries = entries_of_long_rows();
        storage.report.slots += entries;
        storage.report.product_bytes +=
            static_cast<std::size_t>(entries) * (sizeof(column_t) + sizeof(V));
    }

    /// The mean length of rows that are neither empty nor longer than a tile; 0 without any.
    double mean_stored()
    {
        const index_t rows = rows_from(1) - a_.long_rows.count;
        return rows > 0 ? double(a_.nonzeros() - entries_of_long_rows()) / double(rows) : 0;
    }

    /// The number of rows that have at least `length` entries.
    index_t rows_from(index_t length)
    {
        auto* const result = call_.backend.template small<sums<double, 1>>();
        each(count_long_rows<V>{{}, a_, length, result}, a_.rows);
        return static_cast<index_t>(call_.backend.read(result).value[0]);
    }

private:
    using base = column_list_builder<Call, V>;
    using base::a_, base::at_, base::call_;
    using base::each, base::lasting_vector, base::total_of;

    const long_tile* find_tiles()
    {
        auto* const tile = this->template workspace<long_tile>(a_.long_rows.tiles);
        each(find_long_tiles<V>{{}, a_, tile}, a_.long_rows.count);
        return tile;
    }
    index_t entries_of_long_rows()
    {
        if (a_.long_rows.count == 0) return 0;
        auto* const result = call_.backend.template small<sums<double, 1>>();
        each(count_entries_of_long<V>{{}, a_, result}, a_.long_rows.count);
        return static_cast<index_t>(call_.backend.read(result).value[0]);
    }

    /// The rows in the order of the plan; null if rows are not reordered.
    const std::uint32_t* order_of(const ordered_rows<V>& rows)
    {
        const index_t n = a_.rows, m = tiles(n);
        const slice_plan& plan = rows.plan;
        if (plan.window <= 1 || n == 0) return nullptr;
        std::uint8_t* sorted = nullptr;
        if (plan.window == tile_size) {
            sorted = this->template workspace<std::uint8_t>(m);
            each(find_tiles_to_sort<V>{{}, rows, sorted}, m);
            auto* const any = call_.backend.template small<steps::largest>();
            each(any_sorted{{{}, any}, sorted}, m);
            if (call_.backend.read(any).value == 0) return nullptr;
        }
        auto* const key = this->template workspace<std::uint64_t>(n);
        auto* const row = this->template workspace<std::uint32_t>(n);
        each(make_keys<V>{{}, rows, sorted, key, row}, n);
        const int bits = 9 + (plan.by_column ? 31 : 0) +
                         std::bit_width(static_cast<std::uint64_t>((n - 1) / plan.window));
        return call_.backend.sort(key, row, n, bits, call_.memory);
    }

    /// Sorts tiles of long rows by first column: warps that run at the same time gather the same
    /// part of x.
    void prepare_long_rows(ordered_rows<V>& rows, slice_list<V>& list)
    {
        const index_t n = a_.long_rows.tiles;
        rows.long_tiles = find_tiles();
        auto* const key = this->template workspace<std::uint64_t>(n);
        auto* const tile = this->template workspace<std::uint32_t>(n);
        each(make_tile_keys<V>{{}, rows, key, tile}, n);
        const int bits = std::bit_width(static_cast<std::uint64_t>(a_.columns));
        rows.tile_order = call_.backend.sort(key, tile, n, bits, call_.memory);
        list.of_long = n;
    }

    void fill(const ordered_rows<V>& rows, slice* slices, row_storage<V>& storage)
    {
        slice_list<V>& list = storage.slices;
        if (rows.plan.compress) list.distinct = distinct_values(storage, rows.plan.listed);
        const int value_bytes = list.distinct.size > 0 ? 1 : static_cast<int>(sizeof(V));
        auto* const slots = this->template workspace<index_t>(list.count + 1);
        auto* const begin = this->template workspace<index_t>(list.count + 1);
        auto* const far = this->template workspace<index_t>(list.count + 1);
        each(choose_encoding<V>{{}, rows, slices, value_bytes, slots, begin, far}, list.count);
        list.slots = total_of(slots, list.count);
        if (list.of_long > 0) list.slots_of_long = call_.backend.read(slots + list.of_long);
        const index_t bytes = total_of(begin, list.count);
        each(place_slice{{}, slices, begin}, list.count);
        auto* const code = this->template lasting<std::uint8_t>(storage, bytes);
        list.code = code;
        each(write_bases<V>{{}, rows, slices, code}, list.count);
        each(fill_lane<V>{{}, rows, slices, code, list.distinct, storage.lists},
             list.count * lanes_of_slice);
        storage.far = static_cast<double>(total_of(far, list.count)) /
                      static_cast<double>(std::max<index_t>(list.slots, 1));
        storage.sorted = rows.order != nullptr;
        storage.report.product_bytes +=
            static_cast<std::size_t>(list.count * index_t(sizeof(slice)) + bytes);
        storage.report.slots += list.slots;
    }

    /// For slices sorted widest first.
    short_slices short_ones(const slice_list<V>& list)
    {
        auto* const most = call_.backend.template small<steps::largest>();
        each(widest_slice{{{}, most}, list.slices}, list.count);
        const int widest = static_cast<int>(call_.backend.read(most).value);
        auto* const narrow = call_.backend.template small<sums<double, 1>>();
        const auto from = [&](int width) {
            each(count_narrow_slices{{}, list.slices, width, narrow}, list.count);
            return list.count - static_cast<index_t>(call_.backend.read(narrow).value[0]);
        };
        return {from(widest / 2), from(widest / 4), from(widest / 8)};
    }

    /// The distinct values of A, if it is in double and has at most 256; including -0 if
    /// `with_minus_zero`, which is padding.
    vec<const V> distinct_values(row_storage<V>& storage, bool with_minus_zero)
    {
        if constexpr (words_of<V> == 1) {
            constexpr auto minus_zero = std::bit_cast<std::uint64_t>(-0.0);
            std::vector<std::uint64_t> bits = call_.backend.distinct_values(a_.value, tile_size);
            if (bits.empty()) return {};
            if (with_minus_zero && std::find(bits.begin(), bits.end(), minus_zero) == bits.end())
                bits.push_back(minus_zero);
            if (bits.size() > std::size_t(tile_size)) return {};
            std::sort(bits.begin(), bits.end());
            const auto n = static_cast<index_t>(bits.size());
            const vec<V> there = lasting_vector(storage, n);
            copy_bytes(there.word(0), at_, bits.data(), host, bits.size() * sizeof(V));
            return there;
        }
        return {};
    }

    int longest_stored_ = -1;  ///< -1: not known yet
};

}  // namespace ddla::formats
