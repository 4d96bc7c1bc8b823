#include "row_order.hpp"

#include "ddla/summation.hpp"

#include <algorithm>
#include <memory>

namespace ddla::text {
namespace {

/// Insertion sort of a short row in place; true if it has duplicates, which stay adjacent, in
/// order.
template <scalar V>
bool insertion_sort(const row_arrays<V>& a, index_t first, index_t last)
{
    bool duplicates = false;
    for (index_t k = first + 1; k < last; ++k) {
        const column_t column = a.column[k];
        const V value = a.value.get(k);
        index_t at = k;
        for (; at > first && a.column[at - 1] > column; --at) a.move(at - 1, at);
        duplicates = duplicates || (at > first && a.column[at - 1] == column);
        a.column[at] = column;
        a.value.set(at, value);
    }
    return duplicates;
}

template <scalar V>
V sum_of(std::vector<V>& terms)
{
    if (terms.size() <= tile_size) {
        fold_in_half(terms.data(), static_cast<int>(terms.size()));
        return terms[0];
    }
    const auto sum = std::make_unique<running_sum<V>>();  // too large for the stack
    for (const V& term : terms) sum->add(term);
    return sum->sum(V(0));
}

/// Sums entries with equal columns, which are adjacent.
template <scalar V>
void sum_duplicates(row_workspace<V>& row)
{
    std::vector<V> terms;
    std::size_t kept = 0;
    for (std::size_t k = 0, next; k < row.size(); k = next) {
        terms.clear();
        for (next = k; next < row.size() && row[next].column == row[k].column; ++next)
            terms.push_back(row[next].value);
        row[kept++] = {row[k].column, sum_of(terms)};
    }
    row.resize(kept);
}

/// Any row.
template <scalar V>
index_t sort_and_sum(const row_arrays<V>& a, index_t first, index_t last, row_workspace<V>& row)
{
    row.clear();
    for (index_t k = first; k < last; ++k) row.push_back({a.column[k], a.value.get(k)});
    const auto by_column = [](const row_entry<V>& x, const row_entry<V>& y) {
        return x.column < y.column;
    };
    std::stable_sort(row.begin(), row.end(), by_column);
    sum_duplicates(row);
    for (index_t k = first; const row_entry<V>& entry : row) {
        a.column[k] = entry.column;
        a.value.set(k++, entry.value);
    }
    return static_cast<index_t>(row.size());
}

}  // namespace

template <scalar V>
index_t order_row(const row_arrays<V>& a, index_t first, index_t last, row_workspace<V>& space)
{
    constexpr index_t short_row = 32;
    index_t k = first + 1;
    while (k < last && a.column[k - 1] < a.column[k]) ++k;
    if (k >= last) return last - first;
    if (last - first <= short_row && !insertion_sort(a, first, last)) return last - first;
    return sort_and_sum(a, first, last, space);
}

#define DDLA_INSTANTIATE(T)                                                                        \
    template index_t order_row(const row_arrays<T>&, index_t, index_t, row_workspace<T>&);
DDLA_FOR_PRECISIONS(DDLA_INSTANTIATE)
#undef DDLA_INSTANTIATE

}  // namespace ddla::text
