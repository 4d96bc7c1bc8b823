// Products of one A with several vectors by one launch.
//
// Of the blocks of a launch, each product has every count-th: the same rows are multiplied with all
// vectors at about the same time.  So A comes from memory once; the other vectors find it in the L2
// cache.  A block does what it does for one vector, so that each product has the bits that it has
// alone.
//
// Kernels take their step as `Products`: a step by itself, or column_products.
#pragma once

#include "device/core/launch.cuh"
#include "steps/blas.hpp"

#include <cstddef>
#include <span>
#include <utility>

namespace ddla::device_backend {

inline constexpr int most_columns = 8;

/// Two to eight products with one A.
template <class T>
struct column_products {
    steps::spmv<T> of[most_columns];
    int count;
    vec<const T> operand;  ///< the first vector: all have its size

    explicit column_products(std::span<const steps::spmv<T>> all)
        : of{all[0], all[0], all[0], all[0], all[0], all[0], all[0], all[0]},
          count(static_cast<int>(all.size())), operand(all[0].operand)
    {
        for (std::size_t j = 1; j < all.size(); ++j) of[j] = all[j];
    }
};

template <class Step>
inline constexpr bool is_several = false;
template <class T>
inline constexpr bool is_several<column_products<T>> = true;

/// Whether an element is that of two vectors (column_pairs.cuh).
template <class Element>
inline constexpr bool is_pair = false;

/// Where a kernel needs nothing of a single step.
struct one_product {};
template <class Step>
one_product without_step(const Step&)
{
    return {};
}
template <class T>
const column_products<T>& without_step(const column_products<T>& all)
{
    return all;
}

/// The type of the elements of the vectors.
template <class T>
T element(const vec<const T>&);
template <class Products>
using element_of = decltype(element(std::declval<const Products&>().operand));

/// A block of a launch: which of the products it belongs to, and its number among their blocks.
struct block_of_product {
    index_t block;
    int product;
};
template <class Products>
__device__ __forceinline__ block_of_product block_of(const Products&, index_t block)
{
    return {block, 0};
}
template <class T>
__device__ __forceinline__ block_of_product block_of(const column_products<T>& all, index_t block)
{
    const auto number = static_cast<unsigned>(block), count = static_cast<unsigned>(all.count);
    return {number / count, static_cast<int>(number % count)};
}

template <class Products>
unsigned count_of(const Products&)
{
    return 1;
}
template <class T>
unsigned count_of(const column_products<T>& all)
{
    return static_cast<unsigned>(all.count);
}

/// The step of a product.
template <class Step>
__device__ __forceinline__ const Step& step_of(const Step& only, int)
{
    return only;
}
template <class T>
__device__ __forceinline__ const steps::spmv<T>& step_of(const column_products<T>& all, int product)
{
    return all.of[product];
}

/// Writes rows of a product.
template <class Step>
struct row_writer {
    const Step& step;
    steps::state_of<Step> scalars;

    __device__ __forceinline__ explicit row_writer(const Step& of)
        : step(of), scalars(steps::scalars_of(of))
    {
    }
    template <class T>
    __device__ __forceinline__ void operator()(index_t row, const T& ax) const
    {
        steps::at_row(step, row, ax, scalars);
    }
};

/// Its x, where x is that of the first.
template <class T>
__device__ __forceinline__ vec<const T> x_of(const column_products<T>& all, const vec<const T>&,
                                             int product)
{
    return all.of[product].operand;
}

/// The row sums for a product, where `sums` are those for the first.
template <class Products, class Sums>
__device__ __forceinline__ const Sums& sums_for(const Products&, const Sums& sums, int)
{
    return sums;
}
template <class T, class Sums>
__device__ __forceinline__ Sums sums_for(const column_products<T>& all, const Sums& sums,
                                         int product)
{
    Sums its = sums;
    its.take(x_of(all, sums.x(), product), product);
    return its;
}

}  // namespace ddla::device_backend
