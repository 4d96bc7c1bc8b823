// Numbers of factors on a device, and where they stand.
#pragma once

#include "device/core/warp.cuh"
#include "factor/supernodal/kernels/kernels.hpp"
#include "factor/supernodal/kernels/pairs.hpp"
#include "factor/supernodal/supernodes.hpp"

namespace ddla::device_backend {

/// Supernodes, in device memory.
struct supernode_lists {
    const column_t* first;
    const index_t* row_begin;
    const column_t* row;
    const index_t* value_begin;  ///< of each supernode among the values
    const factor::supernode_update* updates;
};

template <class F>
struct number_type {
    using type = double;
};
template <>
struct number_type<dd_real> {
    using type = factor::pair<double>;
};
template <class F>
using number = typename number_type<F>::type;

template <class F>
__device__ __forceinline__ number<F> get(const double* p)
{
    if constexpr (words_of<F> == 1)
        return *p;
    else
        return {p[0], p[factor::rows_of_block]};
}
__device__ __forceinline__ void put(double* p, double x)
{
    *p = x;
}
__device__ __forceinline__ void put(double* p, factor::pair<double> x)
{
    p[0] = x.hi;
    p[factor::rows_of_block] = x.lo;
}
/// Words `stride` apart.
template <class F>
__device__ __forceinline__ number<F> get(const double* p, int stride)
{
    if constexpr (words_of<F> == 1)
        return *p;
    else
        return {p[0], p[stride]};
}
__device__ __forceinline__ void put(double* p, int, double x)
{
    *p = x;
}
__device__ __forceinline__ void put(double* p, int stride, factor::pair<double> x)
{
    p[0] = x.hi;
    p[stride] = x.lo;
}
template <class F>
__device__ __forceinline__ number<F> zero()
{
    if constexpr (words_of<F> == 1)
        return 0;
    else
        return {0, 0};
}

template <class F>
__device__ __forceinline__ number<F> one()
{
    if constexpr (words_of<F> == 1)
        return 1;
    else
        return {1, 0};
}

/// D of L D L^T, word by word: its diagonal, and what is beside the first pivot of a pair, or 0.
struct pivot_values {
    double *diagonal[2], *beside[2];
};

template <class F>
__device__ __forceinline__ number<F> number_in(double* const* word, index_t k)
{
    if constexpr (words_of<F> == 1)
        return word[0][k];
    else
        return {word[0][k], word[1][k]};
}

/// c - l u; L's number is the row's, or the column's: in double-double they do not commute.
template <bool rows_are_l, class N>
__device__ __forceinline__ N updated(N row, N column, N c)
{
    return rows_are_l ? factor::fnma(row, column, c) : factor::fnma(column, row, c);
}

/// The row of its block that became each pivot, and of each supernode whether one was moved.
struct pivot_lists {
    column_t* row = nullptr;
    unsigned char* moved = nullptr;
};

/// One supernode.
struct supernode_place {
    column_t first, width, below;
    index_t row_begin, value_begin;

    __device__ supernode_place(const supernode_lists& s, column_t q)
        : first(s.first[q]), width(s.first[q + 1] - first),
          below(static_cast<column_t>(s.row_begin[q + 1] - s.row_begin[q])),
          row_begin(s.row_begin[q]), value_begin(s.value_begin[q])
    {
    }
    __device__ column_t own_blocks() const { return (width + 7) / 8; }
    __device__ column_t blocks() const { return own_blocks() + (below + 7) / 8; }
};

__device__ __forceinline__ int lesser(int a, int b)
{
    return a < b ? a : b;
}
__device__ __forceinline__ int greater(int a, int b)
{
    return a < b ? b : a;
}

/// The first of rows begin to end, ascending, that is not below `row`; end: none.  Mostly all are
/// on one side.
__device__ __forceinline__ column_t first_from(const column_t* rows, column_t begin, column_t end,
                                               column_t row)
{
    if (begin == end) return end;
    const column_t first = rows[begin], last = rows[end - 1];
    if (first >= row) return begin;
    if (last < row) return end;
    while (begin < end) {
        const column_t middle = (begin + end) / 2;
        if (rows[middle] < row)
            begin = middle + 1;
        else
            end = middle;
    }
    return begin;
}

}  // namespace ddla::device_backend
