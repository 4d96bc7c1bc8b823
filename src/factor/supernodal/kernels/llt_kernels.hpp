// L L^T of diagonal blocks.  For the units kernels_*.cpp alone, see lines.hpp.
#pragma once

#include "tiles.hpp"

namespace ddla::factor {
namespace {

/// The triangle of columns j to j + n on the diagonal, number by number, once all pivots before j
/// are done; returns the first bad column, or -1.
template <class F>
column_t factor_triangle(double* d, column_t width, column_t j, int n)
{
    using line = line_of<F>;
    double* const own = d + j / 8 * index_t{width} * line::doubles + j % 8;
    const auto place = [&](int i, column_t k) { return own + k * index_t{line::doubles} + i; };
    for (int c = 0; c < n; ++c) {
        typename line::number pivot = line::zero();
        for (int i = c; i < n; ++i) {
            typename line::number x = line::get(place(i, j + c));
            for (column_t k = j; k < j + c; ++k)
                x = fnma(line::get(place(i, k)), line::get(place(c, k)), x);
            if (i > c)
                x = x / pivot;
            else if (!root(x, pivot))
                return j + c;
            line::put(place(i, j + c), i > c ? x : pivot);
        }
    }
    return -1;
}

/// All pivots before j, of the rows of the triangle.
template <class F>
void update_triangle(double* d, column_t width, column_t j, int n)
{
    using line = line_of<F>;
    double* const block = d + j / 8 * index_t{width} * line::doubles;
    const unsigned rows = (1u << (j % 8 + n)) - (1u << j % 8);
    for (int c = 0; c < n; ++c) {
        double* const to = block + (j + c) * index_t{line::doubles};
        typename line::lanes t[1][1] = {{line::load(to)}};
        accumulate<F, lines_are::of_l, 1, 1>(t, block, 0, block + j % 8 + c, j);
        line::store(to, rows, t[0][0]);
    }
}

/// The rows below the triangle, also those of its own row-block.
template <class F>
void divide_below(double* d, column_t width, column_t j, int n)
{
    constexpr index_t size = line_of<F>::doubles;
    const index_t stride = width * size;
    const double* const b = d + j / 8 * stride + j % 8;
    for (column_t k = (j + n) / 8; k < row_blocks(width); ++k) {
        const unsigned above = 8 * k < j + n ? (1u << (j + n - 8 * k)) - 1 : 0;
        tile<F>.divide[0][n - 1](d + k * stride, stride, j, b, 0xff & ~above);
    }
}

template <class F>
column_t factor_definite(double* d, column_t width)
{
    for (column_t j = 0; j < width; j += tiles<F, lines_are::of_l>::C) {
        const int n = least(tiles<F, lines_are::of_l>::C, width - j);
        update_triangle<F>(d, width, j, n);
        const column_t bad = factor_triangle<F>(d, width, j, n);
        if (bad >= 0) return bad;
        divide_below<F>(d, width, j, n);
    }
    return -1;
}

}  // namespace
}  // namespace ddla::factor
