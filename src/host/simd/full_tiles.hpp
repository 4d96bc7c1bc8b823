// Sums of full tiles, eight at a time, at the pace at which their terms arrive.
//
// A tile is 32 vectors of eight terms, which are made in their order, as memory likes to be read.
// With each goes one addition of vectors: to the second half of a tile its first half, and beside
// the first half what is left of the tile before.  So no tile is folded while nothing is loaded.
// What remains, eight terms of each of eight tiles, is folded side by side.
#pragma once

#include "simd8.hpp"

namespace ddla::host_backend {

template <class Sum>
class full_tiles;

template <class T, int K>
class full_tiles<sums<T, K>> {
public:
    /// Tile t of eight, in their order: the terms term(0) ... term(255).  Before eight of them from
    /// i on come ahead(i).
    template <class Term, class Ahead>
    [[gnu::always_inline]] void add_tile(int t, const Term& term, const Ahead& ahead)
    {
        eights* const now = half_[t % 2];
        for (index_t v = 0; v < half; v = opaque(v + 1)) {
            ahead(eight * v);
            make(term, eight * v, now[v]);
            if (t > 0) fold_once(half_[(t - 1) % 2], v);
        }
        if (t > 0) keep(t - 1);
        for (index_t v = 0; v < half; v = opaque(v + 1)) {
            ahead(eight * (half + v));
            eights later;
            make(term, eight * (half + v), later);
            for (int k = 0; k < K; ++k) add(now[v].of[k], later.of[k]);
        }
    }

    /// The sums of the eight tiles.
    [[gnu::always_inline]] void finish(sums<T, K>* total)
    {
        for (index_t v = 0; v < half; v = opaque(v + 1)) fold_once(half_[(eight - 1) % 2], v);
        keep(eight - 1);
        for (int k = 0; k < K; ++k) {
            eight_of<T> s;
            fold_eights(left_[k], s);
            for (int t = 0; t < eight; ++t) total[t].value[k] = s.get(t);
        }
    }

private:
    /// Of the vectors of a tile.
    static constexpr int half = tile_size / eight / 2;

    struct eights {
        eight_of<T> of[K];
    };

    template <class Term>
    [[gnu::always_inline]] static void make(const Term& term, index_t i, eights& s)
    {
#pragma GCC ivdep
#pragma GCC unroll 1
        for (int l = 0; l < eight; ++l) {
            const sums<T, K> x = term(i + l);
            for (int k = 0; k < K; ++k) s.of[k].set(l, x.value[k]);
        }
    }

    /// Addition `number` of the 15 that fold 16 vectors in half: 8, 4, 2, 1.
    [[gnu::always_inline]] static void fold_once(eights* s, index_t number)
    {
        static constexpr signed char to[] = {0, 1, 2, 3, 4, 5, 6, 7, 0, 1, 2, 3, 0, 1, 0};
        static constexpr signed char distance[] = {8, 8, 8, 8, 8, 8, 8, 8, 4, 4, 4, 4, 2, 2, 1};
        if (number == half - 1) return;
        eights& sum = s[to[number]];
        for (int k = 0; k < K; ++k) add(sum.of[k], s[to[number] + distance[number]].of[k]);
    }

    [[gnu::always_inline]] void keep(int t)
    {
        for (int k = 0; k < K; ++k) assign(half_[t % 2][0].of[k], left_[k], eight * t);
    }

    eights half_[2][half];             ///< of this tile and of the one before
    lanes<T, eight * eight> left_[K];  ///< eight terms of each tile
};

}  // namespace ddla::host_backend
