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
    static constexpr int in_memory = -1;
    static constexpr int most_blocks = 17;  ///< of the diagonal: panels have 128 columns at most

public:
    explicit sweep(const llt_sweep& s) : s_(s) {}

    void forward(column_t q)
    {
        set(q);
        width_ == 1 ? forward_column() : forward_block();
    }
    void backward(column_t q)
    {
        set(q);
        if (s_.sums) return s_.columns_begin < s_.columns_end ? make_sums() : take_sums();
        width_ == 1 ? backward_column() : backward_block();
    }

private:
    using number = typename line::number;

    void set(column_t q)
    {
        first_ = s_.first[q];
        width_ = s_.first[q + 1] - first_;
        below_ = static_cast<column_t>(s_.row_begin[q + 1] - s_.row_begin[q]);
        row_ = s_.row + s_.row_begin[q];
        own_blocks_ = static_cast<column_t>(row_blocks(width_));
        blocks_ = static_cast<column_t>(row_blocks(below_));
        diagonal_ = s_.value + s_.begin[q];
        lower_ = diagonal_ + width_ * size * own_blocks_;
    }

    // A column by itself, number by number.
    const double* entry(column_t i) const { return lower_ + i / 8 * size + i % 8; }
    void forward_column()
    {
        if (s_.divides) put(first_, get(first_) / factor::get(diagonal_));
        const number y = get(first_);
        const updated_rows rows(s_, row_, below_);
        for (column_t i = rows.begin(); i < rows.end(); ++i)
            put(row_[i], fnma(factor::get(entry(i)), y, get(row_[i])));
    }
    void backward_column()
    {
        number sum = line::zero();
        if (below_ > 0) {
            alignas(64) double parts[line::doubles] = {};
            for (column_t i = 0; i < below_; ++i) {
                double* const p = parts + i % 8;
                line::put(p, fnma(factor::get(entry(i)), get(row_[i]), line::get(p)));
            }
            sum = folded(parts);
        }
        put(first_, (get(first_) + sum) / factor::get(diagonal_));
    }

    /// y_i = (b_i - l_i0 y_0 - l_i1 y_1 …) / l_ii, pivots ascending.
    void forward_block()
    {
        load_own();
        if (s_.divides) forward_own();
        const updated_rows rows(s_, row_, below_);
        column_t k = rows.first_block();
        for (; k + 4 <= rows.end_block(); k += 4) forward_below<4>(k, rows);
        for (; k < rows.end_block(); ++k) forward_below<1>(k, rows);
    }
    void forward_own()
    {
        for (column_t k = 0; k < own_blocks_; ++k) {
            auto t = line::load(own(k));
            const double* l = diagonal(k, 0);
            for (column_t j = 0; j < 8 * k; ++j, l += size)
                t = fnma(factor::load(l), line::all(line::get(own(j / 8) + j % 8)), t);
            line::store(own(k), t);
            divide_own(k, l);
        }
    }
    /// The triangle of row-block k, number by number: a line would wait for each of its numbers.
    DDLA_INLINE void divide_own(column_t k, const double* l)
    {
        const int n = least(8, width_ - 8 * k);
        double* const y = own(k);
        number t[8];
#pragma GCC unroll 8
        for (int m = 0; m < 8; ++m) t[m] = line::get(y + m);
#pragma GCC unroll 8
        for (int j = 0; j < 8; ++j, l += size) {
            if (j >= n) break;
            t[j] = t[j] / factor::get(l + j);
            line::put(y + j, t[j]);
            put(index_t{first_} + 8 * k + j, t[j]);
#pragma GCC unroll 8
            for (int m = j + 1; m < 8; ++m) t[m] = fnma(factor::get(l + m), t[j], t[m]);
        }
    }

    /// x_j = (y_j - sum_i l_ij x_i) / l_jj, the sum in eight parts, which are folded.
    void backward_block()
    {
        load_own();
        switch (blocks_) {
        case 0:
            return backward_own<0>();
        case 1:
            return backward_own<1>();
        case 2:
            return backward_own<2>();
        case 3:
            return backward_own<3>();
        case 4:
            return backward_own<4>();
        default:
            break;
        }
        sum_below(0, width_);
        backward_own<in_memory>();
    }
    /// The sums of columns begin, …, end - 1 over the rows below.
    void sum_below(column_t begin, column_t end)
    {
        for (column_t j = begin; j < end; ++j) line::store(sum(j), line::all(line::zero()));
        column_t k = 0;
        for (; k + 4 <= blocks_; k += 4) backward_below<4>(k, begin, end);
        for (; k < blocks_; ++k) backward_below<1>(k, begin, end);
    }
    void make_sums()
    {
        at_ = s_.sums;
        sum_below(s_.columns_begin, s_.columns_end);
    }
    void take_sums()
    {
        at_ = s_.sums;
        load_own();
        backward_own<in_memory>();
    }
    /// With the sums over B row-blocks below, or those that are in memory.
    template <int B>
    void backward_own()
    {
        typename line::lanes x[B > 0 ? B : 1];
        for (int b = 0; b < B; ++b) x[b] = load_rows(b, {0, least(8, below_ - 8 * b)});
        for (column_t k = own_blocks_; k-- > 0;) {
            auto solved = line::load(own(k));  // a line would wait for numbers put into memory
            for (column_t j = least(8 * k + 8, width_) - 1; j >= 8 * k; --j) {
                auto part = line::all(line::zero());
                if constexpr (B == in_memory) part = line::load(sum(j));
                const double* l = lower_ + j * size;
#pragma GCC unroll 4
                for (int b = 0; b < B; ++b)
                    part = fnma(factor::load(l + b * index_t{width_} * size), x[b], part);
                part = fnma(factor::load(lanes_below(j, k), diagonal(k, j)), solved, part);
                for (column_t b = k + 1; b < own_blocks_; ++b)
                    part = fnma(factor::load(diagonal(b, j)), line::load(own(b)), part);
                alignas(64) double parts[line::doubles];
                line::store(parts, part);
                const auto y = (line::get(own(k) + j % 8) + folded(parts)) /
                               factor::get(diagonal(k, j) + j % 8);
                solved = line::with(solved, j % 8, y);
                put(index_t{first_} + j, y);
            }
            line::store(own(k), solved);
        }
    }

    const double* diagonal(column_t block, column_t k) const
    {
        return diagonal_ + (block * index_t{width_} + k) * size;
    }
    double* own(column_t block)
    {
        return own_ + block * index_t{line::doubles};
    }
    double* sum(column_t j)
    {
        return at_ + j * index_t{line::doubles};
    }

    DDLA_INLINE number get(index_t i) const
    {
        if constexpr (line::doubles == 16)
            return {s_.high[i], s_.low[i]};
        else
            return s_.high[i];
    }
    DDLA_INLINE void put(index_t i, number x) const
    {
        if constexpr (line::doubles == 16) {
            s_.high[i] = x.hi;
            s_.low[i] = x.lo;
        } else {
            s_.high[i] = x;
        }
    }
    void load_own()
    {
        for (index_t i = 0; i < own_blocks_ * line::doubles; ++i) own_[i] = 0;
        for (column_t j = 0; j < width_; ++j)
            line::put(own(j / 8) + j % 8, get(index_t{first_} + j));
    }
    /// The unknowns of row-block k; zeros in other lanes.
    DDLA_INLINE typename line::lanes load_rows(column_t k, lane_range n) const
    {
        if (n.begin == 0 && n.end == 8) return line::gathered(s_.high, s_.low, row_ + 8 * k);
        alignas(64) double rows[line::doubles];
        for (int i = 0; i < n.begin; ++i) line::put(rows + i, line::zero());
        for (int i = n.begin; i < n.end; ++i) line::put(rows + i, get(row_[8 * k + i]));
        for (int i = n.end; i < 8; ++i) line::put(rows + i, line::zero());
        return line::load(rows);
    }

    template <int B>
    DDLA_INLINE void forward_below(column_t k, const updated_rows& updated)
    {
        typename line::lanes t[B];
        for (int b = 0; b < B; ++b) t[b] = load_rows(k + b, updated.lanes(k + b));
        const index_t stride = width_ * size;
        const double* l = lower_ + k * stride;
        for (column_t j = 0; j < width_; ++j, l += size) {
            const auto y = line::all(line::get(own(j / 8) + j % 8));
#pragma GCC unroll 4
            for (int b = 0; b < B; ++b) t[b] = fnma(factor::load(l + b * stride), y, t[b]);
        }
        for (int b = 0; b < B; ++b) {
            alignas(64) double rows[line::doubles];
            line::store(rows, t[b]);
            const lane_range n = updated.lanes(k + b);
            for (int i = n.begin; i < n.end; ++i) put(row_[8 * (k + b) + i], line::get(rows + i));
        }
    }
    template <int B>
    DDLA_INLINE void backward_below(column_t k, column_t begin, column_t end)
    {
        typename line::lanes x[B];
        for (int b = 0; b < B; ++b) x[b] = load_rows(k + b, {0, least(8, below_ - 8 * (k + b))});
        const index_t stride = width_ * size;
        const double* l = lower_ + k * stride + begin * size;
        for (column_t j = begin; j < end; ++j, l += size) {
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
    column_t first_ = 0, width_ = 0, below_ = 0;
    const column_t* row_ = nullptr;
    column_t own_blocks_ = 0, blocks_ = 0;
    const double *diagonal_ = nullptr, *lower_ = nullptr;
    alignas(64) double own_[most_blocks * line::doubles];
    alignas(64) double sums_[8 * (most_blocks - 1) * line::doubles];
    double* at_ = sums_;
};

template <class T, class F>
void forward(const llt_sweep& s, column_t from, column_t to)
{
    sweep<T, F> one(s);
    for (column_t q = from; q < to; ++q) one.forward(q);
}
template <class T, class F>
void backward(const llt_sweep& s, column_t from, column_t to)
{
    sweep<T, F> one(s);
    for (column_t q = to; q-- > from;) one.backward(q);
}

}  // namespace
}  // namespace ddla::factor
