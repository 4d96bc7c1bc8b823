// Sums of the rows of triangles by a warp, which waits for the unknowns that they need.
#pragma once

#include "device/core/grid_exchange.cuh"
#include "engine/triangles.hpp"

namespace ddla::device_backend {

/// Unknowns that warps leave for each other, one slot a word, the words of an unknown side by side:
/// a value and the number of the solve.  So slots are never cleared, NaN is a value as any other,
/// and no fence is needed between a value and its flag.
template <class W>
class unknown_slots {
public:
    static constexpr int words = value_words<W>;

    __device__ unknown_slots(slot* all, word solve) : all_(all), solve_(solve) {}

    __device__ __forceinline__ void put(index_t unknown, index_t /*row*/, const W& x) const
    {
        by_words(x, [&](word w, int k) {
            leave(all_ + unknown * words + k, {w, solve_});
            return w;
        });
    }
    __device__ __forceinline__ void put_far(index_t, const W&) const {}
    /// One that is there.
    __device__ __forceinline__ W of_complete(index_t unknown) const
    {
        return by_words(W{}, [&](word, int w) { return __ldcg(&all_[unknown * words + w].value); });
    }
    /// An unknown of the triangle before has come as a rule: looked at early, it costs no time.
    struct early {
        slot got[words];
    };
    __device__ __forceinline__ void look_early(index_t unknown, early& seen) const
    {
#pragma unroll
        for (int w = 0; w < words; ++w) seen.got[w] = look_at(all_ + unknown * words + w);
    }
    __device__ __forceinline__ W await(index_t unknown, const early& seen) const
    {
        bool here = true;
#pragma unroll
        for (int w = 0; w < words; ++w) here = here && seen.got[w].number == solve_;
        if (here) return by_words(W{}, [&](word, int w) { return seen.got[w].value; });
        const column_t one[] = {static_cast<column_t>(unknown)};
        W x[1];
        take(one, glance<1>{}, x);
        return x[0];
    }
    /// Nothing: an unknown that has not come has to be looked at again.
    template <int Count>
    struct glance {
    };
    template <int Count>
    __device__ __forceinline__ void look(const column_t (&)[Count], glance<Count>&) const
    {
    }
    /// Polls until all of them have come: their loads are in flight together.
    template <int Count>
    __device__ __forceinline__ void take(const column_t (&unknown)[Count], const glance<Count>&,
                                         W (&x)[Count]) const
    {
        slot got[Count][words];
        bounded_wait wait;
        while (true) {
            bool here = true;
#pragma unroll
            for (int k = 0; k < Count; ++k)
#pragma unroll
                for (int w = 0; w < words; ++w)
                    got[k][w] = look_at(all_ + index_t{unknown[k]} * words + w);
#pragma unroll
            for (int k = 0; k < Count; ++k)
#pragma unroll
                for (int w = 0; w < words; ++w) here = here && got[k][w].number == solve_;
            if (here) break;
            wait.look_again("an unknown of a triangle");
        }
#pragma unroll
        for (int k = 0; k < Count; ++k)
            x[k] = by_words(W{}, [&](word, int w) { return got[k][w].value; });
    }

private:
    slot* all_;
    word solve_;
};

/// The leaves of the tree of the summation rule over m tiles, in the order in which a walk like a
/// binary counter (`carry`) adds them up: numbers below 256 with their bits reversed; above that
/// every eight bits, for groups of 256 are trees of their own.
class tile_leaves_in_order {
public:
    __device__ explicit tile_leaves_in_order(index_t m) : m_(m) {}

    /// Leaves, of which those of tiles >= m are not there.
    __device__ __forceinline__ index_t count() const
    {
        index_t leaves = 1, m = m_;
        for (; m > tile_size; m = tiles(m)) leaves *= tile_size;
        return leaves << bits_for(m);
    }
    __device__ __forceinline__ index_t tile(index_t leaf) const
    {
        index_t tile = 0, m = m_;
        int shift = 0;
        for (; m > tile_size; m = tiles(m), shift += digit, leaf >>= digit)
            tile += index_t{reversed_bits(static_cast<int>(leaf & (tile_size - 1)), digit)}
                    << shift;
        return tile + (index_t{reversed_bits(static_cast<int>(leaf), bits_for(m))} << shift);
    }

private:
    static constexpr int digit = 8;
    static_assert(1 << digit == tile_size);

    __device__ static int bits_for(index_t m) { return 32 - __clz(static_cast<int>(m) - 1); }

    index_t m_;
};

/// Sums of rows with entries of F; terms in W.  `Unknowns` looks at unknowns that are not far from
/// being needed, and takes them when they are.
template <class W, class F, class Unknowns>
class awaited_rows {
public:
    __device__ awaited_rows(const triangle_list<F>& a, const Unknowns& x)
        : column_(a.column), value_(a.value), x_(x)
    {
    }

    /// Of `length` <= lanes entries from `entry` on, by so many lanes; the result is in the first.
    /// All threads of the warp call this, those without a row with length 0.  ready() is called
    /// between loads of entries and the first use of unknowns.
    template <class Ready>
    __device__ __forceinline__ W short_sum(index_t entry, int length, int lane, int lanes,
                                           const Ready& ready) const
    {
        terms<1> mine;
        if (lane < length) load<0, each>(mine, entry + lane, 1);
        ready();
        W sum(0);
        if (lane < length) sum = fold<0, each>(mine, 1);
        return fold_lanes(sum, lane, lanes, length);
    }
    /// Of any length > 0, by a warp; the result is in all lanes.
    template <class Ready>
    __device__ __forceinline__ W long_sum(index_t entry, index_t length, const Ready& ready) const
    {
        const tile_leaves_in_order leaves(tiles(length));
        partial_sums_of_warp<W> partial{};
        W sum(0);
        for (index_t leaf = 0; leaf < leaves.count(); ++leaf) {
            const index_t tile = leaves.tile(leaf);
            if (tile < tiles(length))
                sum = sum_of_tile(entry + tile * tile_size, terms_in(length, tile), [&] {
                    if (leaf == 0) ready();
                });
            if (length > tile_size)
                carry(partial, static_cast<int>(leaf), sum,
                      [&](int k) { return leaves.tile(k) < tiles(length); });
        }
        return sum;
    }

private:
    static constexpr int each = tile_size / warp_size;
    static constexpr int stride = each / tuning::polls_of_triangles(words_of<W>);
    static_assert(stride == 1 || stride == 2);

    template <int Count>
    struct terms {
        column_t unknown[Count];
        F value[Count];
        typename Unknowns::template glance<Count> seen;
    };

    /// Of terms R, R + S, ... < 8 of a lane, those with number * 32 < left; R is one.
    template <int R, int S>
    __device__ __forceinline__ void load(terms<each / S>& of, index_t entry, int left) const
    {
#pragma unroll
        for (int k = 0; k < each / S; ++k) {
            const int r = (R + k * S) * warp_size < left ? R + k * S : R;
            of.unknown[k] = load_once(column_ + entry + r * warp_size);
            of.value[k] = load_by_words(value_, entry + r * warp_size,
                                        [](const double* from) { return load_once(from); });
        }
        x_.look(of.unknown, of.seen);
    }
    template <int R, int S>
    __device__ __forceinline__ W fold(const terms<each / S>& of, int left) const
    {
        W x[each / S];
        x_.take(of.unknown, of.seen, x);
        return fold_in_thread<each, R, S>(
            [&](int r) { return x[(r - R) / S] * of.value[(r - R) / S]; },
            [=](int r) { return r * warp_size < left; });
    }
    /// Of 1 <= count <= 256 entries, by a warp; in all lanes.
    template <class Ready>
    __device__ __forceinline__ W sum_of_tile(index_t entry, int count, const Ready& ready) const
    {
        const int lane = threadIdx.x % warp_size, left = count - lane;
        terms<each / stride> mine;
        if (left > 0) load<0, stride>(mine, entry + lane, left);
        ready();
        W sum(0);
        if (left > 0) {
            sum = fold<0, stride>(mine, left);
            if constexpr (stride == 2)
                if (left > warp_size) {
                    load<1, 2>(mine, entry + lane, left);
                    sum = sum + fold<1, 2>(mine, left);
                }
        }
        return from_lane(fold_lanes(sum, lane, warp_size, count), 0);
    }

    // By value: a reference would keep all of a thread's variables in local memory.
    const column_t* column_;
    vec<const F> value_;
    Unknowns x_;
};

}  // namespace ddla::device_backend
