// Products of one A with several vectors, of which a block takes two at once: an entry of A is
// loaded once for both, and two independent chains of additions hide each other's latency.
//
// The kernels are those of single products, for elements that are two numbers, which are multiplied
// and added each by itself.  So each product has the bits that it has alone.  Notes:
// device_columns.
#pragma once

#include "columns.cuh"

namespace ddla::device_backend {

/// Two numbers, one of each vector.
template <class T>
struct number_pair {
    T first, second;

    number_pair() = default;
    DDLA_HD number_pair(double x) : first(x), second(x) {}
    DDLA_HD number_pair(const T& of_first, const T& of_second) : first(of_first), second(of_second)
    {
    }
    DDLA_HD friend number_pair operator+(const number_pair& a, const number_pair& b)
    {
        return {a.first + b.first, a.second + b.second};
    }
    template <class V>
    DDLA_HD friend number_pair operator*(const number_pair& x, const V& a) requires scalar<V>
    {
        return {x.first * a, x.second * a};
    }
};
template <class T>
inline constexpr bool is_pair<number_pair<T>> = true;

/// Two vectors.
template <class T>
struct vector_pair {
    vec<const T> first, second;

    __device__ __forceinline__ number_pair<T> get(index_t i) const
    {
        return {first.get(i), second.get(i)};
    }
};
template <class T>
number_pair<T> element(const vector_pair<T>&);

/// Two to eight products in pairs.  Where their number is odd, the last pair computes the last
/// product twice, and writes it once.
template <class T>
struct column_pairs {
    column_products<T> all;
    vector_pair<T> operand;  ///< has the size of all pairs: see sums_for()
    int count;

    explicit column_pairs(const column_products<T>& products)
        : all(products), operand{products.operand, products.operand},
          count((products.count + 1) / 2)
    {
    }
};

template <class T>
__device__ __forceinline__ block_of_product block_of(const column_pairs<T>& pairs, index_t block)
{
    const auto number = static_cast<unsigned>(block), count = static_cast<unsigned>(pairs.count);
    return {number / count, static_cast<int>(number % count)};
}
template <class T>
unsigned count_of(const column_pairs<T>& pairs)
{
    return static_cast<unsigned>(pairs.count);
}
template <class T, class Sums>
__device__ __forceinline__ Sums sums_for(const column_pairs<T>& pairs, const Sums& sums, int pair)
{
    const auto& all = pairs.all;
    const int first = 2 * pair, last = all.count - 1;
    // Not `: first`, which is the same: the kernel of short rows would spill.
    const int second = first + 1 < last ? first + 1 : last;
    Sums its = sums;
    its.take({all.of[first].operand, all.of[second].operand}, pair);
    return its;
}

/// The steps of a pair.
template <class T>
struct step_pair {
    const column_products<T>& all;
    int first;
};
template <class T>
__device__ __forceinline__ step_pair<T> step_of(const column_pairs<T>& pairs, int pair)
{
    return {pairs.all, 2 * pair};
}
template <class T>
struct row_writer<step_pair<T>> {
    const step_pair<T>& pair;

    __device__ __forceinline__ explicit row_writer(const step_pair<T>& of) : pair(of) {}
    __device__ __forceinline__ void operator()(index_t row, const number_pair<T>& ax) const
    {
        write(pair.first, row, ax.first);
        if (pair.first + 1 < pair.all.count) write(pair.first + 1, row, ax.second);
    }

private:
    __device__ __forceinline__ void write(int product, index_t row, const T& ax) const
    {
        row_writer<steps::spmv<T>>(pair.all.of[product])(row, ax);
    }
};

}  // namespace ddla::device_backend

/// The precision of each of the two.
template <class T>
struct ddla::number_traits<ddla::device_backend::number_pair<T>> : ddla::number_traits<T> {
    DDLA_HD static constexpr double word(const ddla::device_backend::number_pair<T>& x, int k)
    {
        return ddla::number_traits<T>::word(x.first, k);
    }
};
