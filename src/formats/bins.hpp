// The columns of a matrix in bins, each of so many that their part of x stays in a cache.
//
// Where rows have columns all over a vector that no cache holds, each element that a product
// gathers is a line from memory.  Gathered before, one bin after the other, all of them come from
// a cache, and the product finds them side by side: written and read once more, but in order.
// (Propagation blocking of Beamer, Asanovic, Patterson, IPDPS 2017, for what is read instead of
// what is written.)  The first bin is left to the product.
#pragma once

#include "bin_steps.hpp"
#include "conversion.hpp"

#include <algorithm>
#include <bit>

namespace ddla::formats {

template <class Call, scalar V>
class binner : protected conversion<Call, V> {
public:
    /// Whether a cache can do little for products in the order of the rows: of so many entries that
    /// follow on one another as it has lines, in four places, most want a line of their own.
    /// Measured where columns are random, bench/NOTES.md: vectors from the size of the cache on.
    bool misses_the_cache(int bytes_of_number)
    {
        constexpr int places = 4, bytes_of_line = 64;
        const auto lines = static_cast<index_t>(call_.on.cache_bytes() / bytes_of_line);
        if (lines == 0 || a_.nonzeros() < places * lines) return false;
        auto* const key = this->template workspace<std::uint64_t>(places * lines);
        each(key_of_line{{},
                         a_.column,
                         bytes_of_line / bytes_of_number,
                         lines,
                         (a_.nonzeros() - lines) / (places - 1),
                         key},
             places * lines);
        const auto different =
            call_.on.sort_distinct(key, places * lines, 32 + places / 2, call_.memory).size();
        return double(different) > 0.58 * double(places * lines);
    }

protected:
    using base = conversion<Call, V>;
    using base::a_, base::call_, base::each;
    using base::base;

    /// A with other columns, for its entries in slices of these shapes: those of the first bin, and
    /// behind them the numbers of what a product gathers before; of these a list, into `to`.
    /// Numbers of a bin go on as slots do, so that lanes side by side have neighbouring ones.
    csr<V> in_bins(const ordered_rows<V>& rows, const slice* of, index_t slices, row_storage<V>& to)
    {
        column_bins& bins = to.bins;
        const index_t entries = a_.nonzeros();
        bins.direct = static_cast<column_t>(columns_of_bin(rows.plan.bytes_of_binned));
        const index_t first = entries_in_first(bins.direct);
        bins.count = entries - first;
        if (bins.count == 0) return a_;
        require_numbers(bins.direct + bins.count);
        auto* const key = this->template workspace<std::uint64_t>(entries);
        auto* const entry = this->template workspace<std::uint32_t>(entries);
        const int bits_below = bits_of_place + std::bit_width(static_cast<std::uint64_t>(slices));
        each(key_by_bin<V>{{}, rows, of, bins.direct, bits_below, key, entry},
             slices * lanes_of_slice);
        const auto last_bin = static_cast<std::uint64_t>(a_.columns / bins.direct);
        const std::uint32_t* const order =
            call_.on.sort(key, entry, entries, bits_below + std::bit_width(last_bin), call_.memory);
        auto* const from = this->template lasting<column_t>(to, bins.count);
        auto* const column = this->template workspace<column_t>(entries);
        each(number_by_bin{{}, order, a_.column, bins.direct, first, from, column}, entries);
        bins.from = from;
        to.report.product_bytes += static_cast<std::size_t>(bins.count) * sizeof(column_t);
        csr<V> binned = a_;
        binned.column = column;
        binned.columns = bins.direct + bins.count;
        return binned;
    }
    /// That there is memory for what products in double-double gather, beside what stays.
    void require_room_of_products(const row_storage<V>& made)
    {
        if (Call::on_host || made.bins.count == 0) return;
        call_.memory.clear();
        this->template workspace<dd_real>(a_.columns + made.bins.count);
    }

private:
    /// Three tenths of the cache hold them: blocks at work are at two bins, and what is written and
    /// read beside them needs room, too.  There are three bins at least.
    index_t columns_of_bin(int bytes_of_number) const
    {
        const index_t third = (a_.columns + 2) / 3;
        const auto fit = static_cast<index_t>(call_.on.cache_bytes()) * 3 / 10 / bytes_of_number;
        return std::max<index_t>(fit > 0 ? std::min(third, fit) : third, 1);
    }
    index_t entries_in_first(column_t direct)
    {
        auto* const result = call_.on.template small<sums<double, 1>>();
        each(count_first_bin{{}, a_.column, direct, result}, a_.nonzeros());
        return static_cast<index_t>(call_.on.read(result).value[0]);
    }
    void require_numbers(index_t columns) const
    {
        if (columns > INT32_MAX || a_.nonzeros() > index_t(UINT32_MAX))
            throw resource_error(std::to_string(a_.nonzeros()) +
                                 " entries are more than 32-bit numbers can tell apart beside the "
                                 "columns of the first bin");
    }
};

}  // namespace ddla::formats
