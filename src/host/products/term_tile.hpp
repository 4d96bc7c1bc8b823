// Up to 256 short rows of A times a vector in double, lengths in no order: first the terms of all
// rows, then the sum of each.
//
// Where a row ends is a guess of the processor.  When it is wrong, what was begun after it was in
// vain: here a few additions, where terms and sums take turns it is the loads of x.  Each of the
// two is compiled for an instruction set by itself, in_current_isa(): in one function, or in one
// with those of row_tile.hpp, registers do not suffice.
#pragma once

#include "host/simd/isa.hpp"
#include "host/simd/simd8.hpp"
#include "rows.hpp"

namespace ddla::host_backend {

class term_tile {
public:
    term_tile(const csr<double>& a, vec<const double> x, lanes<double>& ax) : a_(a), x_(x), ax_(ax)
    {
    }

    /// Row begin + i becomes ax_i; offset[i] is its first entry.
    template <class I>
    void sum(index_t begin, const I* offset, int rows)
    {
        for (int i = 0; i < rows;) {
            const index_t first = offset[i];
            int end = rows;
            while (end > i && offset[end] - first > most) --end;
            if (end == i) {
                ax_.set(i, sum_row(a_, x_, begin + i));
                ++i;
            } else {
                in_current_isa([&](index_t k, index_t last) { multiply(k, last); }, first,
                               offset[end]);
                in_current_isa([&](index_t, index_t) { sum_rows(offset, i, end); }, i, end);
                i = end;
            }
        }
    }

private:
    /// So many terms stay in the first-level cache.
    static constexpr int most = 2048;

    using four_anywhere [[gnu::vector_size(32), gnu::aligned(8), gnu::may_alias]] = double;
    using four_integers [[gnu::vector_size(32)]] = std::int64_t;

    [[gnu::always_inline]] static inline const four_anywhere& four_at(const double* x)
    {
        return *reinterpret_cast<const four_anywhere*>(x);
    }

    /// The terms of the entries first ... end-1, at most `most`.
    void multiply(index_t first, index_t end)
    {
        const entries<double> from(a_, first);
        const vec<const double> x = x_;
        const index_t n = end - first;
        index_t k = 0;
        for (; k + eight <= n; k += eight) {
            fetch_entries_behind(from, k);
            products_of_neighbours(from, x, k, *reinterpret_cast<eight_of<double>*>(term_ + k));
        }
        for (; k < n; ++k) term_[k] = x.get(from.column[k]) * from.value.get(k);
    }

    /// Rows i ... end-1, all of whose terms are there.
    template <class I>
    void sum_rows(const I* offset, int i, int end)
    {
        double* const ax = ax_.word[0];
        double* term = term_;
        for (; i < end; ++i) {
            const int n = static_cast<int>(offset[i + 1] - offset[i]);
            ax[i] = n == 0 ? 0 : n <= tile_size ? sum_of(term, n) : sum_of_tiles(term, n);
            term += n;
        }
    }

    static double sum_of_tiles(double* term, int n)
    {
        running_sum<double> sum;
        for (int k = 0; k < n; k += tile_size)
            sum.add(sum_of(term + k, std::min(tile_size, n - k)));
        return sum.sum(0);
    }

    /// The sum of 1 to 256 terms, some of which it overwrites.
    [[gnu::always_inline]] static inline double sum_of(double* term, int n)
    {
        if (n <= 8) {
            four_doubles sum, right;
            load_present(term, 0, n, sum);
            load_present(term, 4, n, right);
            sum += right;
            return fold_lanes(sum);
        }
        if (n <= 16) return fold_from<2>(term, n);
        if (n <= 32) return fold_from<4>(term, n);
        for (int h = n > 128 ? 128 : 64; h > 32; h /= 2) {
            const int pairs = std::min(h, n - h);
#pragma GCC ivdep
            for (int i = 0; i < pairs; ++i) term[i] += term[i + h];
            if (pairs > 0) n = h;
        }
        return fold_from<8>(term, n);
    }
    /// More than 4 F and up to 8 F terms.
    template <int F>
    [[gnu::always_inline]] static inline double fold_from(const double* term, int n)
    {
        four_doubles sum[F];
        unrolled<F>([&](auto k) __attribute__((always_inline)) {
            load_present(term, 4 * (k + F), n, sum[k]);
            sum[k] = four_at(term + 4 * k) + sum[k];
        });
        fold_unrolled<F, F / 2>([&](int i, int j)
                                    __attribute__((always_inline)) { sum[i] += sum[j]; });
        return fold_lanes(sum[0]);
    }
    /// The terms k ... k+3 of n; -0, which changes no other number, in the place of absent ones.
    [[gnu::always_inline]] static inline void load_present(const double* term, int k, int n,
                                                           four_doubles& to)
    {
        to = four_integers{k, k + 1, k + 2, k + 3} < n ? four_at(term + k)
                                                       : four_anywhere{-0.0, -0.0, -0.0, -0.0};
    }

    csr<double> a_;
    vec<const double> x_;
    lanes<double>& ax_;
    /// Up to 31 behind the last one are read, and ignored.
    alignas(64) double term_[most + 32];
};

}  // namespace ddla::host_backend
