// L and U of diagonal blocks, and rows of U^T.  For the units kernels_*.cpp alone, see lines.hpp.
#pragma once

#include "product_kernels.hpp"

namespace ddla::factor {
namespace {

/// A diagonal block, eight columns at a time: U above them, their updates, their pivots.
template <class F>
class square_elimination {
    using line = line_of<F>;
    using number = typename line::number;
    static constexpr index_t size = line::doubles;

public:
    explicit square_elimination(const square_block& b)
        : b_(b), width_(b.width), stride_(b.width * size)
    {
    }

    column_t run()
    {
        for (column_t j = 0; j < width_; j += 8) {
            const int n = least(8, width_ - j);
            take_upper(j, n);
            for (column_t k = j / 8; k < row_blocks(width_); ++k) update_row_block(k, j, n);
            for (column_t c = j; c < j + n; ++c)
                if (!eliminate(c, j + n)) return -1;
            put_upper(j, n);
        }
        clean_lower();
        return replaced_;
    }

private:
    double* lower(column_t i, column_t k) { return b_.lower + i / 8 * stride_ + k * size + i % 8; }
    double* upper(column_t i, column_t k) { return b_.upper + i / 8 * stride_ + k * size + i % 8; }

    /// u_kc of the rows k above j, for n columns c from j on.
    void take_upper(column_t j, int n)
    {
        for (column_t k = 0; k < j; ++k) {
            line::store(upper(j, k), line::all(line::zero()));
            for (int c = 0; c < n; ++c) line::put(upper(j + c, k), line::get(lower(k, j + c)));
        }
        constexpr int C = tiles<F, lines_are::of_u>::C;
        for (column_t k = 0; k < j; k += C)
            tile<F, lines_are::of_u>.divide[0][C - 1](upper(j, 0), stride_, k, lower(k, 0), 0xff);
    }
    /// n columns from j on, by all pivots before.
    void update_row_block(column_t k, column_t j, int n)
    {
        constexpr int C = tiles<F, lines_are::of_l>::C;
        int c = 0;
        for (; c + C <= n; c += C) update_columns<C>(k, j, c);
        for (; c < n; ++c) update_columns<1>(k, j, c);
    }
    template <int C>
    void update_columns(column_t k, column_t j, int first)
    {
        typename line::lanes t[1][C];
        double* const own = b_.lower + k * stride_ + (j + first) * size;
#pragma GCC unroll 8
        for (int c = 0; c < C; ++c) t[0][c] = line::load(own + c * size);
        accumulate<F, lines_are::of_l, 1, C>(t, b_.lower + k * stride_, 0, upper(j + first, 0), j);
#pragma GCC unroll 8
        for (int c = 0; c < C; ++c) line::store(own + c * size, t[0][c]);
    }

    /// Column c of L; the columns up to `end` take its pivot.  False: that is not finite.
    bool eliminate(column_t c, column_t end)
    {
        exchange(c, pivot_row(c));
        number pivot = line::get(lower(c, c));
        if (!(size_of(pivot) <= 0x1.fffffffffffffp1023)) return false;
        if (!(size_of(pivot) > b_.rule.negligible)) {
            pivot = with_sign_of(pivot, b_.rule.instead);
            ++replaced_;
            if (b_.was_replaced) b_.was_replaced[c] = 1;
        }
        pivot = line::divisor(pivot);
        line::put(lower(c, c), pivot);
        const auto all = line::all(pivot);
        for (column_t k = c / 8; k < row_blocks(width_); ++k) {
            const unsigned under = 8 * k > c ? 0xffu : 0xfeu << (c - 8 * k) & 0xffu;
            double* const block = b_.lower + k * stride_;
            const auto l = line::load(block + c * size) / all;
            line::store(block + c * size, under, l);
            for (column_t m = c + 1; m < end; ++m)
                line::store(
                    block + m * size, under,
                    fnma(l, line::all(line::get(lower(c, m))), line::load(block + m * size)));
        }
        return true;
    }
    column_t pivot_row(column_t c)
    {
        const double own = size_of(line::get(lower(c, c)));
        double largest = own;
        column_t best = c;
        for (column_t i = c + 1; i < width_; ++i) {
            const double m = __builtin_fabs(*lower(i, c));
            if (m > largest) {
                largest = m;
                best = i;
            }
        }
        return own >= b_.rule.preferred * largest ? c : best;
    }
    /// In all columns.
    void exchange(column_t c, column_t other)
    {
        if (c == other) return;
        for (column_t k = 0; k < width_; ++k) {
            const number x = line::get(lower(c, k));
            line::put(lower(c, k), line::get(lower(other, k)));
            line::put(lower(other, k), x);
        }
        const column_t row = b_.row[c];
        b_.row[c] = b_.row[other];
        b_.row[other] = row;
    }
    /// The triangle on the diagonal.
    void put_upper(column_t j, int n)
    {
        for (column_t k = j; k < j + n; ++k) {
            line::store(upper(j, k), line::all(line::zero()));
            for (column_t c = k; c < j + n; ++c) line::put(upper(c, k), line::get(lower(k, c)));
        }
    }
    void clean_lower()
    {
        for (column_t k = 0; k < width_; ++k) {
            for (column_t i = k / 8 * 8; i < k; ++i) line::put(lower(i, k), line::zero());
            for (column_t i = 0; i < k / 8 * 8; i += 8)
                line::store(lower(i, k), line::all(line::zero()));
            line::put(lower(k, k), line::one());
        }
    }

    const square_block& b_;
    const column_t width_;
    const index_t stride_;
    column_t replaced_ = 0;
};

template <class F>
column_t factor_square(const square_block& b)
{
    return square_elimination<F>(b).run();
}

template <class F>
void divide_upper(const double* d, column_t width, const column_t* column, double* rows,
                  index_t blocks)
{
    if (column)
        for (index_t k = 0; k < blocks; ++k)
            exchange_columns<F>(width, column, rows + k * width * line_of<F>::doubles);
    divide_rows<F, lines_are::of_u>(d, width, rows, blocks);
}

}  // namespace
}  // namespace ddla::factor
