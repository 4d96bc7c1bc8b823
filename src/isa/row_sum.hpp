// The sum of a stored row times x, by the summation rule: for rows that wait for each other, which
// are done one at a time.
#pragma once

#include "ddla/summation.hpp"

#include <algorithm>
#include <memory>

namespace ddla::host_backend {

/// Terms are x's elements times values, in x's precision.
template <scalar T, scalar F>
class row_sum {
public:
    /// `value.size` entries.
    [[gnu::always_inline]] T operator()(vec<const F> value, const column_t* column, vec<const T> x)
    {
        const index_t n = value.size;
        if (n > tile_size) return long_row(value, column, x);
        const vec<T> term = vec<T>::in_memory(word_, tile_size);
#pragma GCC ivdep
        for (index_t k = 0; k < n; ++k) term.set(k, x.get(column[k]) * value.get(k));
        return folded(term, static_cast<int>(n));
    }

private:
    /// As fold_in_half, from the first step that does something.
    [[gnu::always_inline]] static T folded(vec<T> term, int n)
    {
        if (n == 0) return T(0);
        int h = 1;
        while (2 * h < n) h *= 2;
        for (int m = n; h > 0; m = h, h /= 2) {
            const int pairs = std::min(h, m - h);
#pragma GCC ivdep
            for (int i = 0; i < pairs; ++i) term.set(i, term.get(i) + term.get(i + h));
        }
        return term.get(0);
    }
    static T long_row(vec<const F> value, const column_t* column, vec<const T> x)
    {
        const auto sum = std::make_unique<running_sum<T>>();
        for (index_t k = 0; k < value.size; ++k) sum->add(x.get(column[k]) * value.get(k));
        return sum->sum(T(0));
    }

    alignas(64) double word_[words_of<T> * tile_size];
};

}  // namespace ddla::host_backend
