// Products of A with several vectors, y_j = alpha A x_j + beta y_j: A is read once for eight of
// them.
//
// Compressed rows go with eight interleaved vectors (column_rows.hpp).  Patterns, and compressed
// rows with few vectors, go with one vector after the other, a tile of 256 rows at a time, which a
// cache holds.
#pragma once

#include "rows.hpp"
#include "steps/blas.hpp"

#include "formats/storage.hpp"
#include "host/simd/simd8.hpp"

#include "ddla/buffer.hpp"

#include <span>

namespace ddla::host_backend {

/// Of up to eight vectors, elements begin ... end-1.  Lanes without a vector stay as they are.
template <class T>
void interleave(std::span<const steps::spmv<T>> all, index_t begin, index_t end, eight_of<T>* to)
{
    if (all.size() == eight) {
        const double* word[eight];
        for (int w = 0; w < words_of<T>; ++w) {
            for (int l = 0; l < eight; ++l)
                word[l] = all[static_cast<std::size_t>(l)].operand.word(w);
            for (index_t i = begin; i < end; ++i)
                vector_at(to[i].word[w]) =
                    vector_of_doubles{word[0][i], word[1][i], word[2][i], word[3][i],
                                      word[4][i], word[5][i], word[6][i], word[7][i]};
        }
        return;
    }
    for (std::size_t l = 0; l < all.size(); ++l)
        for (index_t i = begin; i < end; ++i)
            to[i].set(static_cast<index_t>(l), all[l].operand.get(i));
}

class column_products {
public:
    /// Whether there is anything to gain: else each product goes alone.
    template <class V>
    static bool read_once(const csr<V>& a)
    {
        return !a.storage || a.storage->patterns.count > 0 || !a.storage->has_rows();
    }

    /// How often `count` products read A.
    template <class V>
    static std::size_t reads(const csr<V>& a, std::size_t count)
    {
        return read_once(a) ? (count + eight - 1) / eight : count;
    }

    /// Two to eight products.  for_tiles(n, work, f): f(first tile, end) on all threads.
    template <class T, class V, class ForTiles>
    void run(std::span<const steps::spmv<T>> all, const csr<V>& a, const ForTiles& for_tiles)
    {
        const index_t work = static_cast<index_t>(all.size()) * (a.rows + a.nonzeros());
        const auto for_each_tile = [&](const auto& sum_tile) {
            for_tiles(a.rows, work, [&](index_t first, index_t last) {
                for (index_t t = first; t < last; ++t)
                    sum_tile(t * tile_size, std::min(a.rows, (t + 1) * tile_size));
            });
        };
        if (a.storage && a.storage->patterns.count > 0)
            return for_each_tile([&](index_t begin, index_t end) {
                in_turn(all, a, begin, end, sum_patterns<T, V>);
            });
        if (std::ssize(all) < tuning::fewest_interleaved(words_of<T>))
            return for_each_tile(
                [&](index_t begin, index_t end) { in_turn(all, a, begin, end, sum_rows<T, V>); });
        const interleaved<T> x = interleave_all(all, a.columns, for_tiles);
        for_each_tile([&](index_t begin, index_t end) { at_once(all, a, x, begin, end); });
    }

    std::size_t bytes() const { return memory_.bytes(); }

private:
    template <class T, class ForTiles>
    interleaved<T> interleave_all(std::span<const steps::spmv<T>> all, index_t n,
                                  const ForTiles& for_tiles)
    {
        const std::size_t bytes = static_cast<std::size_t>(n) * sizeof(eight_of<T>);
        if (memory_.bytes() < bytes) memory_ = buffer(bytes, host);
        auto* const to = static_cast<eight_of<T>*>(memory_.data());
        const auto count = static_cast<index_t>(all.size());
        for_tiles(n, n * count, [&](index_t first, index_t last) {
            interleave(all, first * tile_size, std::min(n, last * tile_size), to);
        });
        interleaved<T> x{to, static_cast<int>(count), {}};
        for (int l = 0; l < x.count; ++l) x.column[l] = all[static_cast<std::size_t>(l)].operand;
        return x;
    }
    /// sum(a, x, begin, end, ax): a tile of rows for one vector.
    template <class T, class V, class Sum>
    static void in_turn(std::span<const steps::spmv<T>> all, const csr<V>& a, index_t begin,
                        index_t end, const Sum& sum)
    {
        lanes<T> ax;
        for (const steps::spmv<T>& step : all) {
            sum(a, step.operand, begin, end, ax);
            put(step, begin, end, [&](index_t i) { return ax.get(i); });
        }
    }
    template <class T, class V>
    static void at_once(std::span<const steps::spmv<T>> all, const csr<V>& a,
                        const interleaved<T>& x, index_t begin, index_t end)
    {
        eight_of<T> ax[tile_size];
        sum_rows_of_eight(a, x, begin, end, ax);
        for (std::size_t l = 0; l < all.size(); ++l)
            put(all[l], begin, end, [&](index_t i) { return ax[i].get(static_cast<index_t>(l)); });
    }
    // The step by value: see backend.hpp.
    template <class T, class Row>
    static void put(const steps::spmv<T> step, index_t begin, index_t end, const Row& row)
    {
        const auto q = step.scalars();
#pragma GCC ivdep
        for (index_t i = begin; i < end; ++i) step(i, row(i - begin), q);
    }

    buffer memory_;  ///< of interleaved vectors
};

}  // namespace ddla::host_backend
