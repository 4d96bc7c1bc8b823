// The order of summation.
//
//     static_assert(ddla::tile_size == 256 && ddla::tiles(257) == 2);
//
// Addition rounds, so a sum has a value only once its order is fixed.  ddla fixes it by the data
// alone, never by threads, vector width, grid size, storage format or number of devices:
//
//     n <= 256: for h = 128, 64, ... 1, term i becomes term i + term i+h wherever i < h and term
//               i+h exists.  Term 0 is the sum; the sum of no terms is +0.
//     n > 256:  cut into tiles of 256 consecutive terms (the last may be shorter), sum each by
//               this rule, then sum the tile sums by this rule.
//
// Loads and products may happen in any order and by any thread.  The depth is log2(n), which
// keeps both the error and the latency low.
#pragma once

#include "views.hpp"

namespace ddla {

inline constexpr int tile_size = 256;

/// The number of tiles that n terms fill.
DDLA_HD constexpr index_t tiles(index_t n)
{
    return (n + tile_size - 1) / tile_size;
}

/// K sums that one sweep computes.
template <class T, int K>
struct sums {
    static constexpr int count = K;
    T value[K];

    DDLA_HD friend sums operator+(sums a, const sums& b)
    {
        for (int k = 0; k < K; ++k) a.value[k] = detail::plus(a.value[k], b.value[k]);
        return a;
    }
};

/// Fold n <= 256 terms in place; the sum is left in term[0].  n - 1 additions.
template <class T>
DDLA_HD constexpr void fold_in_half(T* term, int n)
{
    for (int h = tile_size / 2; h > 0; h /= 2)
        for (int i = 0; i + h < n && i < h; ++i) term[i] = detail::plus(term[i], term[i + h]);
}

/// The sum by the rule of terms that come one at a time.  Memory: 5 tiles; at most 2^40 terms.
template <class T>
class running_sum {
public:
    DDLA_HD void add(const T& term)
    {
        tile_[0][filled_[0]++] = term;
        for (int level = 0; filled_[level] == tile_size && level + 1 < levels; ++level)
            carry(level);
    }
    /// The sum of the terms so far; `zero` if there were none.  Call once.
    DDLA_HD T sum(const T& zero)
    {
        int top = levels - 1;
        while (top > 0 && filled_[top] == 0) --top;
        for (int level = 0; level < top; ++level)
            if (filled_[level] > 0) carry(level);
        if (filled_[top] == 0) return zero;
        fold_in_half(tile_[top], filled_[top]);
        return tile_[top][0];
    }

private:
    static constexpr int levels = 5;

    DDLA_HD void carry(int level)
    {
        fold_in_half(tile_[level], filled_[level]);
        filled_[level] = 0;
        tile_[level + 1][filled_[level + 1]++] = tile_[level][0];
    }

    int filled_[levels] = {};
    T tile_[levels][tile_size];
};

}  // namespace ddla
