// How the blocks of one kernel, all of them on the device at once, add up and pass elements on.
//
// A barrier and then the sums would be two trips through the second-level cache, and one more for
// the scalars that follow.  Here every block leaves the sum of its tile in slots, reads those of
// all others as they arrive, and folds them itself: one trip, after which all hold the same sum.
// Elements that other blocks gather travel in slots, too: whoever needs one waits for that one.
//
// A slot says what it is of in the same access of 16 bytes as the word itself.  So no slot is ever
// cleared, no flag is behind or ahead of what it stands for, and no fence orders one store and
// another, which took more time than all that the threads had to do between two barriers.
#pragma once

#include "fold.cuh"

namespace ddla::device_backend {

/// A word and the number of the exchange that it is for.
struct slot {
    word value, number;
};

// One access that other threads see whole or not at all: b128 is a scalar type (PTX ISA 8.3).
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

/// Where all blocks of a kernel meet, again and again, each with a sum.
///
/// Slots are used in turn by exchanges of even and of odd number.  A block enters exchange k + 2
/// only when it has left k + 1, which takes the words of all others, who sent them after they had
/// read all of k: whoever overwrites a slot overwrites what all have read.
class meeting {
public:
    /// Of the largest sum that can be shared: two in double-double.
    static constexpr int most_words = 4;
    /// All blocks that look at one place are in each other's way.
    static constexpr int copies = 4;
    static constexpr std::size_t slots = copies * 2 * most_words * tile_size;

    /// Numbers up to `before` are taken, by kernels before this one.
    __device__ meeting(slot* all, word before) : all_(all), number_(before) {}

    __device__ bool is_of_one() const { return gridDim.x == 1; }
    /// Of the exchange that comes next.
    __device__ word next() const { return number_ + 1; }

    /// The sum of the tiles' sums; this block's has the terms that its threads have put into room
    /// 0.  All threads call this after a barrier, and find the sum in `total` after another.
    template <class Sum>
    __device__ __forceinline__ void add_up(terms_of_block<Sum> (&room)[2], int terms,
                                           shared_value<Sum>& total)
    {
        static_assert(value_words<Sum> <= most_words);
        const int lane = threadIdx.x % warp_size;
        const auto keep = [&](int w, word x) {
            if (lane == 0) total.put(w, x);
        };
        ++number_;
        if (is_of_one()) return room[0].fold_by_warps(terms, keep);
        room[0].fold_by_warps(terms, [&](int w, word x) {
            if (lane < copies) leave(at(lane, w, blockIdx.x), {x, number_});
        });
        if (threadIdx.x < gridDim.x) room[1].put(await<Sum>(threadIdx.x));
        __syncthreads();
        room[1].fold_by_warps(static_cast<int>(gridDim.x), keep);
    }

    /// Nobody goes on before all have come; what they did until then is done.
    __device__ __forceinline__ void wait_for_all()
    {
        const auto fence = [] { asm volatile("fence.acq_rel.gpu;" : : : "memory"); };
        ++number_;
        __syncthreads();
        if (is_of_one()) return;
        if (threadIdx.x == 0) {
            fence();
            leave(at(0, 0, blockIdx.x), {0, number_});
        }
        if (threadIdx.x < gridDim.x) {
            while (look_at(at(0, 0, threadIdx.x)).number != number_) {
            }
            fence();
        }
        __syncthreads();
    }

private:
    __device__ slot* at(unsigned copy, int w, unsigned block) const
    {
        return all_ + ((copy * 2 + (number_ & 1)) * most_words + w) * tile_size + block;
    }
    template <class Sum>
    __device__ __forceinline__ Sum await(unsigned block) const
    {
        const unsigned copy = blockIdx.x % copies;
        slot got[value_words<Sum>];
        bool here = false;
        while (!here) {
            here = true;
#pragma unroll
            for (int w = 0; w < value_words<Sum>; ++w) got[w] = look_at(at(copy, w, block));
#pragma unroll
            for (int w = 0; w < value_words<Sum>; ++w) here = here && got[w].number == number_;
        }
        return by_words(Sum{}, [&](word, int w) { return got[w].value; });
    }

    slot* all_;
    word number_;
};

/// A vector that blocks gather from, element by element in slots.
///
/// Between two numbers, all blocks meet: whoever overwrites an element overwrites what all have
/// read, for their sums follow from it.
template <class T>
struct passed_on {
    slot* all;
    word number;

    __device__ __forceinline__ void pass_on(unsigned i, const T& x) const
    {
        by_words(x, [&](word part, int w) {
            leave(at(i, w), {part, number});
            return part;
        });
    }
    /// Elements j[0], j[1], ...  All are on their way together, again and again until the last one
    /// is there: one after the other they would take a trip each.
    template <int N>
    __device__ __forceinline__ void get_all(const column_t (&j)[N], T (&x)[N]) const
    {
        slot got[N][words_of<T>];
        bool here = false;
        while (!here) {
            here = true;
#pragma unroll
            for (int r = 0; r < N; ++r)
#pragma unroll
                for (int w = 0; w < words_of<T>; ++w) got[r][w] = look_at(at(j[r], w));
#pragma unroll
            for (int r = 0; r < N; ++r)
#pragma unroll
                for (int w = 0; w < words_of<T>; ++w) here &= got[r][w].number == number;
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
