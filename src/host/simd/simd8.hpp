// Eight numbers, one in each lane of a SIMD vector.
#pragma once

#include "tile.hpp"
#include "tuning.hpp"
#include "unrolled.hpp"

#include <bit>
#include <cstring>

namespace ddla::host_backend {

inline constexpr int eight = 8;

template <class T>
using eight_of = lanes<T, eight>;

alignas(64) inline constexpr double lane_number[eight] = {0, 1, 2, 3, 4, 5, 6, 7};

/// Eight aligned doubles as one vector.
using vector_of_doubles [[gnu::vector_size(64)]] = double;
[[gnu::always_inline]] inline vector_of_doubles& vector_at(double* word)
{
    return *reinterpret_cast<vector_of_doubles*>(word);
}
[[gnu::always_inline]] inline const vector_of_doubles& vector_at(const double* word)
{
    return *reinterpret_cast<const vector_of_doubles*>(word);
}

using four_doubles [[gnu::vector_size(32), gnu::may_alias]] = double;

/// Eight doubles of any alignment.  Packed: clang forgets a smaller alignment of the vector itself.
struct [[gnu::packed, gnu::may_alias]] doubles_anywhere
{
    vector_of_doubles value;
};

/// The same number in every lane.
[[gnu::always_inline]] inline void fill(double x, double* word)
{
    vector_at(word) = vector_of_doubles{x, x, x, x, x, x, x, x};
}

/// Lanes whose mask is all ones.
using lane_mask [[gnu::vector_size(64)]] = std::int64_t;
[[gnu::always_inline]] inline void put_where(const lane_mask& mask, const double* from,
                                             double* word)
{
    vector_at(word) = (vector_of_doubles)(((lane_mask)vector_at(from) & mask) |
                                          ((lane_mask)vector_at(word) & ~mask));
}

/// word[l] = from[at(l)].  Built as one vector: after eight scalar stores, a vector load could not
/// use store forwarding.
template <class At>
[[gnu::always_inline]] inline void gather(const double* from, const At& at, double* word)
{
    vector_at(word) = vector_of_doubles{from[at(0)], from[at(1)], from[at(2)], from[at(3)],
                                        from[at(4)], from[at(5)], from[at(6)], from[at(7)]};
}

template <class T, class At>
[[gnu::always_inline]] inline void gather(vec<const T> from, const At& at, eight_of<T>& x)
{
    for (int w = 0; w < words_of<T>; ++w) gather(from.word(w), at, x.word[w]);
}

/// Eight contiguous elements, of any alignment.
template <class T>
[[gnu::always_inline]] inline void load(vec<const T> from, index_t at, eight_of<T>& x)
{
    for (int w = 0; w < words_of<T>; ++w)
        vector_at(x.word[w]) = reinterpret_cast<const doubles_anywhere*>(from.word(w) + at)->value;
}

template <class T, class V>
[[gnu::always_inline]] inline void multiply(const eight_of<T>& factor, const eight_of<V>& value,
                                            eight_of<T>& product)
{
#pragma GCC unroll 1
    for (int l = 0; l < eight; ++l) product.set(l, factor.get(l) * value.get(l));
}

/// The part of a csr that products need: copying and advancing all of it on the stack costs as much
/// as some products do.
template <scalar V>
struct entries {
    const column_t* column;
    vec<const V> value;

    [[gnu::always_inline]] explicit entries(const csr<V>& a, index_t first = 0)
        : column(a.column + first), value(a.value.part(first, a.value.size))
    {
    }
};

/// Prefetches the entries some distance after entry k.
template <scalar V>
[[gnu::always_inline]] inline void prefetch_entries(const entries<V>& a, index_t k)
{
    __builtin_prefetch(a.value.word(0) + k + tuning::entries_ahead);
    __builtin_prefetch(a.column + k + tuning::entries_ahead);
}

/// The entries at(0) ... at(7) of A, each times its element of x.
template <class T, class V, class At>
[[gnu::always_inline]] inline void products(const entries<V>& a, vec<const T> x, const At& at,
                                            eight_of<T>& product)
{
    const index_t column[eight] = {a.column[at(0)], a.column[at(1)], a.column[at(2)],
                                   a.column[at(3)], a.column[at(4)], a.column[at(5)],
                                   a.column[at(6)], a.column[at(7)]};
    eight_of<T> factor;
    eight_of<V> value;
    gather(
        x, [&](int l) __attribute__((always_inline)) { return column[l]; }, factor);
    gather(a.value, at, value);
    multiply(factor, value, product);
}

/// Columns k and k + 1 in one load: loads limit these products.
[[gnu::always_inline]] inline void two_columns(const column_t* column, index_t* to)
{
    static_assert(sizeof(column_t) == 4);
    if constexpr (std::endian::native == std::endian::little) {
        std::uint64_t both;
        std::memcpy(&both, column, sizeof both);
        to[0] = static_cast<index_t>(both & UINT32_MAX);
        to[1] = static_cast<index_t>(both >> 32);
    } else {
        to[0] = column[0];
        to[1] = column[1];
    }
}

/// The same of entries k ... k + 7.
template <class T, class V>
[[gnu::always_inline]] inline void products_of_neighbours(const entries<V>& a, vec<const T> x,
                                                          index_t k, eight_of<T>& product)
{
    index_t column[eight];
    unrolled<eight / 2>([&](auto pair) __attribute__((always_inline)) {
        two_columns(a.column + k + 2 * pair, column + 2 * pair);
    });
    eight_of<T> factor;
    eight_of<V> value;
    gather(
        x, [&](int l) __attribute__((always_inline)) { return column[l]; }, factor);
    load(a.value, k, value);
    multiply(factor, value, product);
}

/// The same of entries on a diagonal: their elements of x are contiguous.
template <class T, class V, class At>
[[gnu::always_inline]] inline void products_on_diagonal(const entries<V>& a, vec<const T> x,
                                                        const At& at, eight_of<T>& product)
{
    eight_of<T> factor;
    eight_of<V> value;
    load(x, a.column[at(0)], factor);
    gather(a.value, at, value);
    multiply(factor, value, product);
}

template <class T>
[[gnu::always_inline]] inline void add(eight_of<T>& sum, const eight_of<T>& term)
{
#pragma GCC unroll 1
    for (int l = 0; l < eight; ++l) sum.set(l, sum.get(l) + term.get(l));
}

/// The sum in a third vector, without a copy: copies of vectors that are longer than the
/// processor's go through narrower registers.
template <class T>
[[gnu::always_inline]] inline void add(const eight_of<T>& left, const eight_of<T>& right,
                                       eight_of<T>& sum)
{
#pragma GCC unroll 1
    for (int l = 0; l < eight; ++l) sum.set(l, left.get(l) + right.get(l));
}

/// As vectors: a copy as a struct may go through narrower registers.
template <class T, int N>
[[gnu::always_inline]] inline void assign(const eight_of<T>& from, lanes<T, N>& to, int at = 0)
{
    for (int w = 0; w < words_of<T>; ++w) vector_at(to.word[w] + at) = vector_at(from.word[w]);
}

/// Adds only in lanes with k_l < n_l, where k_l - n_l is negative.
template <class T>
[[gnu::always_inline]] inline void add_where_less(const double* k, const double* n,
                                                  eight_of<T>& sum, const eight_of<T>& term)
{
    eight_of<T> next;
#pragma GCC unroll 1
    for (int l = 0; l < eight; ++l) next.set(l, sum.get(l) + term.get(l));
    const lane_mask mask = (lane_mask)(vector_at(k) - vector_at(n)) >> 63;
    for (int w = 0; w < words_of<T>; ++w) put_where(mask, next.word[w], sum.word[w]);
}

/// Four terms folded in half until one is left ...
[[gnu::always_inline]] inline double fold_lanes(const four_doubles& term)
{
    const four_doubles sum = term + __builtin_shufflevector(term, term, 2, 3, 0, 1);
    return sum[0] + sum[1];
}
/// ... and eight.
[[gnu::always_inline]] inline double fold_lanes(const eight_of<double>& term)
{
    const auto* const half = reinterpret_cast<const four_doubles*>(term.word[0]);
    return fold_lanes(half[0] + half[1]);
}

/// The sums of eight times eight terms, term k of sum l at 8 l + k.
template <class T>
[[gnu::always_inline]] inline void fold_eights(const lanes<T, eight * eight>& from,
                                               eight_of<T>& sum)
{
    eight_of<T> term[eight];
    const auto all = vec<const T>::in_memory(from.word[0], eight * eight);
    unrolled<eight>([&](auto k) __attribute__((always_inline)) {
        gather(
            all, [&](int l) __attribute__((always_inline)) { return eight * l + k; }, term[k]);
    });
    fold_unrolled<eight, eight>([&](int i, int j)
                                    __attribute__((always_inline)) { add(term[i], term[j]); });
    assign(term[0], sum);
}

}  // namespace ddla::host_backend
