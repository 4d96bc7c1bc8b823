// The lists of columns of the tiles format: the distinct columns of 256 or 512 consecutive rows.
#pragma once

#include "formats/conversion.hpp"
#include "formats/tuning.hpp"
#include "steps.hpp"

#include <algorithm>
#include <bit>
#include <span>

namespace ddla::formats {

template <class Call, scalar V>
class column_list_builder : protected conversion<Call, V> {
public:
    /// Mean entries per column of a list of 256 rows, from a sample of lists.
    double entries_of_listed_column()
    {
        const index_t most = Call::tuned.tiles.sampled_lists;
        const index_t apart = std::max<index_t>((tiles(a_.rows) + most - 1) / most, 1);
        const index_t count = (tiles(a_.rows) + apart - 1) / apart;
        const keys found = keys_of({a_, tile_size, apart}, count);
        const std::size_t columns = distinct(found, count).size();
        return columns > 0 ? double(found.count) / double(columns) : 0;
    }

protected:
    using base = conversion<Call, V>;
    using base::a_, base::call_, base::each, base::total_of;
    using base::base;

    /// Joins lists to 512 rows where they are many and short: adjacent rows share columns, but
    /// there are half as many blocks, which need more shared memory each.
    void list_columns(row_storage<V>& storage)
    {
        const tile_limits& limits = Call::tuned.tiles;
        const int most = call_.backend.template longest_list<V>();
        if (most == 0) throw resource_error("the device has too little shared memory for a list");
        made_lists made = lists_of(tile_size, keys_of({a_, tile_size, 1}, tiles(a_.rows)));
        if (made.longest > most)
            throw resource_error(std::to_string(made.rows) + " consecutive rows have up to " +
                                 std::to_string(made.longest) + " distinct columns, a list holds " +
                                 std::to_string(most));
        const auto columns = static_cast<index_t>(made.key.size());
        if (made.count >= limits.lists_to_join && columns <= limits.columns_to_join * made.count) {
            const keys joined{this->template workspace<std::uint64_t>(columns), columns};
            each(join_lists{{}, made.key.data(), joined.key}, columns);
            const made_lists longer = lists_of(2 * tile_size, joined);
            if (longer.longest <= most) made = longer;
        }
        keep(made, storage);
    }

private:
    struct keys {
        std::uint64_t* key;
        index_t count;
    };
    /// Keys of the entries of `lists` lists.
    keys keys_of(const rows_of_lists<V>& listed, index_t lists)
    {
        const index_t rows = lists * listed.rows;
        auto* const first = this->template workspace<index_t>(rows + 1);
        each(count_listed<V>{{}, listed, first}, rows);
        const index_t entries = total_of(first, rows);
        auto* const key = this->template workspace<std::uint64_t>(entries);
        each(key_columns<V>{{}, listed, first, key}, rows);
        return {key, entries};
    }
    std::span<const std::uint64_t> distinct(const keys& of, index_t lists)
    {
        const int bits = 32 + std::bit_width(static_cast<std::uint64_t>(lists));
        return call_.backend.sort_distinct(of.key, of.count, bits, call_.memory);
    }

    struct made_lists {
        int rows;
        index_t count;
        std::span<const std::uint64_t> key;  ///< the distinct keys of all lists: see key_columns
        index_t* first;
        int longest;
    };
    made_lists lists_of(int rows, const keys& all)
    {
        const index_t count = (a_.rows + rows - 1) / rows;
        made_lists made{rows, count, distinct(all, count),
                        this->template workspace<index_t>(count + 1), 0};
        each(begin_list{{}, made.key.data(), static_cast<index_t>(made.key.size()), made.first},
             count + 1);
        auto* const longest = call_.backend.template small<steps::largest>();
        each(longest_of_lists{{{}, longest}, made.first}, count);
        made.longest = static_cast<int>(call_.backend.read(longest).value);
        return made;
    }
    void keep(const made_lists& made, row_storage<V>& storage)
    {
        column_lists& lists = storage.lists;
        lists.count = made.count;
        lists.rows = made.rows;
        lists.longest = made.longest;
        lists.columns = static_cast<index_t>(made.key.size());
        auto* const first = this->template lasting<index_t>(storage, lists.count + 1);
        each(begin_list{{}, made.key.data(), lists.columns, first}, lists.count + 1);
        auto* const column = this->template lasting<column_t>(storage, lists.columns);
        each(list_column{{}, made.key.data(), column}, lists.columns);
        lists.first = first;
        lists.column = column;
        storage.report.product_bytes +=
            static_cast<std::size_t>(lists.columns * index_t(sizeof(column_t)) +
                                     (lists.count + 1) * index_t(sizeof(index_t)));
    }
};

}  // namespace ddla::formats
