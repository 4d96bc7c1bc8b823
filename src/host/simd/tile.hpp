// 256 terms in memory, folded in half by vector loops.
#pragma once

#include "ddla/summation.hpp"

#include <algorithm>

namespace ddla::host_backend {

/// Terms of any type.
template <class Sum>
struct tile {
    Sum term[tile_size];

    const Sum& get(index_t i) const { return term[i]; }
    void set(index_t i, const Sum& x) { term[i] = x; }
    Sum fold(int n)
    {
        fold_in_half(term, n);
        return term[0];
    }
};

/// N numbers, high words and low words apart, so that loops over numbers vectorise.
template <class T, int N = tile_size>
struct lanes {
    alignas(64) double word[words_of<T>][N];

    T get(index_t i) const { return get(i, word_numbers<T>{}); }
    void set(index_t i, T x) { set(i, x, word_numbers<T>{}); }

private:
    template <int... K>
    T get(index_t i, std::integer_sequence<int, K...>) const
    {
        return T{word[K][i]...};
    }
    template <int... K>
    void set(index_t i, const T& x, std::integer_sequence<int, K...>)
    {
        ((word[K][i] = ddla::word<K>(x)), ...);
    }
};

/// Folds n terms in half: folds.hpp.
template <class T>
void fold(lanes<T>& term, index_t n);

/// K sums at once: each its own lanes.
template <class T, int K>
requires scalar<T>
struct tile<sums<T, K>> {
    lanes<T> of[K];

    void set(index_t i, const sums<T, K>& x)
    {
        for (int k = 0; k < K; ++k) of[k].set(i, x.value[k]);
    }
    sums<T, K> fold(int n)
    {
        sums<T, K> result;
        for (int k = 0; k < K; ++k) {
            ddla::host_backend::fold(of[k], n);
            result.value[k] = of[k].get(0);
        }
        return result;
    }
};

}  // namespace ddla::host_backend
