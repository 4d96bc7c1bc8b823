// Solves with L and L^T for four systems at a time: each has the operations of llt_sweeps.hpp, in
// their order, so also its bits.  A vector holds one unknown of all systems, and a number of L is
// read once for all of them.  For the units kernels_*.cpp alone, see lines.hpp.
#pragma once

#include "fours.hpp"
#include "tiles.hpp"

namespace ddla::factor {
namespace {

template <class T, class F>
class system_sweep {
    using systems = systems_of<T>;
    using lanes = typename systems::lanes;
    static constexpr index_t size = line_of<F>::doubles;
    static constexpr index_t doubles = systems::doubles;
    static constexpr int most_columns_of_panel = 128;
    static constexpr int rows_at_once = 32;

public:
    explicit system_sweep(const llt_sweep& s) : s_(s) {}

    void forward(column_t q)
    {
        set(q);
        if (s_.divides)
            for (column_t k = 0; k < row_blocks(width_); ++k) forward_own(k);
        const updated_rows rows(s_, row_, below_);
        for (column_t k = rows.first_block(); k < rows.end_block(); ++k)
            forward_below(k, rows.lanes(k));
    }
    void backward(column_t q)
    {
        set(q);
        if (s_.sums) return s_.columns_begin < s_.columns_end ? make_sums() : take_sums();
        width_ == 1 ? backward_column() : backward_block();
    }

private:
    void set(column_t q)
    {
        first_ = s_.first[q];
        width_ = s_.first[q + 1] - first_;
        below_ = static_cast<column_t>(s_.row_begin[q + 1] - s_.row_begin[q]);
        row_ = s_.row + s_.row_begin[q];
        own_ = unknown(first_);
        diagonal_ = s_.value + s_.begin[q];
        lower_ = diagonal_ + width_ * size * row_blocks(width_);
    }
    DDLA_INLINE double* unknown(index_t i) const { return s_.high + i * doubles; }
    DDLA_INLINE static lanes number(const double* l) { return systems::all(line_of<F>::get(l)); }

    /// Eight rows by the pivots before them.
    DDLA_INLINE void subtract(const double* l, column_t pivots, lanes* t) const
    {
        const double* y = own_;
        for (column_t j = 0; j < pivots; ++j, l += size, y += doubles) {
            const lanes of_pivot = systems::load(y);
#pragma GCC unroll 8
            for (int m = 0; m < 8; ++m) t[m] = fnma(number(l + m), of_pivot, t[m]);
        }
    }
    DDLA_INLINE void forward_own(column_t k)
    {
        const int n = least(8, width_ - 8 * k);
        double* const y = own_ + 8 * k * doubles;
        const double* l = diagonal_ + k * width_ * size;
        lanes t[8];
#pragma GCC unroll 8
        for (int m = 0; m < 8; ++m) t[m] = m < n ? systems::load(y + m * doubles) : systems::all(0);
        subtract(l, 8 * k, t);
        l += 8 * k * size;
#pragma GCC unroll 8
        for (int j = 0; j < 8; ++j, l += size) {
            if (j >= n) break;
            t[j] = t[j] / number(l + j);
            systems::put(y + j * doubles, t[j]);
#pragma GCC unroll 8
            for (int m = j + 1; m < 8; ++m) t[m] = fnma(number(l + m), t[j], t[m]);
        }
    }
    DDLA_INLINE void forward_below(column_t k, lane_range n)
    {
        const column_t* const row = row_ + 8 * k;
        lanes t[8];
#pragma GCC unroll 8
        for (int m = 0; m < 8; ++m)
            t[m] = n.has(m) ? systems::load(unknown(row[m])) : systems::all(0);
        subtract(lower_ + k * width_ * size, width_, t);
#pragma GCC unroll 8
        for (int m = 0; m < 8; ++m)
            if (n.has(m)) systems::put(unknown(row[m]), t[m]);
    }

    void backward_column()
    {
        lanes part[8];
        for (lanes& p : part) p = systems::all(0);
        for (column_t i = 0; i < below_; ++i)
            part[i % 8] = fnma(number(lower_ + i / 8 * size + i % 8),
                               systems::load(unknown(row_[i])), part[i % 8]);
        systems::put(own_, (systems::load(own_) + folded(part)) / number(diagonal_));
    }
    void backward_block()
    {
        if (below_ <= rows_at_once) {
            load_below(0);
            return backward_own<true>();
        }
        sum_below(0, width_);
        backward_own<false>();
    }
    /// The sums of columns begin, …, end - 1 over the rows below, of which there are some.
    void sum_below(column_t begin, column_t end)
    {
        column_t k = 0;
        do {
            backward_below(k, begin, end);
            k += rows_at_once / 8;
        } while (8 * k < below_);
    }
    void make_sums()
    {
        at_ = s_.sums;
        sum_below(s_.columns_begin, s_.columns_end);
    }
    void take_sums()
    {
        at_ = s_.sums;
        backward_own<false>();
    }
    /// With the sums over the rows below, which are loaded if they are few, or in memory.
    template <bool Few>
    void backward_own()
    {
        load_own();
        for (auto k = static_cast<column_t>(row_blocks(width_)); k-- > 0;) {
            lanes own[8];
#pragma GCC unroll 8
            for (int m = 0; m < 8; ++m) own[m] = systems::load(rows_ + (8 * k + m) * doubles);
#pragma GCC unroll 8
            for (int j = 7; j >= 0; --j)
                if (8 * k + j < width_) backward_column<Few>(k, j, own);
        }
    }
    /// Column j of row-block k, whose unknowns after j are solved.  Those before count as zeros of
    /// L, as for one system.
    template <bool Few>
    DDLA_INLINE void backward_column(column_t k, int j, lanes* own)
    {
        const column_t i = 8 * k + j;
        lanes part[8];
#pragma GCC unroll 8
        for (int m = 0; m < 8; ++m)
            part[m] = Few ? systems::all(0) : systems::load(sum(i) + m * doubles);
        if constexpr (Few)
            for (column_t b = 0; 8 * b < below_; ++b)
                subtract_products(lower_ + (b * index_t{width_} + i) * size,
                                  below_rows_ + 8 * b * doubles, part);
        const double* const l = diagonal(k, i);
#pragma GCC unroll 8
        for (int m = 0; m < 8; ++m)
            part[m] = fnma(m > j ? number(l + m) : systems::all(0), own[m], part[m]);
        for (column_t b = k + 1; b < row_blocks(width_); ++b)
            subtract_products(diagonal(b, i), rows_ + 8 * b * doubles, part);
        own[j] = (own[j] + folded(part)) / number(l + j);
        systems::put(rows_ + i * doubles, own[j]);
        systems::put(own_ + i * doubles, own[j]);
    }
    const double* diagonal(column_t block, column_t k) const
    {
        return diagonal_ + (block * index_t{width_} + k) * size;
    }
    double* sum(column_t j)
    {
        return at_ + 8 * j * doubles;
    }

    /// The unknowns of some row-blocks; returns how many.
    DDLA_INLINE int load_below(column_t k)
    {
        const int n = least(rows_at_once, below_ - 8 * k);
        const int blocks = static_cast<int>(row_blocks(n));
        for (int i = 0; i < n; ++i)
            systems::put(below_rows_ + i * doubles, systems::load(unknown(row_[8 * k + i])));
        for (int i = n; i < 8 * blocks; ++i)
            systems::put(below_rows_ + i * doubles, systems::all(0));
        return blocks;
    }
    /// The sums over these, from zero on where they are the first.
    DDLA_INLINE void backward_below(column_t k, column_t begin, column_t end)
    {
        const int blocks = load_below(k);
        const double* l = lower_ + k * width_ * size + begin * size;
        for (column_t j = begin; j < end; ++j, l += size) {
            lanes part[8];
#pragma GCC unroll 8
            for (int m = 0; m < 8; ++m)
                part[m] = k == 0 ? systems::all(0) : systems::load(sum(j) + m * doubles);
            for (int b = 0; b < blocks; ++b) {
                if (8 * (k + b) + rows_at_once < below_)
                    __builtin_prefetch(l + (b + rows_at_once / 8) * width_ * size);
                subtract_products(l + b * width_ * size, below_rows_ + 8 * b * doubles, part);
            }
#pragma GCC unroll 8
            for (int m = 0; m < 8; ++m) systems::put(sum(j) + m * doubles, part[m]);
        }
    }
    DDLA_INLINE static void subtract_products(const double* l, const double* x, lanes* part)
    {
#pragma GCC unroll 8
        for (int m = 0; m < 8; ++m)
            part[m] = fnma(number(l + m), systems::load(x + m * doubles), part[m]);
    }
    void load_own()
    {
        const auto end = static_cast<int>(8 * row_blocks(width_));
        for (int i = 0; i < width_; ++i)
            systems::put(rows_ + i * doubles, systems::load(own_ + i * doubles));
        for (int i = width_; i < end; ++i) systems::put(rows_ + i * doubles, systems::all(0));
    }
    DDLA_INLINE static lanes folded(const lanes* p)
    {
        return ((p[0] + p[4]) + (p[2] + p[6])) + ((p[1] + p[5]) + (p[3] + p[7]));
    }

    const llt_sweep& s_;
    column_t first_ = 0, width_ = 0, below_ = 0;
    const column_t* row_ = nullptr;
    double* own_ = nullptr;
    const double *diagonal_ = nullptr, *lower_ = nullptr;
    alignas(64) double rows_[(most_columns_of_panel + 8) * doubles];  ///< of the supernode
    alignas(64) double below_rows_[rows_at_once * doubles];
    alignas(64) double sums_[8 * most_columns_of_panel * doubles];
    double* at_ = sums_;
};

template <class T, class F>
void forward_systems(const llt_sweep& s, column_t from, column_t to)
{
    system_sweep<T, F> one(s);
    for (column_t q = from; q < to; ++q) one.forward(q);
}
template <class T, class F>
void backward_systems(const llt_sweep& s, column_t from, column_t to)
{
    system_sweep<T, F> one(s);
    for (column_t q = to; q-- > from;) one.backward(q);
}

}  // namespace
}  // namespace ddla::factor
