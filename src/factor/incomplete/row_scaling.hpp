// Powers of two for a matrix by clean rows, and whether its diagonal is large then.
#pragma once

#include "scaled_rows.hpp"

#include "ddla/watched_scope.hpp"

namespace ddla::factor::detail {

/// x becomes the larger one of x and e.
inline void raise(int& x, int e, bool shared)
{
    if (!shared) {
        x = std::max(x, e);
        return;
    }
    const std::atomic_ref<int> here(x);
    for (int seen = here.load(std::memory_order_relaxed);
         seen < e && !here.compare_exchange_weak(seen, e, std::memory_order_relaxed);) {
    }
}

/// As scaling_of the columns.
template <scalar V>
exponents scaling_of(const csr<V>& a, bool scale, const chunk_runner& run)
{
    if (!scale)
        return {std::vector<int>(as_size(a.rows), 0), std::vector<int>(as_size(a.columns), 0)};
    const double* const high = a.value.word(0);
    return equilibrate(a.rows, a.columns, [&](const exponents& s, largest_exponents& most) {
        count_work(10 * a.nonzeros());
        run.parts(a.rows, [&](index_t begin, index_t end) {
            const bool shared = run.threads() > 1;
            for (index_t i = begin; i < end; ++i) {
                int largest = most.of_row[as_size(i)];
                const int of_row = s.row[as_size(i)];
                for (index_t k = a.row_begin[i]; k < a.row_begin[i + 1]; ++k) {
                    const std::size_t j = as_size(a.column[k]);
                    const int e = exponent_of(high[k]) + of_row + s.column[j];
                    largest = std::max(largest, e);
                    raise(most.of_column[j], e, shared);
                }
                most.of_row[as_size(i)] = largest;
            }
        });
    });
}

/// Powers of two by which the diagonal comes near 1, the same for a row and its column.
template <scalar V>
exponents symmetric_scaling(const csr<V>& a, const chunk_runner& run)
{
    std::vector<int> e(as_size(a.rows), 0);
    run.parts(a.rows, [&](index_t begin, index_t end) {
        for (index_t i = begin; i < end; ++i)
            if (const index_t k = place_of(a, i, static_cast<column_t>(i)); k >= 0)
                e[as_size(i)] = -(exponent_of(a.value.word(0)[k]) >> 1);
    });
    return {e, e};
}

/// Whether each |a_jj| is at least 2^-7 of the largest entry of its row, as scaled.
template <scalar V>
bool has_large_diagonal(const csr<V>& a, const exponents& scaling, const chunk_runner& run)
{
    std::atomic<bool> large = true;
    run.parts(a.rows, [&](index_t begin, index_t end) {
        for (index_t i = begin; i < end && large; ++i) {
            double diagonal = 0, largest = 0;
            for (index_t k = a.row_begin[i]; k < a.row_begin[i + 1]; ++k) {
                const column_t j = a.column[k];
                const double m =
                    magnitude(scaled(rounded<double>(a.value.get(k)),
                                     scaling.row[as_size(i)] + scaling.column[as_size(j)]));
                largest = std::max(largest, m);
                if (i == j) diagonal = m;
            }
            if (!(diagonal > 0 && diagonal >= 0x1p-7 * largest)) large = false;
        }
    });
    return large;
}

}  // namespace ddla::factor::detail
