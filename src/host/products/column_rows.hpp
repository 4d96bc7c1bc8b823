// Up to 256 row sums of A x for up to eight vectors x at once, by the summation rule, on one
// thread: one vector a SIMD lane.
//
// The vectors are interleaved first: element c of all eight lies side by side, word by word, so
// that an entry of A in column c loads one or two cache lines for all of them.  Each lane adds in
// the order in which its vector alone would be summed.
#pragma once

#include "host/simd/all_units.hpp"
#include "rows.hpp"

#include <bit>

namespace ddla::host_backend {

/// Eight products with one entry.
template <class T, class V>
[[gnu::always_inline]] inline void multiply_by(const eight_of<T>& factor, V value,
                                               eight_of<T>& product)
{
#pragma GCC unroll 1
    for (int l = 0; l < eight; ++l) product.set(l, factor.get(l) * value);
}

template <class T, class V, additions_by By>
class column_rows {
public:
    column_rows(const csr<V>& a, const interleaved<T>& x, eight_of<T>* ax)
        : a_(a), from_(a), x_(x), ax_(ax)
    {
    }

    /// Row begin + i of A x becomes ax[i].
    void sum(index_t begin, index_t end)
    {
        index_t k = a_.row_begin[begin];
        for (index_t i = begin; i < end; ++i) {
            const index_t next = a_.row_begin[i + 1], n = next - k;
            eight_of<T>& to = ax_[i - begin];
            prefetch_entries(from_, k);
            if (n > tile_size)
                sum_long(i, to);
            else if (n > 0)
                sum_tile(k, static_cast<int>(n), to);
            else
                for (int l = 0; l < eight; ++l) to.set(l, T(0));
            k = next;
        }
    }

private:
    /// Terms k, k + apart, ..., N of them: term m + h is added to term m for h = 4, 2, 1.
    template <int N>
    [[gnu::always_inline]] void sum_apart(index_t k, index_t apart, eight_of<T>& to) const
    {
        eight_of<T> term[N];
        unrolled<N>([&](auto m) __attribute__((always_inline)) {
            const index_t at = k + m * apart;
            multiply_by(x_.of[from_.column[at]], from_.value.get(at), term[m]);
        });
        fold_unrolled<N, eight>([&](int i, int j)
                                    __attribute__((always_inline)) { add<By>(term[i], term[j]); });
        assign(term[0], to);
    }

    /// 1 to 256 terms: first those that are `apart` from each other, up to eight, then the rest.
    void sum_tile(index_t k, int n, eight_of<T>& to) const
    {
        const int apart =
            std::max(1, static_cast<int>(std::bit_ceil(static_cast<unsigned>(n))) / eight);
        const int most = (n + apart - 1) / apart, with_most = n - (most - 1) * apart;
        if (apart == 1)
            return with_constant<1, eight>(
                most, [&](auto m) __attribute__((always_inline)) { sum_apart<m>(k, 1, to); });
        eight_of<T> part[tile_size / eight];
        with_constant<eight / 2 + 1, eight>(
            most, [&](auto m) __attribute__((always_inline)) {
                for (int b = 0; b < with_most; ++b) sum_apart<m>(k + b, apart, part[b]);
                for (int b = with_most; b < apart; ++b) sum_apart<m - 1>(k + b, apart, part[b]);
            });
        for (int h = apart / 2; h > 0; h /= 2)
            for (int b = 0; b < h; ++b) add<By>(part[b], part[b + h]);
        assign(part[0], to);
    }

    void sum_long(index_t i, eight_of<T>& to) const
    {
        for (int l = 0; l < x_.count; ++l) to.set(l, sum_row(a_, x_.column[l], i));
    }

    csr<V> a_;
    entries<V> from_;
    const interleaved<T>& x_;
    eight_of<T>* ax_;
};

}  // namespace ddla::host_backend
