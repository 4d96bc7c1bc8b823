// The summation rule in a thread, a warp and a block.  An absent term is never added as a zero:
// that would turn -0 into +0 and Inf in double-double into NaN.  (tile_leaves.cuh adds what changes
// nothing, and says why.)
#pragma once

#include "warp.cuh"

namespace ddla::device_backend {

/// The lowest `bits` of c in reverse order: the first slot of leaf c of a tree of 2^bits leaves.
__device__ __forceinline__ int reversed_bits(int c, int bits)
{
    return static_cast<int>(__brev(unsigned(c)) >> 1 >> (31 - bits));
}

/// The number of terms in a tile, of n terms in all.
__device__ __forceinline__ int terms_in(index_t n, index_t tile)
{
    const index_t left = n - tile * tile_size;
    return static_cast<int>(left < tile_size ? left : tile_size);
}

/// The fold of term(R), term(R + S), term(R + 2 S), ... below N, those for which exists(r) holds;
/// term(R) does.  S(r, s) = S(r, 2 s) + S(r + s, 2 s): at most log2 N partial sums are alive.
template <int N, int R = 0, int S = 1, class Term, class Exists>
__device__ __forceinline__ auto fold_in_thread(const Term& term, const Exists& exists)
{
    if constexpr (S == N) {
        return term(R);
    } else {
        auto sum = fold_in_thread<N, R, 2 * S>(term, exists);
        if (exists(R + S)) sum = sum + fold_in_thread<N, R + S, 2 * S>(term, exists);
        return sum;
    }
}

/// As fold_in_thread for terms 0, ..., Count - 1, without branches: all sums are computed, and
/// exists(r) selects which of them are used.
template <int N, int Count, int R = 0, int S = 1, class Term, class Exists>
__device__ __forceinline__ auto fold_all(const Term& term, const Exists& exists)
{
    if constexpr (S == N) {
        return term(R);
    } else {
        const auto left = fold_all<N, Count, R, 2 * S>(term, exists);
        if constexpr (R + S < Count) {
            const auto sum = left + fold_all<N, Count, R + S, 2 * S>(term, exists);
            return exists(R + S) ? sum : left;
        } else {
            return left;
        }
    }
}

/// The fold of one value a lane, in the first `lanes` lanes (a power of two) of which those below
/// `count` hold a term; the result is in the first.  Groups of `lanes` lanes work side by side.
template <class Value>
__device__ __forceinline__ Value fold_lanes(Value sum, int lane, int lanes, int count)
{
    for (int h = lanes / 2; h > 0; h /= 2) {
        const Value other = from_lane_above(sum, h);
        if (lane < h && lane + h < count) sum = sum + other;
    }
    return sum;
}

/// The fold of 1 <= count <= 256 terms by a warp: lane l takes l, l + 32, ..., the result is in
/// lane 0.  term(r) is term l + 32 r, asked for only where it exists.
template <class Value, class Term>
__device__ __forceinline__ Value fold_tile(int count, const Term& term)
{
    constexpr int each = tile_size / warp_size;
    const int lane = threadIdx.x % warp_size;
    Value sum{};
    if (count == tile_size)
        sum = fold_in_thread<each>(term, [](int) { return true; });
    else if (lane < count)
        sum = fold_in_thread<each>(term, [=](int r) { return lane + r * warp_size < count; });
    return fold_lanes(sum, lane, warp_size, count);
}

/// Leaf number c of a tree has this sum: add it to the parts of the tree that it completes.
///
/// The tree of the rule, read from its leaves, is walked like a binary counter with one partial sum
/// a level.  exists(k): whether the part that begins with leaf k has a term, which it has if its
/// first leaf has one; where the right part has none, the left one is the sum.  Behind the last
/// leaf `sum` is that of the tree.
template <class Partial, class Value, class Exists>
__device__ __forceinline__ void carry(Partial& partial, int c, Value& sum, const Exists& exists)
{
    const auto goes_up = [&](int l) {
        if (!(c >> l & 1)) {
            partial.put(l, sum);
            return false;
        }
        const Value left = partial.get(l);
        sum = exists(c >> l << l) ? left + sum : left;
        return true;
    };
    if constexpr (Partial::in_registers) {
        // Without an exit from the loop, so that it unrolls and levels are constants.
        bool up = true;
#pragma unroll
        for (int l = 0; l < Partial::levels; ++l)
            if (up) up = goes_up(l);
    } else {
#pragma unroll 1
        for (int l = 0; l < Partial::levels && goes_up(l); ++l) {
        }
    }
}

/// Partial sums of each thread of a block, one a level of the tree: in shared memory, for they
/// live longer than registers last.
template <class Value, int Levels, int Threads = block_size>
class partial_sums {
public:
    static constexpr int levels = Levels;
    static constexpr bool in_registers = false;

    __device__ __forceinline__ void put(int level, const Value& x)
    {
        by_words(x, [&](word w, int k) { return words_[level][k][threadIdx.x] = w; });
    }
    __device__ __forceinline__ Value get(int level) const
    {
        return by_words(Value{}, [&](word, int k) { return words_[level][k][threadIdx.x]; });
    }

private:
    word words_[Levels][value_words<Value>][Threads];
};
/// The same in registers, of a thread with few levels.
template <class Value, int Levels>
struct partial_sums_in_registers {
    static constexpr int levels = Levels;
    static constexpr bool in_registers = true;
    Value of[Levels];

    __device__ __forceinline__ void put(int level, const Value& x) { of[level] = x; }
    __device__ __forceinline__ Value get(int level) const { return of[level]; }
};
/// The same of a warp: lane l has the sum of level l.
template <class Value>
struct partial_sums_of_warp {
    static constexpr int levels = warp_size;
    static constexpr bool in_registers = false;
    Value mine;

    __device__ __forceinline__ void put(int level, const Value& x)
    {
        if (static_cast<int>(threadIdx.x % warp_size) == level) mine = x;
    }
    __device__ __forceinline__ Value get(int level) const { return from_lane(mine, level); }
};

/// As fold_tile, in `Turns` turns.  In turn c all lanes call term(r), where r is c with its bits
/// reversed: it returns the fold of terms l + 32 r, l + 32 (r + Turns), ..., or anything if there
/// is none.
template <class Value, int Turns = tile_size / warp_size, int Levels, int Threads, class Term>
__device__ __forceinline__ Value fold_tile_by_turns(partial_sums<Value, Levels, Threads>& partial,
                                                    int count, const Term& term)
{
    static_assert(Turns <= 1 << Levels);
    const int lane = threadIdx.x % warp_size;
    const auto first = [](int c) {
        return Turns == 1 ? 0 : static_cast<int>(__brev(unsigned(c) * (32 / Turns)) >> 27);
    };
    Value sum{};
#pragma unroll 1
    for (int c = 0; c < Turns; ++c) {
        sum = term(first(c));
        if (Turns > 1)
            carry(partial, c, sum, [&](int k) { return lane + first(k) * warp_size < count; });
    }
    return fold_lanes(sum, lane, warp_size, count);
}

/// Which of four tiles a lane ends up with.
__device__ __forceinline__ int tile_of_lane(int lane)
{
    return (lane >> 4 & 1) | (lane >> 2 & 2);
}

/// The folds of four full tiles by a warp; tile(k)(r) is term l + 32 r of tile k.  Lanes share the
/// work of the upper levels: lane 8 j has the sum of tile tile_of_lane(8 j).
template <class Value, class Tile>
__device__ __forceinline__ Value fold_four_tiles(const Tile& tile)
{
    constexpr int each = tile_size / warp_size;
    const int lane = threadIdx.x % warp_size;
    // Of two sums a lane keeps the one that its bit `h` names, and adds the other lane's part.
    const auto halve = [=](const Value& a, const Value& b, int h) {
        const bool upper = lane & h;
        const Value other = from_other_lane(upper ? a : b, h);
        return upper ? other + b : a + other;
    };
    const auto one = [&](int k) {
        const auto term = tile(k);
        return fold_in_thread<each>([&](int r) { return term(r); }, [](int) { return true; });
    };
    Value half[2];
#pragma unroll
    for (int k = 0; k < 2; ++k) {
        const Value a = one(2 * k), b = one(2 * k + 1);
        half[k] = halve(a, b, 16);
    }
    return fold_lanes(halve(half[0], half[1], 8), lane % 8, 8, 8);
}

/// Partial sums level by level: of tiles, of groups of 256 tiles, ...; and how many of the sums of
/// each group have arrived.
template <class Sum>
struct arrival_tree {
    Sum* part;
    unsigned* arrived;  ///< all zero between kernels
};

/// Called by each block that has stored the sums first, ..., first + count - 1 of m, all
/// of one group, in up.part (in `total` of its leading thread if m is 1).  The last arrival of a
/// group folds it and goes on with the next level; the others return false.  True for the last
/// arrival of all: `total` of its leading thread is the sum.
///
/// `Who` is a block (sweep.cuh): leads() is true for its leading thread, told(x) broadcasts that
/// thread's x behind a barrier, fold(size, sums) folds.
template <class Who, class Sum>
__device__ __forceinline__ bool fold_on_arrival(const Who& who, arrival_tree<Sum> up, index_t m,
                                                index_t first, int count, Sum& total)
{
#pragma unroll 1
    for (; m > 1; m = tiles(m)) {
        const index_t group = first / tile_size;
        const int size = terms_in(m, group);
        bool last = false;
        if (who.leads()) {
            __threadfence();
            last = atomicAdd(up.arrived + group, static_cast<unsigned>(count)) + count ==
                   static_cast<unsigned>(size);
            if (last) up.arrived[group] = 0;
            __threadfence();
        }
        if (!who.told(last)) return false;
        total = who.fold(size, up.part + group * tile_size);
        up.part += m;
        up.arrived += tiles(m);
        if (who.leads()) up.part[group] = total;
        first = group;
        count = 1;
    }
    return true;
}

/// The numbers that a value consists of, each of which folds by itself.
template <class Value>
struct parts_of {
    using part = Value;
    static constexpr int count = 1;
};
template <class T, int K>
struct parts_of<sums<T, K>> {
    using part = T;
    static constexpr int count = K;
};

/// Storage of a value in shared memory, where variables may have no constructor.
template <class Value>
class shared_value {
public:
    __device__ __forceinline__ Value& whole() { return *reinterpret_cast<Value*>(words_); }
    __device__ __forceinline__ void put(int k, word x) { words_[k] = x; }

private:
    alignas(16) word words_[value_words<Value>];
};

/// The fold of 1 <= count <= 256 terms by a warp; word k of term i is word[k * block_size + i], in
/// shared memory of which all may be read.  All lanes receive the sum.  Not inlined: a kernel with
/// many calls of it would wait for its own instructions.
template <class Value>
__device__ __noinline__ Value fold_words(int count, const word* words)
{
    __builtin_assume(__isShared(words));
    const int lane = threadIdx.x % warp_size;
    const auto term = [=](int r) {
        return by_words(Value{},
                        [=](word, int k) { return words[k * block_size + lane + r * warp_size]; });
    };
    const auto exists = [=](int r) { return lane + r * warp_size < count; };
    Value sum{};
    if (count <= warp_size)
        sum = term(0);
    else if (count <= 4 * warp_size)
        sum = fold_all<4, 4>(term, exists);
    else
        sum = fold_all<8, 8>(term, exists);
#pragma unroll
    for (int h = warp_size / 2; h > 0; h /= 2) {
        const Value both = sum + from_lane_above(sum, h);
        sum = lane + h < count ? both : sum;
    }
    return from_lane(sum, 0);
}

/// Values that the threads of a block leave for one of its warps to fold.
template <class Value>
class terms_of_block {
public:
    __device__ __forceinline__ void put(const Value& x)
    {
        by_words(x, [&](word w, int k) { return words_[k][threadIdx.x] = w; });
    }
    /// By one warp, once `count` threads have put theirs; the result is in its lane 0.
    __device__ __forceinline__ Value fold(int count) const
    {
        Value sum;
        auto* const parts = reinterpret_cast<part*>(&sum);
#pragma unroll
        for (int k = 0; k < parts_of<Value>::count; ++k) {
            parts[k] = fold_part(count, words_ + k * value_words<part>);
            __syncwarp();  // the terms of one part at a time in registers
        }
        return sum;
    }
    /// The same, each part by a warp of its own: all threads call this.  In all lanes of those
    /// warps, done(k, w) receives word k of the result.
    template <class Done>
    __device__ __forceinline__ void fold_by_warps(int count, const Done& done) const
    {
        static_assert(parts_of<Value>::count <= warps_per_block);
        const int warp = threadIdx.x / warp_size;
        if (warp >= parts_of<Value>::count) return;
        const int first = warp * value_words<part>;
        const part sum = fold_words<part>(count, words_[first]);
        by_words(sum, [&](word w, int k) {
            done(first + k, w);
            return w;
        });
    }

private:
    using part = typename parts_of<Value>::part;
    using row = word[block_size];

    __device__ __forceinline__ static part fold_part(int count, const row* words)
    {
        const int lane = threadIdx.x % warp_size;
        return fold_tile<part>(count, [&](int r) {
            return by_words(part{}, [&](word, int k) { return words[k][lane + r * warp_size]; });
        });
    }

    word words_[value_words<Value>][block_size];
};

}  // namespace ddla::device_backend
