// Updates of a supernode by lower ones, and its rows once its diagonal block is factored.  For the
// units kernels_*.cpp alone, see lines.hpp.
#pragma once

#include "tiles.hpp"

namespace ddla::factor {
namespace {

/// Pivots of a supernode at a time: what they take of two operands stays in the first caches.
/// Stored between, the numbers are the same.
constexpr column_t pivots_at_once = 128;

/// Into the second cache, while the rows before are worked on.
DDLA_INLINE void prefetch(const double* from, index_t doubles)
{
    for (index_t i = 0; i < doubles; i += 8) __builtin_prefetch(from + i, 0, 2);
}

/// R row-blocks from k on, all columns.
template <class F, lines_are side>
DDLA_INLINE void update_row_blocks(const supernode_product& u, column_t k, int height,
                                   column_t pivot, column_t pivots)
{
    constexpr index_t size = line_of<F>::doubles;
    const index_t stride = u.pivots * size;
    const double *const rows = u.rows + pivot * size + k * stride, *const columns =
                                                                       u.columns + pivot * size;
    for (column_t c = u.begin; c < u.end && (u.is_square || 8 * (k + height) > c);) {
        const int n = least(least(8 - c % 8, tiles<F, side>::C), u.end - c);
        index_t column[8];
        for (int i = 0; i < n; ++i) column[i] = (u.row[c + i] - u.first_column) * size;
        tile<F, side>.update[height - 1][n - 1](
            rows, stride, columns + (c / 8 - u.columns_block) * stride + c % 8, pivots, u.target,
            u.place + (k - u.first), column);
        c += n;
    }
}

template <class F, lines_are side>
void update(const supernode_product& u)
{
    constexpr index_t size = line_of<F>::doubles;
    constexpr int R = tiles<F, side>::R;
    const index_t stride = u.pivots * size;
    for (column_t pivot = 0; pivot < u.pivots; pivot += pivots_at_once) {
        const column_t pivots = least(pivots_at_once, u.pivots - pivot);
        for (column_t k = u.first; k <= u.last; k += R) {
            const int height = least(R, u.last - k + 1);
            for (column_t next = k + R; next <= least(k + 2 * R - 1, u.last); ++next)
                prefetch(u.rows + next * stride + pivot * size, pivots * size);
            update_row_blocks<F, side>(u, k, height, pivot, pivots);
        }
    }
}

template <class F, lines_are side>
void divide_rows(const double* d, column_t width, double* rows, index_t blocks)
{
    constexpr index_t size = line_of<F>::doubles;
    constexpr int R = tiles<F, side>::R, C = tiles<F, side>::C;
    const index_t stride = width * size;
    for (index_t k = 0; k < blocks; k += R) {
        const auto height = static_cast<int>(least(index_t{R}, blocks - k));
        for (column_t j = 0; j < width; j += C)
            tile<F, side>.divide[height - 1][least(C, width - j) - 1](
                rows + k * stride, stride, j, d + j / 8 * stride + j % 8, 0xff);
    }
}

/// Columns of a row-block, as the diagonal block has exchanged its rows.
template <class F>
void exchange_columns(column_t width, const column_t* column, double* rows)
{
    using line = line_of<F>;
    constexpr column_t most_width = 128;
    alignas(64) double old[most_width * line::doubles];
    for (index_t i = 0; i < width * index_t{line::doubles}; ++i) old[i] = rows[i];
    for (column_t j = 0; j < width; ++j)
        line::store(rows + j * index_t{line::doubles},
                    line::load(old + column[j] * index_t{line::doubles}));
}

}  // namespace
}  // namespace ddla::factor
