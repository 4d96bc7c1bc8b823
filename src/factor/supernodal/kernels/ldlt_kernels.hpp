// L D L^T of diagonal blocks, and rows below them.  For the units kernels_*.cpp alone, see
// lines.hpp.
#pragma once

#include "product_kernels.hpp"

namespace ddla::factor {
namespace {

/// D of pivots k, and k + 1.
template <class F>
class pivots_of {
public:
    using number = typename line_of<F>::number;

    explicit pivots_of(const pivot_numbers& p) : p_(p) {}

    DDLA_INLINE bool is_pair(column_t k) const { return p_.beside[0][k] != 0; }
    DDLA_INLINE number diagonal(column_t k) const { return get(p_.diagonal, k); }
    DDLA_INLINE number beside(column_t k) const { return get(p_.beside, k); }
    void set(column_t k, number diagonal, number beside) const
    {
        put(p_.diagonal, k, diagonal);
        put(p_.beside, k, beside);
    }

private:
    DDLA_INLINE static number get(const double* const* word, column_t k)
    {
        if constexpr (line_of<F>::doubles == 8)
            return word[0][k];
        else
            return {word[0][k], word[1][k]};
    }
    static void put(double* const* word, column_t k, number x)
    {
        if constexpr (line_of<F>::doubles == 8) {
            word[0][k] = x;
        } else {
            word[0][k] = x.hi;
            word[1][k] = x.lo;
        }
    }

    const pivot_numbers& p_;
};

/// What divides by a pair: p and q are its diagonal over what is beside it, s the inverse of the
/// determinant over that.
template <class F>
struct pair_divisor {
    using line = line_of<F>;
    using number = typename line::number;

    DDLA_INLINE void set(number d1, number beside, number d2)
    {
        divisor_of_pair(d1, beside, d2, line::one(), p, q, s);
    }
    /// (w1, w2) becomes the x of x D = (w1, w2).
    DDLA_INLINE void divide(typename line::lanes& w1, typename line::lanes& w2) const
    {
        divide_by_pair(line::all(p), line::all(q), line::all(s), w1, w2);
    }

    number p, q, s;
};

/// A diagonal block, pivot by pivot, by Bunch and Kaufman's rule within the block (Math. Comp.
/// 31(137), 1977, algorithm A).
template <class F>
class symmetric_elimination {
    using line = line_of<F>;
    using number = typename line::number;
    using lanes = typename line::lanes;
    static constexpr index_t size = line::doubles;

public:
    explicit symmetric_elimination(const symmetric_block& b)
        : b_(b), pivots_(b.pivots), width_(b.width), stride_(b.width * size)
    {
    }

    column_t run()
    {
        for (column_t c = 0; c < width_;) {
            const int rows = choose(c);
            if (rows == 0) return -1;
            if (rows == 1)
                eliminate(c);
            else
                eliminate_pair(c);
            c += rows;
        }
        clean();
        return replaced_;
    }

private:
    double* at(column_t i, column_t j) { return b_.lower + i / 8 * stride_ + j * size + i % 8; }
    number get(column_t i, column_t j) { return line::get(at(i, j)); }
    double magnitude(column_t i, column_t j) { return size_of(get(i, j)); }

    /// How many rows the pivot has that is now at c; 0: it is not finite.
    int choose(column_t c)
    {
        constexpr double alpha = 0.6403882032022076;  // (1 + sqrt(17)) / 8
        const double own = magnitude(c, c);
        column_t r = c;
        double largest = 0;
        for (column_t i = c + 1; i < width_; ++i)
            if (const double m = magnitude(i, c); m > largest) {
                largest = m;
                r = i;
            }
        if (!(own <= 0x1.fffffffffffffp1023 && largest <= 0x1.fffffffffffffp1023)) return 0;
        if (!(most(own, largest) > b_.rule.negligible)) {
            line::put(at(c, c), with_sign_of(get(c, c), b_.rule.instead));
            ++replaced_;
            return 1;
        }
        if (own >= alpha * largest) return 1;
        const double beside = largest_beside(c, r);
        if (own / largest * beside >= alpha * largest) return 1;
        if (magnitude(r, r) >= alpha * beside) {
            exchange(c, r);
            return 1;
        }
        exchange(c + 1, r);
        return 2;
    }
    /// Of row and column r from c on, but for the diagonal.
    double largest_beside(column_t c, column_t r)
    {
        double largest = 0;
        for (column_t j = c; j < r; ++j) largest = most(largest, magnitude(r, j));
        for (column_t i = r + 1; i < width_; ++i) largest = most(largest, magnitude(i, r));
        return largest;
    }
    /// Rows and columns c < r.
    void exchange(column_t c, column_t r)
    {
        if (c == r) return;
        for (column_t k = 0; k < c; ++k) exchange(at(c, k), at(r, k));
        for (column_t k = c + 1; k < r; ++k) exchange(at(k, c), at(r, k));
        for (column_t i = r + 1; i < width_; ++i) exchange(at(i, c), at(i, r));
        exchange(at(c, c), at(r, r));
        const column_t row = b_.row[c];
        b_.row[c] = b_.row[r];
        b_.row[r] = row;
    }
    static void exchange(double* x, double* y)
    {
        const number old = line::get(x);
        line::put(x, line::get(y));
        line::put(y, old);
    }

    void eliminate(column_t c)
    {
        const number d = get(c, c);
        pivots_.set(c, d, line::zero());
        for (column_t k = (c + 1) / 8; k < row_blocks(width_); ++k) {
            double* const l = b_.lower + k * stride_ + c * size;
            line::store(l, under(k, c + 1), line::load(l) / line::all(d));
        }
        for (column_t m = c + 1; m < width_; ++m) {
            const lanes u = line::all(get(m, c) * d);
            for (column_t k = m / 8; k < row_blocks(width_); ++k) {
                double* const row = b_.lower + k * stride_;
                line::store(row + m * size, under(k, m),
                            fnma(line::load(row + c * size), u, line::load(row + m * size)));
            }
        }
    }
    void eliminate_pair(column_t c)
    {
        const number d1 = get(c, c), beside = get(c + 1, c), d2 = get(c + 1, c + 1);
        pivots_.set(c, d1, beside);
        pivots_.set(c + 1, d2, line::zero());
        line::put(at(c + 1, c), line::zero());
        pair_divisor<F> divisor;
        divisor.set(d1, beside, d2);
        for (column_t k = (c + 2) / 8; k < row_blocks(width_); ++k) {
            double* const l = b_.lower + k * stride_ + c * size;
            lanes l1 = line::load(l), l2 = line::load(l + size);
            divisor.divide(l1, l2);
            line::store(l, under(k, c + 2), l1);
            line::store(l + size, under(k, c + 2), l2);
        }
        for (column_t m = c + 2; m < width_; ++m) {
            number u1, u2;
            times_pair(get(m, c), get(m, c + 1), d1, negative(beside), d2, u1, u2);
            const lanes by1 = line::all(u1), by2 = line::all(u2);
            for (column_t k = m / 8; k < row_blocks(width_); ++k) {
                double* const row = b_.lower + k * stride_;
                const lanes x = fnma(line::load(row + c * size), by1, line::load(row + m * size));
                line::store(row + m * size, under(k, m),
                            fnma(line::load(row + (c + 1) * size), by2, x));
            }
        }
    }
    /// Lanes of row-block k from row `first` on.
    static unsigned under(column_t k, column_t first)
    {
        return 8 * k >= first ? 0xffu : 0xffu << (first - 8 * k) & 0xffu;
    }

    void clean()
    {
        for (column_t k = 0; k < width_; ++k) {
            for (column_t i = 0; i < k / 8 * 8; i += 8)
                line::store(at(i, k), line::all(line::zero()));
            for (column_t i = k / 8 * 8; i < k; ++i) line::put(at(i, k), line::zero());
            line::put(at(k, k), line::one());
        }
    }

    const symmetric_block& b_;
    const pivots_of<F> pivots_;
    const column_t width_;
    const index_t stride_;
    column_t replaced_ = 0;
};

template <class F>
column_t factor_symmetric(const symmetric_block& b)
{
    return symmetric_elimination<F>(b).run();
}

template <class F>
void times_pivots(const double* rows, column_t width, const pivot_numbers& numbers, index_t blocks,
                  double* products)
{
    using line = line_of<F>;
    constexpr index_t size = line::doubles;
    const pivots_of<F> pivots(numbers);
    for (column_t j = 0; j < width;) {
        const auto d1 = line::all(pivots.diagonal(j));
        const bool is_pair = pivots.is_pair(j);
        const auto d2 = line::all(is_pair ? pivots.diagonal(j + 1) : line::zero()),
                   beside = line::all(negative(pivots.beside(j)));
        for (index_t k = 0; k < blocks; ++k) {
            const index_t place = (k * width + j) * size;
            if (!is_pair) {
                line::store(products + place, line::load(rows + place) * d1);
                continue;
            }
            typename line::lanes u1, u2;
            times_pair(line::load(rows + place), line::load(rows + place + size), d1, beside, d2,
                       u1, u2);
            line::store(products + place, u1);
            line::store(products + place + size, u2);
        }
        j += is_pair ? 2 : 1;
    }
}

/// Rows below a diagonal block, row-block by row-block.
template <class F>
class symmetric_division {
    using line = line_of<F>;
    static constexpr index_t size = line::doubles;
    static constexpr int most_columns_at_once = line::columns;
    static constexpr column_t most_width = 128;

public:
    explicit symmetric_division(const symmetric_rows& r)
        : r_(r), pivots_(r.pivots), stride_(r.width * size)
    {
        times_pivots<F>(r.diagonal, r.width, r.pivots, row_blocks(r.width), r.scratch);
        for (column_t j = 0; j < r.width; ++j)
            if (pivots_.is_pair(j))
                pairs_[j].set(pivots_.diagonal(j), pivots_.beside(j), pivots_.diagonal(j + 1));
    }

    void run()
    {
        for (index_t k = 0; k < r_.blocks; ++k) {
            double* const x = r_.rows + k * stride_;
            if (r_.column) exchange_columns<F>(r_.width, r_.column, x);
            for (column_t j = 0, n; j < r_.width; j += n) {
                n = least(column_t{most_columns_at_once}, r_.width - j);
                // A pair stays together.
                if (pivots_.is_pair(j + n - 1)) n = n > 1 ? n - 1 : 2;
                divide_some(x, j, n);
            }
        }
    }

private:
    void divide_some(double* x, column_t j, column_t n)
    {
        constexpr int C = most_columns_at_once;
        if constexpr (C >= 8) {
            if (n == 8) return divide<8>(x, j);
            if (n == 7) return divide<7>(x, j);
            if (n == 6) return divide<6>(x, j);
            if (n == 5) return divide<5>(x, j);
        }
        if constexpr (C >= 4) {
            if (n == 4) return divide<4>(x, j);
            if (n == 3) return divide<3>(x, j);
        }
        return n == 2 ? divide<2>(x, j) : divide<1>(x, j);
    }
    /// Columns j to j + C: what X D L^T = X is once the columns before are known.
    template <int C>
    void divide(double* x, column_t j)
    {
        const double* b[C];  // the rows of L D
        for (int c = 0; c < C; ++c) b[c] = r_.scratch + (j + c) / 8 * stride_ + (j + c) % 8;
        typename line::lanes t[C];
        double* const own = x + j * size;
#pragma GCC unroll 8
        for (int c = 0; c < C; ++c) t[c] = line::load(own + c * size);
        for (index_t k = 0; k < j * size; k += size) {
            auto l = line::load(x + k);
            keep_in_register(l);
#pragma GCC unroll 8
            for (int c = 0; c < C; ++c) t[c] = fnma(l, line::all(line::get(b[c] + k)), t[c]);
        }
#pragma GCC unroll 8
        for (int c = 0; c < C; ++c) {
            const bool is_second = c > 0 && pivots_.is_pair(j + c - 1);
#pragma GCC unroll 8
            for (int q = 0; q < c; ++q)
                if (q < c - 1 || !is_second)
                    t[c] = fnma(t[q], line::all(line::get(b[c] + (j + q) * size)), t[c]);
            if (is_second)
                pairs_[j + c - 1].divide(t[c > 0 ? c - 1 : 0], t[c]);
            else if (!pivots_.is_pair(j + c))
                t[c] = t[c] / line::all(pivots_.diagonal(j + c));
        }
#pragma GCC unroll 8
        for (int c = 0; c < C; ++c) line::store(own + c * size, t[c]);
    }

    const symmetric_rows& r_;
    const pivots_of<F> pivots_;
    const index_t stride_;
    pair_divisor<F> pairs_[most_width];
};

template <class F>
void divide_symmetric(const symmetric_rows& r)
{
    symmetric_division<F>(r).run();
}

}  // namespace
}  // namespace ddla::factor
