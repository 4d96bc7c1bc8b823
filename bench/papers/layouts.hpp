// Operations in double-double by plain kernels, on a structure of arrays and on an array of
// structures: section 2.3 of Mukunoki and Takahashi 2012.
#pragma once

#include "crs_kernels.hpp"

namespace bench {

/// Where the words of a vector are.
struct two_arrays {
    static constexpr const char* name = "SoA";
    double *high, *low;
    static two_arrays of(double* high, double* low, void*) { return {high, low}; }
    __host__ __device__ ddla::dd_real get(std::int64_t i) const { return {high[i], low[i]}; }
    __host__ __device__ void set(std::int64_t i, ddla::dd_real x) const
    {
        high[i] = x.hi;
        low[i] = x.lo;
    }
};
/// A pair is loaded and stored as 16 bytes.
struct one_array_of_pairs {
    static constexpr const char* name = "AoS, 16-byte pairs";
    double2* pair;
    static one_array_of_pairs of(double*, double*, void* pairs)
    {
        return {static_cast<double2*>(pairs)};
    }
    __host__ __device__ ddla::dd_real get(std::int64_t i) const
    {
        const double2 p = pair[i];
        return {p.x, p.y};
    }
    __host__ __device__ void set(std::int64_t i, ddla::dd_real x) const
    {
        pair[i] = double2{x.hi, x.lo};
    }
};
/// The same, a word at a time, as a compiler of 2012 without aligned pairs loads a struct.
struct one_array_of_words {
    static constexpr const char* name = "AoS, words";
    double* word;
    static one_array_of_words of(double*, double*, void* pairs)
    {
        return {static_cast<double*>(pairs)};
    }
    __host__ __device__ ddla::dd_real get(std::int64_t i) const
    {
        return {word[2 * i], word[2 * i + 1]};
    }
    __host__ __device__ void set(std::int64_t i, ddla::dd_real x) const
    {
        word[2 * i] = x.hi;
        word[2 * i + 1] = x.lo;
    }
};

/// y = a x + y.
template <class Layout>
void plain_axpy(std::int64_t n, ddla::dd_real a, Layout x, Layout y, cudaStream_t stream);
/// *result = x y, by sums of blocks in `scratch` (2048 numbers at least).
template <class Layout>
void plain_dot(std::int64_t n, Layout x, Layout y, ddla::dd_real* scratch, ddla::dd_real* result,
               cudaStream_t stream);
/// y = A x, eight threads a row as in the paper.
template <class Layout>
void plain_product(const crs_rows& a, Layout x, Layout y, cudaStream_t stream);

}  // namespace bench
