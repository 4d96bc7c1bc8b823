// Sums of full tiles, eight at a time, with additions overlapping the loads of terms.
//
// A tile is 32 vectors of eight terms, made in memory order.  With each vector goes one vector
// addition: in the first half of a tile, one that folds the previous tile further; in the second
// half, to its counterpart of the first half.  So loads never pause for a fold.  In the end, eight
// terms are left of each of eight tiles, and are folded together.
#pragma once

#include "simd8.hpp"

namespace ddla::host_backend {

/// Half the vectors of a tile.
inline constexpr int half_tile = tile_size / eight / 2;

/// Addition `number` of the 15 that fold 16 vectors in half: 8, 4, 2, 1.  They are `apart`.
template <class T>
[[gnu::always_inline]] inline void fold_once(eight_of<T>* s, index_t apart, index_t number)
{
    static constexpr signed char to[] = {0, 1, 2, 3, 4, 5, 6, 7, 0, 1, 2, 3, 0, 1, 0};
    static constexpr signed char distance[] = {8, 8, 8, 8, 8, 8, 8, 8, 4, 4, 4, 4, 2, 2, 1};
    if (number == half_tile - 1) return;
    const index_t first = to[number];
    add(s[first * apart], s[(first + distance[number]) * apart]);
}

/// The sums of eight tiles, of which the last has 16 vectors left, and the others eight terms each:
/// folds.hpp.
template <class T>
void fold_tiles(eight_of<T>* last, index_t apart, lanes<T, eight * eight>& left,
                eight_of<T>& total);

template <class Sum>
class full_tiles;

template <class T, int K>
class full_tiles<sums<T, K>> {
public:
    /// Tile t of the eight, in this order: its terms are term(0) ... term(255).  Calls ahead(i),
    /// for a prefetch, before it makes terms i ... i + 7.
    template <class Term, class Ahead>
    [[gnu::always_inline]] void add_tile(int t, const Term& term, const Ahead& ahead)
    {
        eights* const now = half_[t % 2];
        for (index_t v = 0; v < half; v = opaque(v + 1)) {
            ahead(eight * v);
            make(term, eight * v, now[v]);
            if (t > 0)
                for (int k = 0; k < K; ++k) fold_once(&half_[(t - 1) % 2][0].of[k], K, v);
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
        for (int k = 0; k < K; ++k) {
            eight_of<T> s;
            fold_tiles(&half_[(eight - 1) % 2][0].of[k], K, left_[k], s);
            for (int t = 0; t < eight; ++t) total[t].value[k] = s.get(t);
        }
    }

private:
    static constexpr int half = half_tile;

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

    [[gnu::always_inline]] void keep(int t)
    {
        for (int k = 0; k < K; ++k) assign(half_[t % 2][0].of[k], left_[k], eight * t);
    }

    eights half_[2][half];             ///< of this tile and of the previous one
    lanes<T, eight * eight> left_[K];  ///< the last eight terms of each tile
};

}  // namespace ddla::host_backend
