// Folds of tiles, one text for three instruction sets.  They are called once a tile, or once for
// eight of them: inlined into each sweep that ends in a sum, they took a third of its compilation.
#pragma once

#include "full_tiles.hpp"
#include "isa/isa.hpp"

namespace ddla::host_backend {

template <class T>
void fold(lanes<T>& term, index_t n)
{
    in_current_isa(
        [&](index_t, index_t terms) {
            for (index_t h = tile_size / 2; h > 0; h /= 2) {
                const index_t pairs = std::min(h, terms - h);
#pragma GCC ivdep
                for (index_t i = 0; i < pairs; ++i) term.set(i, term.get(i) + term.get(i + h));
                if (pairs > 0) terms = h;
            }
        },
        0, n);
}

template <class T>
void fold_tiles(eight_of<T>* last, index_t apart, lanes<T, eight * eight>& left, eight_of<T>& total)
{
    in_current_isa(
        [&](index_t begin, index_t end) {
            for (index_t v = begin; v < end; v = opaque(v + 1)) fold_once(last, apart, v);
            assign(last[0], left, eight * (eight - 1));
            fold_eights(left, total);
        },
        0, half_tile);
}

}  // namespace ddla::host_backend
