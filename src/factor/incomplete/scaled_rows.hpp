// The rows that are factored, seen in A as it is stored; and what a look at them finds.
#pragma once

#include "factor/chunks.hpp"
#include "factor/lu/factors_data.hpp"

#include <atomic>

namespace ddla::factor::detail {

/// Rows of columns, ascending.
struct pattern_rows {
    row_offsets begin;
    const column_t* column;

    index_t length(index_t i) const { return begin[i + 1] - begin[i]; }
};

/// Rows of A, columns ascending, times powers of two, rounded to F.  One text for A in double and
/// in double-double: what factors rows is compiled for F alone.
template <scalar F>
struct scaled_rows {
    pattern_rows pattern;
    index_t n;
    const double *high, *low;            ///< words of the entries; low: null where A is in double
    const exponents* scaling = nullptr;  ///< null: ones

    template <scalar V>
    explicit scaled_rows(const csr<V>& a, const exponents* by = nullptr)
        : pattern{a.row_begin, a.column}, n(a.rows), high(a.value.word(0)), low(nullptr),
          scaling(by)
    {
        if constexpr (words_of<V> == 2) low = a.value.word(1);
    }

    index_t rows() const { return n; }
    index_t entries() const { return pattern.begin[n]; }
    index_t begin(index_t i) const { return pattern.begin[i]; }
    index_t end(index_t i) const { return pattern.begin[i + 1]; }
    column_t column(index_t k) const { return pattern.column[k]; }
    /// Entry k, of row i.
    F value(index_t i, index_t k) const
    {
        const F x = entry(k);
        return scaling ? scaled(x, scaling->row[as_size(i)] + scaling->column[as_size(column(k))])
                       : x;
    }

private:
    F entry(index_t k) const
    {
        if constexpr (words_of<F> == 2)
            if (low) return F(high[k], low[k]);
        return F(high[k]);
    }
};

template <scalar F>
csr<F> view_of(const sparse_rows<F>& a)
{
    return {a.rows(), a.rows(), row_offsets(a.begin.data()), a.column.data(), a.value.view()};
}

template <scalar F>
double largest_of_row(const scaled_rows<F>& a, index_t i)
{
    double most = 0;
    for (index_t k = a.begin(i); k < a.end(i); ++k) most = std::max(most, magnitude(a.value(i, k)));
    return most;
}

/// Where the rows of both triangles without fill begin, and more.
struct row_look {
    unfilled<index_t> lower, upper;
    index_t longest = 0;  ///< entries of the longest row, the diagonal among them
    bool has_full_diagonal = true;
    bool is_clean = true;  ///< columns ascend, no place twice, no zeros
    bool is_finite = true;
};

/// Cost: one pass, shared by threads.
template <scalar V>
row_look look_at(const csr<V>& a, const chunk_runner& run)
{
    row_look r;
    r.lower.resize(as_size(a.rows) + 1);
    r.upper.resize(as_size(a.rows) + 1);
    r.lower[0] = r.upper[0] = 0;
    std::atomic<bool> full = true, clean = true, finite = true;
    std::atomic<index_t> longest = 0;
    run.parts(a.rows, [&](index_t begin, index_t end) {
        bool is_full = true, is_clean = true, is_finite = true;
        index_t most = 0;
        for (index_t i = begin; i < end; ++i) {
            index_t lower = 0, diagonal = 0, before = -1;
            const index_t first = a.row_begin[i], last = a.row_begin[i + 1];
            for (index_t k = first; k < last; ++k) {
                const index_t j = a.column[k];
                const V value = a.value.get(k);
                is_clean &= before < j && !(value == V(0));
                is_finite &= isfinite(value);
                before = j;
                lower += j < i;
                diagonal += j == i;
            }
            is_full &= diagonal == 1;
            r.lower[as_size(i) + 1] = lower;
            r.upper[as_size(i) + 1] = last - first - lower - diagonal;
            most = std::max(most, last - first + 1 - diagonal);
        }
        if (!is_full) full = false;
        if (!is_clean) clean = false;
        if (!is_finite) finite = false;
        for (index_t seen = longest; seen < most && !longest.compare_exchange_weak(seen, most);) {
        }
    });
    std::partial_sum(r.lower.begin(), r.lower.end(), r.lower.begin());
    std::partial_sum(r.upper.begin(), r.upper.end(), r.upper.begin());
    r.has_full_diagonal = full;
    r.is_clean = clean;
    r.is_finite = finite;
    r.longest = longest;
    return r;
}

/// Where A of ascending rows has entry (i, j), or -1.
template <scalar V>
index_t place_of(const csr<V>& a, index_t i, column_t j)
{
    const column_t *const begin = a.column + a.row_begin[i], *const end =
                                                                 a.column + a.row_begin[i + 1];
    const column_t* const found = std::lower_bound(begin, end, j);
    return found != end && *found == j ? found - a.column : -1;
}

/// Whether each entry of clean rows is equal to its mirror image.
template <scalar V>
bool is_symmetric(const csr<V>& a, const row_look& look, const chunk_runner& run)
{
    // Each entry below the diagonal has one above, which are as many.
    if (look.lower.back() != look.upper.back()) return false;
    std::atomic<bool> symmetric = true;
    run.parts(a.rows, [&](index_t begin, index_t end) {
        for (index_t i = begin; i < end && symmetric; ++i)
            for (index_t k = a.row_begin[i]; k < a.row_begin[i + 1] && a.column[k] < i; ++k) {
                const index_t mirrored = place_of(a, a.column[k], static_cast<column_t>(i));
                if (mirrored < 0 || !(a.value.get(mirrored) == a.value.get(k))) symmetric = false;
            }
    });
    return symmetric;
}

}  // namespace ddla::factor::detail
