// The entries of a tile that a thread has while an update lasts.
#pragma once

#include "tensor.cuh"
#include "tile_shape.cuh"

namespace ddla::device_backend {

/// Blocks of 8 rows and 16 columns of an update, I times J of a warp: a thread has rows 2 t, 2 t +
/// 1 and columns g, 8 + g of each, as the tensor cores have them.  In double a warp has those at
/// one place of the tile, whose numbers it loads once; in double-double, where products take the
/// time, warps share those that an update has.
template <class F, bool small, bool rows_are_l, bool on_tensor>
class entries_of_thread {
    using shared_type = shared_tile<F, small>;
    using shape = tile_shape<F, small>;
    using number_t = number<F>;
    static constexpr int I = shape::I, J = shape::J;
    static constexpr bool shares = words_of<F> == 2;
    static_assert(!shares || J == 1);

public:
    __device__ explicit entries_of_thread(shared_type& shared)
        : shared_(shared), g_(threadIdx.x % warp_size / 4), t_(threadIdx.x % 4)
    {
    }

    /// Those that an update has, whose places are in list k.
    __device__ void load(const tile_update& u, int k)
    {
        const int warp = threadIdx.x / warp_size;
        if constexpr (shares)
            share_blocks(warp, (u.rows + 7) / 8, (u.columns + 15) / 16);
        else
            take_place(warp, u);
        first_row_ = u.begin % 8;
        first_column_ = u.column_begin % 8;
        each(u, k, [&](number_t& c, double* p) { c = get<F>(p, stride_of_words); });
    }
    __device__ void store(const tile_update& u, int k)
    {
        each(u, k, [&](number_t& c, double* p) { put(p, stride_of_words, c); });
    }
    /// n pivots of a stage.
    __device__ void multiply(int stage, int n)
    {
        if (height_ <= 0 || breadth_ <= 0) return;
        if constexpr (on_tensor) {
            multiply_tensors(stage, n);
        } else if (height_ == I && breadth_ == J) {
            for (int k = 0; k < n; ++k) multiply_pivot<true>(stage, k);
        } else {
            for (int k = 0; k < n; ++k) multiply_pivot<false>(stage, k);
        }
    }

private:
    static constexpr int stride_of_words = shared_type::C * shared_type::ld;

    __device__ void share_blocks(int warp, int high, int across)
    {
        const int each = (high * across + shape::warps - 1) / shape::warps, first = warp * each;
        height_ = lesser(each, high * across - first);
        breadth_ = 1;
#pragma unroll
        for (int i = 0; i < I; ++i) {
            row_[i] = (first + i) % high * 8;
            column_[i] = (first + i) / high * 16;
        }
    }
    __device__ void take_place(int warp, const tile_update& u)
    {
        row_[0] = warp % shape::down * (8 * I);
        column_[0] = warp / shape::down * (16 * J);
        height_ = lesser(I, (u.rows - row_[0] + 7) / 8);
        breadth_ = lesser(J, (u.columns - column_[0] + 15) / 16);
    }
    /// The first row and column of block (i, j) of this warp in an update.
    __device__ __forceinline__ int row_of(int i) const
    {
        return shares ? row_[i] : row_[0] + 8 * i;
    }
    __device__ __forceinline__ int column_of(int i, int j) const
    {
        return shares ? column_[i] : column_[0] + 16 * j;
    }
    template <class Do>
    __device__ void each(const tile_update& u, int k, const Do& f)
    {
#pragma unroll
        for (int j = 0; j < J; ++j)
#pragma unroll
            for (int h = 0; h < 2; ++h)
#pragma unroll
                for (int i = 0; i < I; ++i) {
                    const int column = column_of(i, j) + 8 * h + g_;
                    if (i >= height_ || column >= u.columns) continue;
                    double* const p = shared_.tile[0][shared_.column_at[k][column]];
#pragma unroll
                    for (int r = 0; r < 2; ++r) {
                        const int row = row_of(i) + 2 * t_ + r;
                        if (row < u.rows) f(c_[j][i][2 * h + r], p + shared_.row_at[k][row]);
                    }
                }
    }
    /// One pivot; all of the entries, or those that the update has.
    template <bool all>
    __device__ __forceinline__ void multiply_pivot(int stage, int k)
    {
        constexpr int of_rows = shared_type::pivots * shared_type::ld_rows,
                      of_columns = shared_type::pivots * shared_type::ld_columns;
        const double* const rows = &shared_.rows[stage][0][k][first_row_ + 2 * t_];
        const double* const columns = &shared_.columns[stage][0][k][first_column_ + g_];
        number_t row[I][2], column[2];
#pragma unroll
        for (int j = 0; j < J; ++j) {
            if (!all && j >= breadth_) continue;
#pragma unroll
            for (int i = 0; i < I; ++i) {
                if (!all && i >= height_) continue;
                if (j == 0)
#pragma unroll
                    for (int r = 0; r < 2; ++r) row[i][r] = get<F>(rows + row_of(i) + r, of_rows);
                if (i == 0 || (shares && column_of(i, j) != column_of(i - 1, j)))
#pragma unroll
                    for (int h = 0; h < 2; ++h)
                        column[h] = get<F>(columns + column_of(i, j) + 8 * h, of_columns);
#pragma unroll
                for (int h = 0; h < 2; ++h)
#pragma unroll
                    for (int r = 0; r < 2; ++r) {
                        number_t& c = c_[j][i][2 * h + r];
                        c = updated<rows_are_l>(row[i][r], column[h], c);
                    }
            }
        }
    }
    /// Eight pivots at a time, or four; the rest one by one.
    __device__ __forceinline__ void multiply_tensors(int stage, int n)
    {
        int k = 0;
#pragma unroll
        for (int eight = 0; eight < shared_type::pivots; eight += 8)
            if (eight + 8 <= n) {
                multiply_eight(stage, eight);
                k = eight + 8;
            }
        if (k + 4 <= n) {
            multiply_four(stage, k);
            k += 4;
        }
        for (; k < n; ++k) multiply_pivot<false>(stage, k);
    }
    __device__ __forceinline__ void multiply_eight(int stage, int k)
    {
        double row[I][2];
#pragma unroll
        for (int i = 0; i < I; ++i)
#pragma unroll
            for (int r = 0; r < 2; ++r)
                row[i][r] = -shared_.rows[stage][0][k + 4 * r + t_][first_row_ + row_of(i) + g_];
#pragma unroll
        for (int j = 0; j < J; ++j) {
            if (j >= breadth_) continue;
            double column[4];
#pragma unroll
            for (int h = 0; h < 4; ++h)
                column[h] = shared_.columns[stage][0][k + h / 2 * 4 + t_]
                                           [first_column_ + column_of(0, j) + h % 2 * 8 + g_];
#pragma unroll
            for (int i = 0; i < I; ++i)
                if (i < height_) multiply_tensor(c_[j][i], column, row[i]);
        }
    }
    __device__ __forceinline__ void multiply_four(int stage, int k)
    {
        double row[I];
#pragma unroll
        for (int i = 0; i < I; ++i)
            row[i] = -shared_.rows[stage][0][k + t_][first_row_ + row_of(i) + g_];
#pragma unroll
        for (int j = 0; j < J; ++j) {
            if (j >= breadth_) continue;
            double column[2];
#pragma unroll
            for (int h = 0; h < 2; ++h)
                column[h] =
                    shared_.columns[stage][0][k + t_][first_column_ + column_of(0, j) + 8 * h + g_];
#pragma unroll
            for (int i = 0; i < I; ++i)
                if (i < height_) multiply_tensor(c_[j][i], column, row[i]);
        }
    }

    shared_type& shared_;
    const int g_, t_;
    int height_ = 0, breadth_ = 0;          ///< blocks of the warp
    int first_row_ = 0, first_column_ = 0;  ///< of the update, in a stage
    int row_[shares ? I : 1], column_[shares ? I : 1];
    number_t c_[J][I][4];
};

}  // namespace ddla::device_backend
