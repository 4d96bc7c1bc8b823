#include "assemble.hpp"

#include "files/parallel.hpp"
#include "memory_limit.hpp"
#include "row_order.hpp"
#include "storage/memory.hpp"

#include <span>
#include <utility>
#include <vector>

namespace ddla::text {
namespace {

/// The arrays of a matrix in the making.
template <scalar V>
struct csr_parts {
    csr_parts(index_t rows, index_t entries)
        : row_begin(static_cast<std::size_t>(rows + 1) * sizeof(index_t), host),
          column(static_cast<std::size_t>(entries) * sizeof(column_t), host), value(entries)
    {
        prefer_large_pages(row_begin.data(), row_begin.bytes());
        prefer_large_pages(column.data(), column.bytes());
        begin()[0] = 0;
    }
    index_t* begin() { return static_cast<index_t*>(row_begin.data()); }
    row_arrays<V> rows() { return {static_cast<column_t*>(column.data()), value.view()}; }

    buffer row_begin;
    buffer column;
    vector<V> value;
};

/// The rows of a bucket.  end[i] is the end of row i, the element of row_begin after its own, which
/// no other bucket writes.  Until then it is where the next entry of the row goes.
struct bucket_rows {
    index_t offset;  ///< of the bucket's entries in the matrix
    index_t first;   ///< row
    std::span<index_t> end;
};

template <scalar V>
bucket_rows rows_of(const entry_buckets<V>& buckets, std::size_t b, index_t offset,
                    index_t* row_begin)
{
    const index_t first = buckets.first_row(b), last = buckets.first_row(b + 1);
    return {offset, first, {row_begin + first + 1, static_cast<std::size_t>(last - first)}};
}

/// A counting sort by row.
template <scalar V>
void sort_by_row(const entry_buckets<V>& buckets, std::size_t b, const bucket_rows& rows,
                 const row_arrays<V>& to)
{
    std::fill(rows.end.begin(), rows.end.end(), index_t{0});
    index_t* next = rows.end.data();
    const index_t first = rows.first;
    buckets.for_each(b, [&](const placed_entry<V>& entry) { ++next[entry.row - first]; });
    index_t place = rows.offset;
    for (index_t& cell : rows.end) place += std::exchange(cell, place);
    buckets.for_each(b, [&](const placed_entry<V>& entry) {
        const index_t at = next[entry.row - first]++;
        to.column[at] = entry.column;
        to.value.set(at, entry.value);
    });
}

/// Sorts each row; where duplicates merge, the following rows move up.  Returns the entries left.
template <scalar V>
index_t order_rows(const bucket_rows& rows, const row_arrays<V>& a, row_workspace<V>& space)
{
    index_t first = rows.offset, kept = rows.offset;
    for (index_t& end : rows.end) {
        const index_t count = order_row(a, first, end, space);
        if (kept != first)
            for (index_t k = 0; k < count; ++k) a.move(first + k, kept + k);
        kept += count;
        first = std::exchange(end, kept);
    }
    return kept - rows.offset;
}

/// Prefix sums: entry i is the sum of the counts before it, the last entry their total.
std::vector<index_t> offsets_of(const std::vector<index_t>& count)
{
    std::vector<index_t> offset(count.size() + 1, 0);
    for (std::size_t i = 0; i < count.size(); ++i) offset[i + 1] = offset[i] + count[i];
    return offset;
}

/// Closes the gaps that duplicates left at the end of each bucket; left[b] entries of it remain.
template <scalar V>
csr_parts<V> without_gaps(csr_parts<V>& from, const entry_buckets<V>& buckets,
                          const std::vector<index_t>& offset, const std::vector<index_t>& left)
{
    const std::vector<index_t> new_offset = offsets_of(left);
    csr_parts<V> result(buckets.first_row(buckets.buckets()), new_offset.back());
    const row_arrays<V> a = from.rows(), to = result.rows();
    for (std::size_t b = 0; b < left.size(); ++b) {
        const index_t gap = offset[b] - new_offset[b];
        const bucket_rows source = rows_of(buckets, b, offset[b], from.begin());
        const bucket_rows target = rows_of(buckets, b, new_offset[b], result.begin());
        for (std::size_t i = 0; i < source.end.size(); ++i) target.end[i] = source.end[i] - gap;
        for (index_t k = new_offset[b]; k < new_offset[b + 1]; ++k) {
            to.column[k] = a.column[k + gap];
            to.value.set(k, a.value.get(k + gap));
        }
    }
    return result;
}

}  // namespace

template <scalar V>
csr_matrix<V> assemble(const header& about, entry_buckets<V>& buckets, sharing how)
{
    std::vector<index_t> size(buckets.buckets());
    for (std::size_t b = 0; b < size.size(); ++b) size[b] = buckets.size(b);
    const std::vector<index_t> offset = offsets_of(size);
    require_room(about, how,
                 std::to_string(about.rows) + " rows and " + std::to_string(offset.back()) +
                     " entries",
                 static_cast<double>(about.rows) * sizeof(index_t) +
                     static_cast<double>(offset.back()) * bytes_of_entry<V>);
    const watched_zeros watched;
    csr_parts<V> parts(about.rows, offset.back());
    std::vector<row_workspace<V>> spaces(how.workers());
    std::vector<index_t> left(size.size());
    parallel_for(how.threads, left.size(), [&](int worker, std::size_t b) {
        const bucket_rows rows = rows_of(buckets, b, offset[b], parts.begin());
        sort_by_row(buckets, b, rows, parts.rows());
        left[b] = order_rows(rows, parts.rows(), spaces[static_cast<std::size_t>(worker)]);
    });
    if (left != size) parts = without_gaps(parts, buckets, offset, left);
    return csr_matrix<V>(about.rows, about.columns, std::move(parts.row_begin),
                         std::move(parts.column), std::move(parts.value));
}

#define DDLA_INSTANTIATE(T)                                                                        \
    template csr_matrix<T> assemble(const header&, entry_buckets<T>&, sharing);
DDLA_FOR_PRECISIONS(DDLA_INSTANTIATE)
#undef DDLA_INSTANTIATE

}  // namespace ddla::text
