// L D L^T of diagonal blocks, and the rows below them.
//
// A block of threads has the lower triangle of a diagonal block in shared memory, by the rows as
// they were gathered: an exchange changes their places alone.  Which of two numbers comes first in
// an update depends on the places at that time, as on the host.
#pragma once

#include "square.cuh"

namespace ddla::device_backend {

__device__ __forceinline__ void put_number(double* const* word, index_t k, double x)
{
    word[0][k] = x;
}
__device__ __forceinline__ void put_number(double* const* word, index_t k, factor::pair<double> x)
{
    word[0][k] = x.hi;
    word[1][k] = x.lo;
}
inline constexpr int threads_of_symmetric = 256;

template <class F>
struct shared_symmetric {
    static constexpr int words = words_of<F>;
    /// Of the rows: numbers of L of the pivot, or of both of a pair, and the same times D.
    double l[2][words][most_panel], u[2][words][most_panel];
    double diagonal[words][most_panel], beside[words][most_panel];  ///< D
    int place[most_panel], row_at[most_panel];
    candidate best[2 * threads_of_symmetric / warp_size];
    int replaced;

    /// Of the triangle, which follows.
    DDLA_HD static constexpr int numbers(int width) { return width * (width + 1) / 2; }
    static constexpr std::size_t bytes(int width)
    {
        return sizeof(shared_symmetric) +
               static_cast<std::size_t>(words * numbers(width)) * sizeof(double);
    }
};

template <class F>
class symmetric_elimination {
    static constexpr int size = 8 * words_of<F>, threads = threads_of_symmetric;
    using number_t = number<F>;
    using shared_type = shared_symmetric<F>;

public:
    __device__ symmetric_elimination(shared_type& shared, double* lower, double* products,
                                     int width, const factor::pivot_rule& rule)
        : shared_(shared), triangle_(reinterpret_cast<double*>(&shared + 1)), lower_(lower),
          products_(products), width_(width), numbers_(shared_type::numbers(width)), rule_(rule),
          row_(static_cast<int>(threadIdx.x % most_panel)),
          half_(static_cast<int>(threadIdx.x / most_panel))
    {
    }

    /// Whether all pivots are finite.
    __device__ bool run()
    {
        load();
        for (int k = 0; k < width_;) {
            const int rows = choose(k);
            if (rows == 0) return false;
            if (rows == 1)
                eliminate(k);
            else
                eliminate_pair(k);
            k += rows;
        }
        store();
        return true;
    }
    /// Once it has run: D, the row of each pivot, whether one was moved.
    __device__ void put_pivots(const pivot_values& d, const pivot_lists& pivots, column_t first,
                               unsigned char* moved) const
    {
        if (half_ > 0 || row_ >= width_) return;
        put_number(d.diagonal, first + row_, diagonal(row_));
        put_number(d.beside, first + row_, beside(row_));
        pivots.row[first + row_] = shared_.row_at[row_];
        if (shared_.row_at[row_] != row_) *moved = 1;
    }
    __device__ int replaced() const { return shared_.replaced; }

private:
    __device__ double* at(int i, int j)
    {
        return triangle_ + (i < j ? j * (j + 1) / 2 + i : i * (i + 1) / 2 + j);
    }
    __device__ number_t entry(int i, int j) { return get<F>(at(i, j), numbers_); }
    __device__ double magnitude(int i, int j) { return factor::absolute(*at(i, j)); }
    __device__ number_t diagonal(int k) const
    {
        return get<F>(&shared_.diagonal[0][k], most_panel);
    }
    __device__ number_t beside(int k) const { return get<F>(&shared_.beside[0][k], most_panel); }
    __device__ static bool is_finite(double x) { return x <= 0x1.fffffffffffffp1023; }
    __device__ bool has_row() const { return row_ < width_; }

    __device__ void load()
    {
        if (has_row())
            for (int j = half_; j <= row_; j += 2)
                copy_number_async<F>(at(row_, j), numbers_,
                                     lower_ + (row_ / 8 * index_t{width_} + j) * size + row_ % 8);
        wait_for_copies();
        if (half_ == 0) shared_.place[row_] = shared_.row_at[row_] = row_;
        if (threadIdx.x == 0) shared_.replaced = 0;
        __syncthreads();
    }

    /// How many rows the pivot has that is now at place k; 0: it is not finite.
    __device__ int choose(int k)
    {
        constexpr double alpha = 0.6403882032022076;  // (1 + sqrt(17)) / 8
        const int p = shared_.row_at[k];
        const double own = magnitude(p, p);
        const candidate best = largest_of(k + 1, -1, p);
        const double largest = best.size > 0 ? best.size : 0;
        if (!(is_finite(own) && is_finite(largest))) return 0;
        if (!((own < largest ? largest : own) > rule_.negligible)) {
            replace(p);
            return 1;
        }
        if (own >= alpha * largest) return 1;
        const int r = shared_.row_at[best.place];
        const candidate other = largest_of(k, r, r);
        const double beside = other.size > 0 ? other.size : 0;
        if (own / largest * beside >= alpha * largest) return 1;
        const bool is_single = magnitude(r, r) >= alpha * beside;
        exchange(is_single ? k : k + 1, best.place);
        return is_single ? 1 : 2;
    }
    /// Of the entries beside row p, in rows from place k on but for one: all threads get it.
    __device__ candidate largest_of(int k, int but_for, int p)
    {
        candidate mine{-1.0, most_panel};
        if (half_ == 0 && has_row() && row_ != but_for && shared_.place[row_] >= k) {
            const double m = magnitude(row_, p);
            if (m == m) mine = {m, shared_.place[row_]};
        }
        return best_of_block<threads>(mine, shared_.best, turn_++);
    }
    __device__ void replace(int p)
    {
        if (threadIdx.x == 0) {
            put(at(p, p), numbers_, factor::with_sign_of(entry(p, p), rule_.instead));
            ++shared_.replaced;
        }
        __syncthreads();
    }
    __device__ void exchange(int k, int other)
    {
        __syncthreads();
        if (threadIdx.x == 0 && k != other) {
            const int a = shared_.row_at[k], b = shared_.row_at[other];
            shared_.row_at[k] = b;
            shared_.row_at[other] = a;
            shared_.place[b] = k;
            shared_.place[a] = other;
        }
        __syncthreads();
    }

    __device__ void put_pivot(int k, number_t d, number_t b)
    {
        if (threadIdx.x > 0) return;
        put(&shared_.diagonal[0][k], most_panel, d);
        put(&shared_.beside[0][k], most_panel, b);
    }
    /// Numbers of L and L D of this thread's row, of the first or second of a pair.
    __device__ void share(int which, number_t l, number_t u)
    {
        put(&shared_.l[which][0][row_], most_panel, l);
        put(&shared_.u[which][0][row_], most_panel, u);
    }
    __device__ void eliminate(int k)
    {
        const int p = shared_.row_at[k];
        const number_t d = entry(p, p);
        put_pivot(k, d, zero<F>());
        if (half_ == 0 && has_row() && shared_.place[row_] > k) {
            const number_t l = entry(row_, p) / d;
            put(at(row_, p), numbers_, l);
            share(0, l, l * d);
        }
        __syncthreads();
        each_entry(k, [&](number_t x, int larger, int smaller) {
            return subtracted(0, x, larger, smaller);
        });
        __syncthreads();
    }
    __device__ void eliminate_pair(int k)
    {
        const int p = shared_.row_at[k], q = shared_.row_at[k + 1];
        const number_t d1 = entry(p, p), b = entry(q, p), d2 = entry(q, q);
        put_pivot(k, d1, b);
        put_pivot(k + 1, d2, zero<F>());
        __syncthreads();
        if (threadIdx.x == 0) put(at(q, p), numbers_, zero<F>());
        if (half_ == 0 && has_row() && shared_.place[row_] > k + 1) {
            number_t divide_p, divide_q, divide_s, u1, u2;
            factor::divisor_of_pair(d1, b, d2, one<F>(), divide_p, divide_q, divide_s);
            number_t l1 = entry(row_, p), l2 = entry(row_, q);
            factor::divide_by_pair(divide_p, divide_q, divide_s, l1, l2);
            put(at(row_, p), numbers_, l1);
            put(at(row_, q), numbers_, l2);
            factor::times_pair(l1, l2, d1, factor::negative(b), d2, u1, u2);
            share(0, l1, u1);
            share(1, l2, u2);
        }
        __syncthreads();
        each_entry(k + 1, [&](number_t x, int larger, int smaller) {
            return subtracted(1, subtracted(0, x, larger, smaller), larger, smaller);
        });
        __syncthreads();
    }
    __device__ number_t subtracted(int which, number_t x, int larger, int smaller)
    {
        return factor::fnma(get<F>(&shared_.l[which][0][larger], most_panel),
                            get<F>(&shared_.u[which][0][smaller], most_panel), x);
    }
    /// x = f(x, row of the larger place, row of the smaller one), for rows behind place k.
    template <class Do>
    __device__ void each_entry(int k, const Do& f)
    {
        if (!has_row()) return;
        const int mine = shared_.place[row_];
        if (mine <= k) return;
        for (int j = half_; j <= row_; j += 2) {
            const int its = shared_.place[j];
            if (its <= k) continue;
            put(at(row_, j), numbers_,
                mine >= its ? f(entry(row_, j), row_, j) : f(entry(row_, j), j, row_));
        }
    }

    /// L in the order of pivots, its diagonal 1, and L D below its diagonal.
    __device__ void store()
    {
        if (!has_row() || half_ > 0) return;
        const int i = row_, row = shared_.row_at[i];
        const index_t line = i / 8 * index_t{width_} * size + i % 8;
        for (int k = 0; k < width_; ++k)
            put(lower_ + line + k * size, k < i    ? entry(row, shared_.row_at[k])
                                          : k == i ? one<F>()
                                                   : zero<F>());
        for (int k = 0; k < i; ++k) {
            const number_t l = entry(row, shared_.row_at[k]);
            double* const u = products_ + line + k * size;
            if (shared_.beside[0][k] == 0) {
                put(u, l * diagonal(k));
                continue;
            }
            number_t u1, u2;
            const number_t second = k + 1 < i ? entry(row, shared_.row_at[k + 1]) : one<F>();
            factor::times_pair(l, second, diagonal(k), factor::negative(beside(k)), diagonal(k + 1),
                               u1, u2);
            put(u, u1);
            if (++k < i) put(products_ + line + k * size, u2);
        }
    }

    shared_type& shared_;
    double *const triangle_, *const lower_, *const products_;
    const int width_, numbers_;
    const factor::pivot_rule rule_;
    const int row_, half_;
    int turn_ = 0;
};

/// L and D of diagonal blocks, a block of threads each; products: L D.
template <class F>
__global__ void __launch_bounds__(threads_of_symmetric)
    factor_symmetrics(supernode_lists s, double* lower, double* products, const column_t* which,
                      factor::pivot_rule rule, pivot_values d, pivot_lists pivots,
                      pivot_notes* notes)
{
    extern __shared__ __align__(16) double shared[];
    const supernode_place q(s, which[blockIdx.x]);
    symmetric_elimination<F> block(*reinterpret_cast<shared_symmetric<F>*>(shared),
                                   lower + q.value_begin, products + q.value_begin, q.width, rule);
    if (!block.run()) {
        if (threadIdx.x == 0) atomicMin(&notes->failed, q.first);
        return;
    }
    block.put_pivots(d, pivots, q.first, pivots.moved + which[blockIdx.x]);
    if (threadIdx.x == 0 && block.replaced() > 0) atomicAdd(&notes->replaced, block.replaced());
}

/// D of some columns, and what divides by pairs of them.
template <class F>
struct shared_pivots {
    static constexpr int S = columns_at_once<F>;
    double diagonal[words_of<F>][S + 1], beside[words_of<F>][S + 1];
    double divisor[3][words_of<F>][S];
};

/// X of X D L^T = rows, in their place, and X D.
template <class F>
class symmetric_division {
    static constexpr int S = columns_at_once<F>, size = 8 * words_of<F>;
    using number_t = number<F>;

public:
    __device__ symmetric_division(shared_panel<F>& panel, shared_pivots<F>& pivots, double* rows,
                                  double* products, const double* diagonal, const pivot_values& d,
                                  column_t first, int width)
        : pivots_(pivots), products_(products), d_(d), first_(first), width_(width),
          own_(panel, rows, diagonal, width), panel_(panel)
    {
    }

    __device__ void run(bool is_active)
    {
        for (int j = 0, n; j < width_; j += n) {
            n = lesser(S, width_ - j);
            if (is_pair(j + n - 1)) --n;  // a pair stays together
            share_pivots(j, n);
            own_.load(j, is_active, n);
            own_.share_triangle(j);
            own_.take_pivots_before(j, is_active);
            __syncthreads();
            if (is_active) {
                divide(n);
                own_.store(j, n);
                put_products(j, n);
            }
            __syncthreads();
        }
    }

private:
    __device__ bool is_pair(int k) const { return d_.beside[0][first_ + k] != 0; }
    __device__ number_t diagonal(int c) const { return get<F>(&pivots_.diagonal[0][c], S + 1); }
    __device__ number_t beside(int c) const { return get<F>(&pivots_.beside[0][c], S + 1); }
    __device__ bool starts_pair(int c) const { return pivots_.beside[0][c] != 0; }
    __device__ number_t divisor(int which, int c) const
    {
        return get<F>(&pivots_.divisor[which][0][c], S);
    }

    __device__ void share_pivots(int j, int n)
    {
        for (int c = threadIdx.x; c < n; c += threads_of_rows) {
            const number_t d = number_in<F>(d_.diagonal, first_ + j + c),
                           b = number_in<F>(d_.beside, first_ + j + c);
            put(&pivots_.diagonal[0][c], S + 1, d);
            put(&pivots_.beside[0][c], S + 1, b);
            if (!is_pair(j + c)) continue;
            number_t p, q, s;
            factor::divisor_of_pair(d, b, number_in<F>(d_.diagonal, first_ + j + c + 1), one<F>(),
                                    p, q, s);
            put(&pivots_.divisor[0][0][c], S, p);
            put(&pivots_.divisor[1][0][c], S, q);
            put(&pivots_.divisor[2][0][c], S, s);
        }
    }
    __device__ void divide(int n)
    {
        bool is_second = false;
#pragma unroll
        for (int c = 0; c < S; ++c) {
            if (c >= n) break;
            if (is_second) {
                is_second = false;
                subtract(c - 1, c + 1);
                subtract(c, c + 1);
            } else if (starts_pair(c)) {
                is_second = true;
                if (c + 1 < S)
                    factor::divide_by_pair(divisor(0, c), divisor(1, c), divisor(2, c), own_.at(c),
                                           own_.at(c + 1 < S ? c + 1 : c));
            } else {
                own_.at(c) = own_.at(c) / diagonal(c);
                subtract(c, c + 1);
            }
        }
    }
    /// Column c times the pivots' numbers, from the columns from `from` on.
    __device__ __forceinline__ void subtract(int c, int from)
    {
#pragma unroll
        for (int m = from; m < S; ++m)
            own_.at(m) =
                factor::fnma(own_.at(c), get<F>(&panel_.triangle[0][c][m], S * S), own_.at(m));
    }
    __device__ void put_products(int j, int n)
    {
        bool is_second = false;
#pragma unroll
        for (int c = 0; c < S; ++c) {
            if (c >= n) break;
            double* const p = products_ + (j + c) * size;
            if (is_second) {
                is_second = false;
            } else if (starts_pair(c)) {
                is_second = true;
                number_t u1, u2;
                factor::times_pair(own_.at(c), own_.at(c + 1 < S ? c + 1 : c), diagonal(c),
                                   factor::negative(beside(c)), diagonal(c + 1), u1, u2);
                put(p, u1);
                put(p + size, u2);
            } else {
                put(p, own_.at(c) * diagonal(c));
            }
        }
    }

    shared_pivots<F>& pivots_;
    double* const products_;
    const pivot_values& d_;
    const column_t first_;
    const int width_;
    panel_row<F, threads_of_rows> own_;
    shared_panel<F>& panel_;
};

/// products: values of L D.
template <class F>
__global__ void __launch_bounds__(threads_of_rows)
    divide_symmetric_rows(division d, double* products, pivot_values pivots,
                          const factor::rows_task* tasks, const column_t* failed)
{
    constexpr int size = 8 * words_of<F>;
    __shared__ shared_panel<F> panel;
    __shared__ shared_pivots<F> of_columns;
    const factor::rows_task task = tasks[blockIdx.x];
    const supernode_place q(d.s, task.supernode);
    if (*failed < q.first + q.width) return;
    const column_t row = task.block * 8 + static_cast<int>(threadIdx.x);
    const index_t below = q.value_begin + q.own_blocks() * index_t{q.width} * size,
                  own = below + row / 8 * index_t{q.width} * size + row % 8;
    if (d.pivots.moved[task.supernode])
        exchange_columns<F>(d.rows + below, q, task.block, d.pivots.row + q.first);
    symmetric_division<F>(panel, of_columns, d.rows + own, products + own, products + q.value_begin,
                          pivots, q.first, q.width)
        .run(row < q.below);
}

}  // namespace ddla::device_backend
