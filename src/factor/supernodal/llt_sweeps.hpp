// Solves with L and L^T, supernode by supernode.  For the units kernels_*.cpp alone, see lines.hpp.
#pragma once

#include "tiles.hpp"

namespace ddla::factor {
namespace {

/// Numbers of factors in F as vectors in T take them.
template <class T, class F>
struct factor_line {
    using line = line_of<T>;
    static constexpr index_t doubles = line_of<F>::doubles;
    DDLA_INLINE static auto wide(eight a)
    {
        if constexpr (line::doubles == 8)
            return a;
        else
            return pair<eight>{a, factor::all(0)};
    }
    DDLA_INLINE static auto wide(double a)
    {
        if constexpr (line::doubles == 8)
            return a;
        else
            return pair<double>{a, 0};
    }
    DDLA_INLINE static pair<eight> wide(pair<eight> a) { return a; }
    DDLA_INLINE static pair<double> wide(pair<double> a) { return a; }

    DDLA_INLINE static auto load(const double* p) { return wide(line_of<F>::load(p)); }
    DDLA_INLINE static auto load(unsigned mask, const double* p)
    {
        return wide(line_of<F>::load(line_of<F>::all(line_of<F>::zero()), mask, p));
    }
    DDLA_INLINE static auto get(const double* p) { return wide(line_of<F>::get(p)); }
};

/// Lanes above row j of row-block k are left out.
DDLA_INLINE unsigned lanes_below(column_t j, column_t k)
{
    return 8 * k > j ? 0xffu : 0xfeu << (j - 8 * k) & 0xffu;
}

template <class T, class F>
class sweep {
    using line = line_of<T>;
    using factor = factor_line<T, F>;
    static constexpr index_t size = factor::doubles;
    static constexpr int most_blocks = 17;  ///< of the diagonal: panels have 128 columns at most

public:
    explicit sweep(const llt_sweep& s)
        : s_(s), own_blocks_(static_cast<column_t>(row_blocks(s.width))),
          blocks_(static_cast<column_t>(row_blocks(s.below)))
    {
    }

    /// y_i = (b_i - l_i0 y_0 - l_i1 y_1 …) / l_ii, pivots ascending.
    void forward()
    {
        load_own();
        for (column_t j = 0; j < s_.width; ++j) {
            double* const p = own(j / 8) + j % 8;
            const auto y = line::get(p) / factor::get(diagonal(j / 8, j) + j % 8);
            line::put(p, y);
            const auto all = line::all(y);
            for (column_t k = j / 8; k < own_blocks_; ++k) {
                const auto x = line::load(own(k));
                line::store(own(k), lanes_below(j, k), fnma(factor::load(diagonal(k, j)), all, x));
            }
        }
        store_own();
        column_t k = 0;
        for (; k + 4 <= blocks_; k += 4) forward_below<4>(k);
        for (; k < blocks_; ++k) forward_below<1>(k);
    }

    /// x_j = (y_j - sum_i l_ij x_i) / l_jj, the sum in eight parts, which are folded.
    void backward()
    {
        for (column_t j = 0; j < s_.width; ++j) line::store(sum(j), line::all(line::zero()));
        column_t k = 0;
        for (; k + 4 <= blocks_; k += 4) backward_below<4>(k);
        for (; k < blocks_; ++k) backward_below<1>(k);
        load_own();
        for (column_t j = s_.width - 1; j >= 0; --j) {
            auto part = line::load(sum(j));
            for (column_t b = j / 8; b < own_blocks_; ++b)
                part =
                    fnma(factor::load(lanes_below(j, b), diagonal(b, j)), line::load(own(b)), part);
            alignas(64) double parts[line::doubles];
            line::store(parts, part);
            double* const p = own(j / 8) + j % 8;
            line::put(p, (line::get(p) + folded(parts)) / factor::get(diagonal(j / 8, j) + j % 8));
        }
        store_own();
    }

private:
    const double* diagonal(column_t block, column_t k) const
    {
        return s_.diagonal + (block * index_t{s_.width} + k) * size;
    }
    double* own(column_t block) { return own_ + block * index_t{line::doubles}; }
    double* sum(column_t j) { return sums_ + j * index_t{line::doubles}; }

    DDLA_INLINE void get(index_t i, double* to) const
    {
        to[0] = s_.high[i];
        if constexpr (line::doubles == 16) to[8] = s_.low[i];
    }
    DDLA_INLINE void put(index_t i, const double* from) const
    {
        s_.high[i] = from[0];
        if constexpr (line::doubles == 16) s_.low[i] = from[8];
    }
    void load_own()
    {
        for (index_t i = 0; i < own_blocks_ * line::doubles; ++i) own_[i] = 0;
        for (column_t j = 0; j < s_.width; ++j) get(index_t{s_.first} + j, own(j / 8) + j % 8);
    }
    void store_own()
    {
        for (column_t j = 0; j < s_.width; ++j) put(index_t{s_.first} + j, own(j / 8) + j % 8);
    }
    /// The unknowns of row-block k; zeros behind the last.
    DDLA_INLINE void load_rows(column_t k, double* to) const
    {
        const int n = least(8, s_.below - 8 * k);
        for (int i = n; i < 8; ++i) line::put(to + i, line::zero());
        for (int i = 0; i < n; ++i) get(s_.row[8 * k + i], to + i);
    }

    template <int B>
    DDLA_INLINE void forward_below(column_t k)
    {
        alignas(64) double rows[B * line::doubles];
        typename line::lanes t[B];
        for (int b = 0; b < B; ++b) {
            load_rows(k + b, rows + b * line::doubles);
            t[b] = line::load(rows + b * line::doubles);
        }
        const index_t stride = s_.width * size;
        const double* l = s_.lower + k * stride;
        for (column_t j = 0; j < s_.width; ++j, l += size) {
            const auto y = line::all(line::get(own(j / 8) + j % 8));
#pragma GCC unroll 4
            for (int b = 0; b < B; ++b) t[b] = fnma(factor::load(l + b * stride), y, t[b]);
        }
        for (int b = 0; b < B; ++b) {
            line::store(rows + b * line::doubles, t[b]);
            const int n = least(8, s_.below - 8 * (k + b));
            for (int i = 0; i < n; ++i) put(s_.row[8 * (k + b) + i], rows + b * line::doubles + i);
        }
    }
    template <int B>
    DDLA_INLINE void backward_below(column_t k)
    {
        alignas(64) double rows[line::doubles];
        typename line::lanes x[B];
        for (int b = 0; b < B; ++b) {
            load_rows(k + b, rows);
            x[b] = line::load(rows);
        }
        const index_t stride = s_.width * size;
        const double* l = s_.lower + k * stride;
        for (column_t j = 0; j < s_.width; ++j, l += size) {
            auto part = line::load(sum(j));
#pragma GCC unroll 4
            for (int b = 0; b < B; ++b) part = fnma(factor::load(l + b * stride), x[b], part);
            line::store(sum(j), part);
        }
    }
    static auto folded(const double* p)
    {
        const auto two = [&](int i, int k) { return line::get(p + i) + line::get(p + k); };
        return (two(0, 4) + two(2, 6)) + (two(1, 5) + two(3, 7));
    }

    const llt_sweep& s_;
    const column_t own_blocks_, blocks_;
    alignas(64) double own_[most_blocks * line::doubles];
    alignas(64) double sums_[8 * (most_blocks - 1) * line::doubles];
};

template <class T, class F>
void forward(const llt_sweep& s)
{
    sweep<T, F>(s).forward();
}
template <class T, class F>
void backward(const llt_sweep& s)
{
    sweep<T, F>(s).backward();
}

}  // namespace
}  // namespace ddla::factor
