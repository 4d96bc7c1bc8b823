// All-reduce and gather between the blocks of a cooperative kernel.
//
// A grid barrier followed by loads of the sums would take two round trips through L2, and a third
// for the scalars.  Here every block stores the sum of its tile in slots, polls those of all
// others, and folds them itself: one round trip, after which all blocks hold the same sum.  (If
// blocks have many tiles, one block folds those of a group for all: two round trips.)  Elements
// that other blocks gather are published in slots, too, and a block polls just those that it needs.
//
// A slot is one access of 16 bytes: a value and the sequence number of its exchange.  So slots are
// never cleared, and no fence is needed to order a value and its flag: fences took more time than
// all the work between two barriers.
#pragma once

#include "fold.cuh"
#include "spin.cuh"

namespace ddla::device_backend {

/// A value and the sequence number of its exchange.
struct slot {
    word value, number;
};

// One atomic access of 16 bytes: b128 is a scalar type (PTX ISA 8.3).
__device__ __forceinline__ void leave(slot* to, slot x)
{
    asm volatile("{\n\t.reg .b128 whole;\n\t"
                 "mov.b128 whole, {%1, %2};\n\t"
                 "st.relaxed.gpu.global.b128 [%0], whole;\n\t}"
                 :
                 : "l"(to), "l"(x.value), "l"(x.number)
                 : "memory");
}
__device__ __forceinline__ slot look_at(const slot* from)
{
    slot x;
    asm volatile("{\n\t.reg .b128 whole;\n\t"
                 "ld.relaxed.gpu.global.b128 whole, [%2];\n\t"
                 "mov.b128 {%0, %1}, whole;\n\t}"
                 : "=l"(x.value), "=l"(x.number)
                 : "l"(from)
                 : "memory");
    return x;
}

/// The slots of exchanges, double-buffered by the parity of the number: word w of value i.
struct slots_in_turns {
    slot* all;
    unsigned capacity;

    static constexpr int most_words = 4;  ///< two sums in double-double
    static constexpr std::size_t slots(std::size_t capacity) { return 2 * most_words * capacity; }

    __device__ slot* at(word number, int w, unsigned i) const
    {
        return all + (static_cast<unsigned>(number & 1) * most_words + w) * capacity + i;
    }
    /// Polls until value i of that exchange has arrived.
    template <class Value>
    __device__ __forceinline__ Value await(word number, unsigned i) const
    {
        static_assert(value_words<Value> <= most_words);
        slot got[value_words<Value>];
        bounded_wait wait;
        while (true) {
            bool here = true;
#pragma unroll
            for (int w = 0; w < value_words<Value>; ++w) got[w] = look_at(at(number, w, i));
#pragma unroll
            for (int w = 0; w < value_words<Value>; ++w) here = here && got[w].number == number;
            if (here) break;
            wait.look_again("a sum of another block");
        }
        return by_words(Value{}, [&](word, int w) { return got[w].value; });
    }
    /// Says that i has come to that exchange, without a value.
    __device__ __forceinline__ void arrive(word number, unsigned i) const
    {
        leave(at(number, 0, i), {0, number});
    }
    __device__ __forceinline__ void await_arrival(word number, unsigned i) const
    {
        bounded_wait wait;
        while (look_at(at(number, 0, i)).number != number) wait.look_again("another block");
    }
};

/// Up to 256 values that all blocks of a kernel poll.  There are several copies, because polls of
/// one address delay each other.
class polled_values {
public:
    static constexpr unsigned copies = tuning::copies_of_sums;
    static constexpr std::size_t slots = copies * slots_in_turns::slots(tile_size);

    __device__ explicit polled_values(slot* all) : all_(all) {}

    /// Lane k writes copy k.
    __device__ __forceinline__ void put(word number, int w, unsigned i, word x) const
    {
        const unsigned lane = threadIdx.x % warp_size;
        if (lane < copies) leave(copy(lane).at(number, w, i), {x, number});
    }
    /// The fold of the first `count`, in `total` after a barrier.  All threads call this.
    template <class Sum>
    __device__ __forceinline__ void fold(word number, int count, terms_of_block<Sum>& room,
                                         shared_value<Sum>& total) const
    {
        if (threadIdx.x < static_cast<unsigned>(count))
            room.put(copy(blockIdx.x % copies).await<Sum>(number, threadIdx.x));
        __syncthreads();
        room.fold_by_warps(count, [&](int w, word x) {
            if (threadIdx.x % warp_size == 0) total.put(w, x);
        });
    }
    /// Says that i has come to that exchange, which has no sums.
    __device__ void arrive(word number, unsigned i) const { copy(0).arrive(number, i); }
    __device__ void await_arrival(word number, unsigned i) const
    {
        copy(0).await_arrival(number, i);
    }

private:
    __device__ slots_in_turns copy(unsigned k) const
    {
        constexpr std::size_t each = slots / copies;
        return {all_ + k * each, tile_size};
    }

    slot* all_;
};

/// All-reduce of one sum per block, repeated.
///
/// Slots are double-buffered.  A block writes exchange k + 2 only after it has received k + 1 of
/// all blocks, which they sent after they had read all of k: no slot is overwritten before all
/// blocks have read it.
class grid_all_reduce {
public:
    static constexpr int most_words = slots_in_turns::most_words;
    static constexpr std::size_t slots = polled_values::slots;

    /// Numbers up to `before` were used by preceding kernels.
    __device__ grid_all_reduce(slot* all, word before) : sums_(all), number_(before) {}

    /// The number of the next exchange.
    __device__ word next() const { return number_ + 1; }

    /// The sum of the tiles' sums; this block's has the terms that its threads have put into room
    /// 0.  All threads call this after a barrier, and find the sum in `total` after another.
    template <class Sum>
    __device__ __forceinline__ void add_up(terms_of_block<Sum> (&room)[2], int terms,
                                           shared_value<Sum>& total)
    {
        ++number_;
        room[0].fold_by_warps(terms, [&](int w, word x) {
            if (gridDim.x > 1)
                sums_.put(number_, w, blockIdx.x, x);
            else if (threadIdx.x % warp_size == 0)
                total.put(w, x);
        });
        if (gridDim.x > 1) sums_.fold(number_, static_cast<int>(gridDim.x), room[1], total);
    }

    /// A grid barrier: what all blocks wrote before it is visible after it.
    __device__ __forceinline__ void wait_for_all()
    {
        const auto fence = [] { asm volatile("fence.acq_rel.gpu;" : : : "memory"); };
        ++number_;
        __syncthreads();
        if (gridDim.x == 1) return;
        if (threadIdx.x == 0) {
            fence();
            sums_.arrive(number_, blockIdx.x);
        }
        if (threadIdx.x < gridDim.x) {
            sums_.await_arrival(number_, threadIdx.x);
            fence();
        }
        __syncthreads();
    }

private:
    polled_values sums_;
    word number_;
};

/// All-reduce of several tile sums per block, at most 65,536 in all (256 groups of 256).
///
/// One block folds each group of 256 tiles, and all blocks poll the sums of groups: two round
/// trips, but faster than if all blocks poll the sums of all tiles.  Every block has a tile, so as
/// above a block completes exchange k + 1 only after all blocks have completed k.  That also holds
/// if the tile sums of exchange k + 1 were written before the kernel, because it is the kernel's
/// first one.
class tile_all_reduce {
public:
    static std::size_t slots(index_t tiles)
    {
        return polled_values::slots + slots_in_turns::slots(static_cast<std::size_t>(tiles));
    }

    __device__ tile_all_reduce(slot* all, index_t tiles, word before)
        : of_groups_(all), of_tiles_{all + polled_values::slots, static_cast<unsigned>(tiles)},
          number_(before)
    {
    }
    __device__ word last() const { return number_; }
    /// Begins an exchange; all threads call this before they put sums of their tiles.
    __device__ void enter() { ++number_; }
    /// The same if the sums of tiles exist already: a block that folds no group has nothing to put,
    /// so each block signals that it has begun.
    __device__ __forceinline__ void enter_with_sums()
    {
        enter();
        entered_with_sums_ = number_;
        if (threadIdx.x == 0) of_tiles_.arrive(number_, blockIdx.x);
    }
    /// Waits until all blocks have begun the last exchange.  All threads of a block call this.
    __device__ __forceinline__ void wait_until_all_are_in() const
    {
        if (entered_with_sums_ != number_) return;  // its sum needed the sums of all blocks
        for (unsigned i = threadIdx.x; i < gridDim.x; i += blockDim.x)
            of_tiles_.await_arrival(number_, i);
        __syncthreads();
    }

    /// By a warp whose first lane has the sum.
    template <class Sum>
    __device__ __forceinline__ void put(index_t tile, const Sum& sum) const
    {
        if (threadIdx.x % warp_size == 0)
            by_words(sum, [&](word x, int w) {
                leave(of_tiles_.at(number_, w, static_cast<unsigned>(tile)), {x, number_});
                return x;
            });
    }
    /// Polls until the sum of a tile has arrived.
    template <class Sum>
    __device__ __forceinline__ Sum await(unsigned tile) const
    {
        return of_tiles_.await<Sum>(number_, tile);
    }
    /// The sum of of_tile(t) over all tiles t, in `total` after a barrier.  meanwhile() runs before
    /// the block waits.  All threads call this; no thread still uses the rooms.
    template <class Sum, class OfTile, class Meanwhile>
    __device__ __forceinline__ void add_up(terms_of_block<Sum> (&room)[2], shared_value<Sum>& total,
                                           const OfTile& of_tile, const Meanwhile& meanwhile) const
    {
        const unsigned m = of_tiles_.capacity, groups = (m + tile_size - 1) / tile_size;
        // The last blocks fold groups: if some blocks have one tile less, it is these.
#pragma unroll 1
        for (unsigned g = gridDim.x - 1 - blockIdx.x; g < groups; g += gridDim.x) {
            const unsigned first = g * tile_size, left = m - first;
            const int count = static_cast<int>(left < tile_size ? left : tile_size);
            if (threadIdx.x < static_cast<unsigned>(count))
                room[0].put(of_tile(first + threadIdx.x));
            __syncthreads();
            room[0].fold_by_warps(count, [&](int w, word x) { of_groups_.put(number_, w, g, x); });
            if (g + gridDim.x < groups) __syncthreads();
        }
        meanwhile();
        of_groups_.fold(number_, static_cast<int>(groups), room[1], total);
    }

private:
    polled_values of_groups_;
    slots_in_turns of_tiles_;
    word number_, entered_with_sums_ = 0;
};

/// A vector that blocks gather from, element by element in slots.
///
/// There is one slot an element, which the next product overwrites.  That is safe:
/// - Between two products there is an all-reduce (a static_assert in sweep_here sees to it), and a
/// block
///   leaves it with the sum of what all blocks have put there.
/// - What a thread puts there is computed from the elements that it got.  So the loads of these had
///   returned before its block could put its sum, no matter how loads and stores are reordered: a
///   value cannot be stored before it is known.
/// - A block publishes the next vector after it has left the all-reduce, computed from scalars that
///   follow from that sum.  So its store depends on the loads of all other blocks.
/// The words of an element may be seen at different times, but each carries its number, and a
/// thread takes an element only when all of them have the number that it waits for.
template <class T>
struct published_vector {
    slot* all;
    word number;

    __device__ __forceinline__ void publish(unsigned i, const T& x) const
    {
        by_words(x, [&](word part, int w) {
            leave(at(i, w), {part, number});
            return part;
        });
    }
    /// Elements j[0], j[1], ...  All are polled together until the last one has arrived: one after
    /// the other, each would take a round trip.
    template <int N>
    __device__ __forceinline__ void get_all(const column_t (&j)[N], T (&x)[N]) const
    {
        slot got[N][words_of<T>];
        bounded_wait wait;
        while (true) {
            bool here = true;
#pragma unroll
            for (int r = 0; r < N; ++r)
#pragma unroll
                for (int w = 0; w < words_of<T>; ++w) got[r][w] = look_at(at(j[r], w));
#pragma unroll
            for (int r = 0; r < N; ++r)
#pragma unroll
                for (int w = 0; w < words_of<T>; ++w) here &= got[r][w].number == number;
            if (here) break;
            wait.look_again("an element of another block");
        }
#pragma unroll
        for (int r = 0; r < N; ++r)
            x[r] = by_words(T(0), [&](word, int w) { return got[r][w].value; });
    }
    __device__ __forceinline__ T get(column_t j) const
    {
        const column_t one[1]{j};
        T x[1];
        get_all(one, x);
        return x[0];
    }

private:
    __device__ slot* at(unsigned j, int w) const
    {
        return all + static_cast<unsigned>(w) * gridDim.x * tile_size + j;
    }
};

}  // namespace ddla::device_backend
