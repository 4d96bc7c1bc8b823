// Diagonal blocks of L U: a thread has a row, and says which pivot it has become.
#pragma once

#include "panels.cuh"

namespace ddla::device_backend {

/// What the kernels of L U and L D L^T tell the host.
struct pivot_notes {
    column_t failed;  ///< the first column without a positive pivot, or of the first supernode with
                      ///< one that is not finite; the number of columns: none
    column_t replaced;  ///< pivots
};
struct candidate {
    double size;
    int place;
};
/// The larger one; of two that are equal the first.
__device__ __forceinline__ candidate better(candidate a, candidate b)
{
    return b.size > a.size || (b.size == a.size && b.place < a.place) ? b : a;
}
/// Of all threads; all of them get it.
template <int Threads>
__device__ __forceinline__ candidate best_of_block(candidate mine,
                                                   candidate (&shared)[2 * Threads / warp_size],
                                                   int turn)
{
    constexpr int warps = Threads / warp_size;
#pragma unroll
    for (int bit = warp_size / 2; bit > 0; bit /= 2) {
        candidate other;
        other.size = __shfl_xor_sync(whole_warp, mine.size, bit);
        other.place = __shfl_xor_sync(whole_warp, mine.place, bit);
        mine = better(mine, other);
    }
    candidate* const of_warps = shared + turn % 2 * warps;
    if (threadIdx.x % warp_size == 0) of_warps[threadIdx.x / warp_size] = mine;
    __syncthreads();
    candidate best = of_warps[0];
#pragma unroll
    for (int w = 1; w < warps; ++w) best = better(best, of_warps[w]);
    return best;
}

template <class F, int Threads>
struct shared_square {
    static constexpr int S = columns_at_once<F>;
    double pivot_row[2][words_of<F>][S];  ///< of two pivots, by turns
    double own_size[2];
    candidate best[2 * Threads / warp_size];
    int replaced;
};

/// One diagonal block.
template <class F, int Threads>
class square_elimination {
    static constexpr int S = columns_at_once<F>, size = 8 * words_of<F>;
    using number_t = number<F>;

public:
    __device__ square_elimination(shared_square<F, Threads>& shared, double* lower, double* upper,
                                  int width, const factor::pivot_rule& rule)
        : shared_(shared), lower_(lower), upper_(upper), width_(width), rule_(rule),
          row_(static_cast<int>(threadIdx.x)), place_(row_)
    {
    }

    /// Whether all pivots are finite.
    __device__ bool run()
    {
        if (row_ == 0) shared_.replaced = 0;
        for (int j = 0; j < width_; j += S) {
            load(j);
            take_pivots_before(j);
            for (int c = 0; c < S && j + c < width_; ++c)
                if (!eliminate(j, c)) return false;
            store(j);
        }
        put_in_places();
        return true;
    }
    __device__ int replaced() const { return shared_.replaced; }
    __device__ bool has_row() const { return row_ < width_; }
    __device__ int row() const { return row_; }
    /// The pivot that the row of this thread became.
    __device__ int place() const { return place_; }

private:
    __device__ double* entry(double* of, int i, int k) const
    {
        return of + (i / 8 * index_t{width_} + k) * size + i % 8;
    }
    __device__ void load(int j)
    {
#pragma unroll
        for (int c = 0; c < S; ++c)
            t_[c] = has_row() && j + c < width_ ? get<F>(entry(lower_, row_, j + c)) : zero<F>();
    }
    __device__ void store(int j)
    {
#pragma unroll
        for (int c = 0; c < S; ++c)
            if (has_row() && j + c < width_) put(entry(lower_, row_, j + c), t_[c]);
    }
    /// All pivots before column j: the row that became pivot k is final once it has taken those
    /// before.
    __device__ void take_pivots_before(int j)
    {
        for (int k = 0; k < j; ++k) {
            number_t l = zero<F>();
            if (has_row()) l = get<F>(entry(lower_, row_, k));
            if (place_ == k) share_row(k);
            __syncthreads();
            if (has_row() && place_ > k) subtract(l, k, 0);
        }
        __syncthreads();
    }
    __device__ void share_row(int k)
    {
#pragma unroll
        for (int c = 0; c < S; ++c) put(&shared_.pivot_row[k % 2][0][c], S, t_[c]);
    }
    /// l times the row of pivot k, in the columns from c on.
    __device__ __forceinline__ void subtract(number_t l, int k, int c)
    {
#pragma unroll
        for (int m = 0; m < S; ++m)
            if (m >= c) t_[m] = factor::fnma(l, get<F>(&shared_.pivot_row[k % 2][0][m], S), t_[m]);
    }
    __device__ number_t of_column(int c) const
    {
        number_t x = t_[0];
#pragma unroll
        for (int m = 1; m < S; ++m)
            if (m == c) x = t_[m];
        return x;
    }
    __device__ void set_column(int c, number_t x)
    {
#pragma unroll
        for (int m = 0; m < S; ++m)
            if (m == c) t_[m] = x;
    }

    __device__ bool eliminate(int j, int c)
    {
        const int k = j + c;
        choose(k, of_column(c));
        if (place_ == k) {
            set_column(c, usable(of_column(c)));
            share_row(k);
        }
        __syncthreads();
        const number_t pivot = get<F>(&shared_.pivot_row[k % 2][0][c], S);
        if (!(factor::size_of(pivot) <= 0x1.fffffffffffffp1023)) return false;
        if (has_row() && place_ > k) {
            const number_t l = of_column(c) / pivot;
            set_column(c, l);
            subtract(l, k, c + 1);
        }
        return true;
    }
    /// The row that becomes pivot k: its own if that is large enough.
    __device__ void choose(int k, number_t mine)
    {
        const bool is_candidate = has_row() && place_ >= k;
        const double size_of_mine = factor::size_of(mine);
        if (place_ == k) shared_.own_size[k % 2] = size_of_mine;
        const candidate best = best_of_block<Threads>(
            {is_candidate && size_of_mine == size_of_mine ? size_of_mine : -1.0, place_},
            shared_.best, k);
        const double own = shared_.own_size[k % 2];
        const int other = own == own && !(own >= rule_.preferred * best.size) ? best.place : k;
        if (place_ == k)
            place_ = other;
        else if (place_ == other)
            place_ = k;
    }
    __device__ number_t usable(number_t pivot)
    {
        if (!(factor::size_of(pivot) <= 0x1.fffffffffffffp1023) ||
            factor::size_of(pivot) > rule_.negligible)
            return pivot;
        ++shared_.replaced;
        return factor::with_sign_of(pivot, rule_.instead);
    }

    /// L and U^T, from the rows as they were gathered.
    __device__ void put_in_places()
    {
        for (int j = 0; j < width_; j += S) {
            load(j);
            __syncthreads();
#pragma unroll
            for (int c = 0; c < S; ++c) {
                const int k = j + c;
                if (!has_row() || k >= width_) continue;
                number_t l = t_[c];
                if (k >= place_) {
                    put(entry(upper_, k, place_), l);
                    l = k == place_ ? one<F>() : zero<F>();
                }
                put(entry(lower_, place_, k), l);
            }
            __syncthreads();
        }
    }
    shared_square<F, Threads>& shared_;
    double *const lower_, *const upper_;
    const int width_;
    const factor::pivot_rule rule_;
    const int row_;
    int place_;
    number_t t_[S];
};

/// L and U of diagonal blocks, a block of threads each.
template <class F, bool narrow>
__global__ void __launch_bounds__(threads_of_diagonal<narrow>)
    factor_squares(supernode_lists s, double* lower, double* upper, const column_t* which,
                   factor::pivot_rule rule, pivot_lists pivots, pivot_notes* notes)
{
    constexpr int threads = threads_of_diagonal<narrow>;
    __shared__ shared_square<F, threads> shared;
    const supernode_place q(s, which[blockIdx.x]);
    square_elimination<F, threads> block(shared, lower + q.value_begin, upper + q.value_begin,
                                         q.width, rule);
    if (!block.run()) {
        if (threadIdx.x == 0) atomicMin(&notes->failed, q.first);
        return;
    }
    if (block.has_row()) {
        pivots.row[q.first + block.place()] = block.row();
        if (block.place() != block.row()) pivots.moved[which[blockIdx.x]] = 1;
    }
    if (threadIdx.x == 0 && block.replaced() > 0) atomicAdd(&notes->replaced, block.replaced());
}

}  // namespace ddla::device_backend
