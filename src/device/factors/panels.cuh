// Diagonal blocks of L L^T, and the rows below them: a thread has a row, of which it holds some
// columns in registers.
//
// An entry takes the pivots before those columns in ascending order, then those among them: the
// chain of factor/supernodal/kernels.
#pragma once

#include "numbers.cuh"

#include "device/core/async_copy.cuh"
#include "factor/fronts/front_tasks.hpp"

namespace ddla::device_backend {

inline constexpr int most_panel = factor::most_panel_columns;
template <class F>
inline constexpr int columns_at_once = words_of<F> == 1 ? 32 : 16;
inline constexpr int pivots_at_once = 16;

/// Into shared memory, words `stride` apart: so several loads are under way at a time.
template <class F>
__device__ __forceinline__ void copy_number_async(double* to, int stride, const double* from)
{
#pragma unroll
    for (int w = 0; w < words_of<F>; ++w) copy_object_async(to + w * stride, from + 8 * w);
}

/// Entries of L that all threads of a block use.
template <class F>
struct shared_panel {
    static constexpr int S = columns_at_once<F>;
    double before[words_of<F>][pivots_at_once][S];  ///< l_(j + c, k) at [k][c]
    double triangle[words_of<F>][S][S];             ///< l_(j + c, j + m) at [m][c]
    double pivot[words_of<F>][S];
};

/// rows_are_l: of L, else of U^T.
template <class F, int Threads, bool rows_are_l = true>
class panel_row {
    static constexpr int S = columns_at_once<F>, size = 8 * words_of<F>;

public:
    /// Columns of the row from `own` on, line by line; `diagonal`: L of the block.
    __device__ panel_row(shared_panel<F>& shared, double* own, const double* diagonal, int width)
        : shared_(shared), own_(own), diagonal_(diagonal), width_(width)
    {
    }

    /// Columns from j on: S of them, or fewer.
    __device__ void load(int j, bool is_active, int most = S)
    {
        n_ = lesser(most, width_ - j);
#pragma unroll
        for (int c = 0; c < S; ++c)
            t_[c] = is_active && c < n_ ? get<F>(own_ + (j + c) * size) : zero<F>();
    }
    __device__ void store(int j, int columns) const
    {
#pragma unroll
        for (int c = 0; c < S; ++c)
            if (c < columns) put(own_ + (j + c) * size, t_[c]);
    }
    /// All pivots before column j.  All threads of the block call this.
    __device__ void take_pivots_before(int j, bool is_active)
    {
        for (int k = 0; k < j; k += pivots_at_once) {
            const int count = lesser(pivots_at_once, j - k);
            share_rows(j, k, count);
            __syncthreads();
            if (is_active) {
                if (count == pivots_at_once)
                    take_pivots(k);
                else
                    for (int p = 0; p < count; ++p) take_pivot(k, p);
            }
            __syncthreads();
        }
    }
    /// The diagonal block from column j on, for divide().
    __device__ void share_triangle(int j) const
    {
        for (int x = threadIdx.x; x < S * S; x += Threads) {
            const int c = x % S, m = x / S;
            if (m <= c && c < n_)
                copy_number_async<F>(&shared_.triangle[0][m][c], S * S, entry(j + c, j + m));
        }
        wait_for_copies();
    }
    /// By the shared triangle.
    __device__ void divide()
    {
#pragma unroll
        for (int c = 0; c < S; ++c) {
            if (c >= n_) break;
            if constexpr (rows_are_l) t_[c] = t_[c] / get<F>(&shared_.triangle[0][c][c], S * S);
#pragma unroll
            for (int m = c + 1; m < S; ++m)
                t_[m] =
                    updated<rows_are_l>(t_[c], get<F>(&shared_.triangle[0][c][m], S * S), t_[m]);
        }
    }
    __device__ number<F>& at(int c)
    {
        return t_[c];
    }
    __device__ int columns() const
    {
        return n_;
    }
    __device__ const double* entry(int i, int k) const
    {
        return diagonal_ + (i / 8 * index_t{width_} + k) * size + i % 8;
    }

private:
    __device__ void share_rows(int j, int k, int count) const
    {
        for (int x = threadIdx.x; x < pivots_at_once * S; x += Threads) {
            const int c = x % S, p = x / S;
            if (c < n_ && p < count)
                copy_number_async<F>(&shared_.before[0][p][c], pivots_at_once * S,
                                     entry(j + c, k + p));
        }
        wait_for_copies();
    }
    __device__ void take_pivots(int k)
    {
        number<F> x[pivots_at_once];
#pragma unroll
        for (int p = 0; p < pivots_at_once; ++p) x[p] = get<F>(own_ + (k + p) * size);
#pragma unroll
        for (int p = 0; p < pivots_at_once; ++p) subtract(x[p], p);
    }
    __device__ void take_pivot(int k, int p)
    {
        subtract(get<F>(own_ + (k + p) * size), p);
    }
    __device__ __forceinline__ void subtract(number<F> x, int p)
    {
#pragma unroll
        for (int c = 0; c < S; ++c)
            t_[c] =
                updated<rows_are_l>(x, get<F>(&shared_.before[0][p][c], pivots_at_once * S), t_[c]);
    }

    shared_panel<F>& shared_;
    double* const own_;
    const double* const diagonal_;
    const int width_;
    int n_ = 0;
    number<F> t_[S];
};

/// Threads for diagonal blocks, of supernodes that have no more columns.
template <bool narrow>
inline constexpr int threads_of_diagonal = narrow ? warp_size : most_panel;

/// L of L L^T of diagonal blocks of narrow supernodes, a warp each; `failed` becomes the first
/// column without a positive pivot, if that is lower.
template <class F>
__global__ void __launch_bounds__(warp_size)
    factor_narrow_diagonals(supernode_lists s, double* values, const column_t* which,
                            column_t* failed)
{
    constexpr int S = columns_at_once<F>, size = 8 * words_of<F>;
    __shared__ shared_panel<F> shared;
    const supernode_place q(s, which[blockIdx.x]);
    const int row = static_cast<int>(threadIdx.x);
    double* const d = values + q.value_begin;
    panel_row<F, warp_size> own(shared, d + (row / 8 * index_t{q.width} * size + row % 8), d,
                                q.width);
    for (int j = 0; j < q.width; j += S) {
        const bool is_active = row >= j && row < q.width;
        own.load(j, is_active);
        own.take_pivots_before(j, is_active);
#pragma unroll
        for (int c = 0; c < S; ++c) {
            if (c >= own.columns()) break;
            number<F>& mine = own.at(c);
            if (row == j + c) {
                number<F> pivot;
                if (!factor::root(mine, pivot)) atomicMin(failed, q.first + row);
                mine = pivot;
                put(&shared.pivot[0][c], S, pivot);
            }
            __syncthreads();
            if (is_active && row > j + c) {
                mine = mine / get<F>(&shared.pivot[0][c], S);
                if (row < j + S) put(&shared.triangle[0][c][row - j], S * S, mine);
            }
            __syncthreads();
            if (!is_active || row <= j + c) continue;
#pragma unroll
            for (int m = c + 1; m < S; ++m)
                own.at(m) = factor::fnma(mine, get<F>(&shared.triangle[0][c][m], S * S), own.at(m));
        }
        if (is_active) own.store(j, lesser(own.columns(), row - j + 1));
        __syncthreads();
    }
}

inline constexpr int threads_of_rows = 64;

/// Columns of the row-blocks of a task, as the diagonal block has exchanged its rows.  All threads
/// of a block call this.
template <class F>
__device__ void exchange_columns(double* rows, const supernode_place& q, column_t block,
                                 const column_t* column)
{
    constexpr int size = 8 * words_of<F>;
    __shared__ double old[most_panel * size];
    const int count = q.width * size, last = (q.below + 7) / 8;
    for (int b = block; b < lesser(block + threads_of_rows / 8, last); ++b) {
        double* const line = rows + b * index_t{count};
        for (int x = threadIdx.x; x < count; x += threads_of_rows)
            copy_object_async(&old[x], line + x);
        wait_for_copies();
        __syncthreads();
        for (int x = threadIdx.x; x < count; x += threads_of_rows)
            line[x] = old[column[x / size] * size + x % size];
        __syncthreads();
    }
}

/// What rows below diagonal blocks are divided by: of L L^T L, of L the transposed U, of U^T L,
/// whose diagonal is 1.
struct division {
    supernode_lists s;
    const double* diagonals;  ///< values
    double* rows;             ///< values
    pivot_lists pivots;       ///< of U^T: exchanged columns
};

/// X of X L^T = rows, in their place.
template <class F, bool rows_are_l>
__global__ void __launch_bounds__(threads_of_rows)
    divide_rows(division d, const factor::rows_task* tasks, const column_t* failed)
{
    constexpr int S = columns_at_once<F>, size = 8 * words_of<F>;
    __shared__ shared_panel<F> shared;
    const factor::rows_task task = tasks[blockIdx.x];
    const supernode_place q(d.s, task.supernode);
    if (*failed < q.first + q.width) return;
    const column_t row = task.block * 8 + static_cast<int>(threadIdx.x);
    const bool is_active = row < q.below;
    double* const rows = d.rows + q.value_begin + q.own_blocks() * index_t{q.width} * size;
    if (!rows_are_l && d.pivots.moved[task.supernode])
        exchange_columns<F>(rows, q, task.block, d.pivots.row + q.first);
    panel_row<F, threads_of_rows, rows_are_l> own(
        shared, rows + (row / 8 * index_t{q.width} * size + row % 8), d.diagonals + q.value_begin,
        q.width);
    for (int j = 0; j < q.width; j += S) {
        own.load(j, is_active);
        own.share_triangle(j);
        own.take_pivots_before(j, is_active);
        __syncthreads();
        if (is_active) {
            own.divide();
            own.store(j, own.columns());
        }
        __syncthreads();
    }
}

}  // namespace ddla::device_backend
