// Tiles of a supernodal factorisation: loaded, updated by all pivots in ascending order, stored.
// For the units kernels_*.cpp alone, see lines.hpp.
#pragma once

#include "kernels.hpp"
#include "lines.hpp"

namespace ddla::factor {
namespace {

template <class I>
DDLA_INLINE I least(I a, I b)
{
    return a < b ? a : b;
}
template <class I>
DDLA_INLINE I most(I a, I b)
{
    return a < b ? b : a;
}

/// The first of n ascending rows that is not below `row`.
inline column_t first_from(const column_t* rows, column_t n, column_t row)
{
    column_t begin = 0;
    while (n > 0) {
        const column_t half = n / 2;
        if (rows[begin + half] < row) {
            begin += half + 1;
            n -= half + 1;
        } else {
            n = half;
        }
    }
    return begin;
}

/// Lanes begin, …, end - 1 of a row-block.
struct lane_range {
    int begin, end;

    DDLA_INLINE bool has(int lane) const { return begin <= lane && lane < end; }
};
/// The rows below a supernode that a sweep forwards updates, by their places in its list.
class updated_rows {
public:
    updated_rows(const llt_sweep& s, const column_t* row, column_t below)
        : begin_(
              most(s.places_begin, s.rows_begin == 0 ? 0 : first_from(row, below, s.rows_begin))),
          end_(least(s.places_end, below == 0 || row[below - 1] < s.rows_end
                                       ? below
                                       : first_from(row, below, s.rows_end)))
    {
    }
    column_t begin() const { return begin_; }
    column_t end() const { return end_; }
    column_t first_block() const { return begin_ / 8; }
    column_t end_block() const
    {
        return begin_ < end_ ? static_cast<column_t>(row_blocks(end_)) : first_block();
    }
    DDLA_INLINE lane_range lanes(column_t k) const
    {
        return {most(0, begin_ - 8 * k), least(8, end_ - 8 * k)};
    }

private:
    column_t begin_, end_;
};

template <class F>
DDLA_INLINE auto load_places(const double* c, const lane_places& p)
{
    using line = line_of<F>;
    const auto zero = line::all(line::zero());
    if (!p.index)
        return line::load(line::load(zero, p.of_first, c + p.first), p.of_second, c + p.second);
    alignas(64) double found[line::doubles] = {};
    for (int i = 0; i < 8; ++i)
        if ((p.of_first >> i & 1) != 0) line::put(found + i, line::get(c + p.index[i]));
    return line::load(found);
}
template <class F>
DDLA_INLINE void store_places(double* c, const lane_places& p, typename line_of<F>::lanes x)
{
    using line = line_of<F>;
    if (!p.index) {
        line::store(c + p.first, p.of_first, x);
        line::store(c + p.second, p.of_second, x);
        return;
    }
    alignas(64) double all[line::doubles];
    line::store(all, x);
    for (int i = 0; i < 8; ++i)
        if ((p.of_first >> i & 1) != 0) line::put(c + p.index[i], line::get(all + i));
}

/// Which operand of an update is a line: that of L, or that of U.  In double-double the update does
/// not commute.
enum class lines_are { of_l, of_u };

template <lines_are side, class L>
DDLA_INLINE L updated(const L& line, const L& number, const L& c)
{
    return side == lines_are::of_l ? fnma(line, number, c) : fnma(number, line, c);
}

/// R row-blocks, `stride` apart, and C columns: t -= a_k b_kc for k from 0 to pivots, where b_k and
/// b_(k + 1) are `step` apart.
template <class F, lines_are side, int R, int C>
DDLA_INLINE void accumulate(typename line_of<F>::lanes (&t)[R][C], const double* a, index_t stride,
                            const double* b, column_t pivots, index_t step = line_of<F>::doubles)
{
    using line = line_of<F>;
    for (column_t k = 0; k < pivots; ++k, a += line::doubles, b += step) {
        typename line::lanes l[R];
#pragma GCC unroll 8
        for (int r = 0; r < R; ++r) {
            l[r] = line::load(a + r * stride);
            keep_in_register(l[r]);
        }
#pragma GCC unroll 8
        for (int c = 0; c < C; ++c) {
            const auto u = line::all(line::get(b + c));
#pragma GCC unroll 8
            for (int r = 0; r < R; ++r) t[r][c] = updated<side>(l[r], u, t[r][c]);
        }
    }
}

template <class F, lines_are side, int R, int C>
void update_tile(const double* a, index_t stride, const double* b, column_t pivots, double* target,
                 const lane_places* p, const index_t* column)
{
    typename line_of<F>::lanes t[R][C];
#pragma GCC unroll 8
    for (int c = 0; c < C; ++c)
#pragma GCC unroll 8
        for (int r = 0; r < R; ++r) t[r][c] = load_places<F>(target + column[c], p[r]);
    accumulate<F, side, R, C>(t, a, stride, b, pivots);
#pragma GCC unroll 8
    for (int c = 0; c < C; ++c)
#pragma GCC unroll 8
        for (int r = 0; r < R; ++r) store_places<F>(target + column[c], p[r], t[r][c]);
}

/// R row-blocks of X, columns j to j + C: what X L^T = X is once the columns before are known.  b:
/// row j of L.  Stores the rows of the mask.  Of U^T the diagonal of L is 1.
template <class F, lines_are side, int R, int C>
void divide_tile(double* x, index_t stride, column_t j, const double* b, unsigned mask)
{
    using line = line_of<F>;
    typename line::lanes t[R][C];
    double* const own = x + index_t{j} * line::doubles;
#pragma GCC unroll 8
    for (int c = 0; c < C; ++c)
#pragma GCC unroll 8
        for (int r = 0; r < R; ++r) t[r][c] = line::load(own + r * stride + c * line::doubles);
    accumulate<F, side, R, C>(t, x, stride, b, j);
    b += index_t{j} * line::doubles;
#pragma GCC unroll 8
    for (int c = 0; c < C; ++c) {
#pragma GCC unroll 8
        for (int q = 0; q < c; ++q) {
            const auto u = line::all(line::get(b + q * line::doubles + c));
#pragma GCC unroll 8
            for (int r = 0; r < R; ++r) t[r][c] = updated<side>(t[r][q], u, t[r][c]);
        }
        if constexpr (side == lines_are::of_l) {
            const auto pivot = line::all(line::get(b + c * line::doubles + c));
#pragma GCC unroll 8
            for (int r = 0; r < R; ++r) t[r][c] = t[r][c] / pivot;
        }
#pragma GCC unroll 8
        for (int r = 0; r < R; ++r)
            line::store(own + r * stride + c * line::doubles, mask, t[r][c]);
    }
}

/// The tiles of R row-blocks and C columns, fewer at the edges.
template <class F, lines_are side>
struct tiles {
    static constexpr int R = line_of<F>::row_blocks, C = line_of<F>::columns;
    using update_function = void (*)(const double*, index_t, const double*, column_t, double*,
                                     const lane_places*, const index_t*);
    using divide_function = void (*)(double*, index_t, column_t, const double*, unsigned);
    update_function update[R][C];
    divide_function divide[R][C];
};

template <class F, lines_are side, int R>
constexpr void set_row(tiles<F, side>& t)
{
    constexpr int C = tiles<F, side>::C;
    t.update[R - 1][0] = update_tile<F, side, R, 1>;
    t.divide[R - 1][0] = divide_tile<F, side, R, 1>;
    t.update[R - 1][1] = update_tile<F, side, R, 2>;
    t.divide[R - 1][1] = divide_tile<F, side, R, 2>;
    if constexpr (C >= 4) {
        t.update[R - 1][2] = update_tile<F, side, R, 3>;
        t.divide[R - 1][2] = divide_tile<F, side, R, 3>;
        t.update[R - 1][3] = update_tile<F, side, R, 4>;
        t.divide[R - 1][3] = divide_tile<F, side, R, 4>;
    }
    if constexpr (C >= 8) {
        t.update[R - 1][4] = update_tile<F, side, R, 5>;
        t.divide[R - 1][4] = divide_tile<F, side, R, 5>;
        t.update[R - 1][5] = update_tile<F, side, R, 6>;
        t.divide[R - 1][5] = divide_tile<F, side, R, 6>;
        t.update[R - 1][6] = update_tile<F, side, R, 7>;
        t.divide[R - 1][6] = divide_tile<F, side, R, 7>;
        t.update[R - 1][7] = update_tile<F, side, R, 8>;
        t.divide[R - 1][7] = divide_tile<F, side, R, 8>;
    }
}
template <class F, lines_are side>
constexpr tiles<F, side> all_tiles()
{
    tiles<F, side> t = {};
    set_row<F, side, 1>(t);
    if constexpr (tiles<F, side>::R >= 3) {
        set_row<F, side, 2>(t);
        set_row<F, side, 3>(t);
    }
    return t;
}
template <class F, lines_are side = lines_are::of_l>
constexpr tiles<F, side> tile = all_tiles<F, side>();

}  // namespace
}  // namespace ddla::factor
