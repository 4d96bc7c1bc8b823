// The leaves of slices whose columns are listed: a warp begins to copy the next one, also that of
// the next slice, before or as soon as it has added this one, and takes x from shared memory.
#pragma once

#include "slices.cuh"

namespace ddla::device_backend {

/// What a kernel over tiles knows beforehand.
template <int Levels, bool Repeats, int Buffers>
struct tile_kernel {
    static constexpr int levels = Levels;     ///< of the tree above leaves of eight slots
    static constexpr bool repeats = Repeats;  ///< values are numbers among distinct ones
    static constexpr bool listed = true, staged = true, straight = false;
    static constexpr int buffers = Buffers;  ///< 1 or 2 leaves a warp: added, on its way
    static constexpr int warps = 8;          ///< of a block
    /// For leaves that shared memory has room for: see tile_sums::blocks.
    template <class Value>
    static constexpr int resident_warps()
    {
        return 32;
    }
};

/// The shared memory of a block whose size is known when it is launched: leaves, then x.
__device__ __forceinline__ std::uint8_t* memory_of_tile()
{
    extern __shared__ int4 memory_of_tile_begin[];
    return reinterpret_cast<std::uint8_t*>(memory_of_tile_begin);
}

/// x of the columns of a list, by their numbers.  Behind At bytes, a multiple of 16.
template <class T, int At>
struct listed_x {
    __device__ __forceinline__ T get(int i) const
    {
        const number x = all()[i];
        if constexpr (words_of<T> == 1)
            return x;
        else
            return {x.x, x.y};
    }
    __device__ __forceinline__ void set(int i, const T& x) const
    {
        if constexpr (words_of<T> == 1)
            all()[i] = x;
        else
            all()[i] = {x.hi, x.lo};
    }

private:
    using number = std::conditional_t<words_of<T> == 1, double, double2>;
    static __device__ __forceinline__ number* all()
    {
        return reinterpret_cast<number*>(memory_of_tile() + At);
    }
};

/// Leaves of all warps of a block.
template <class V, class Kernel>
constexpr int bytes_of_leaves()
{
    constexpr std::size_t entry = (Kernel::repeats ? 1 : sizeof(V)) + sizeof(std::uint16_t);
    return Kernel::warps * Kernel::buffers * formats::slots_of_leaf * warp_size * int(entry);
}

/// Rows of slices of a tile: as slice_sums, with leaves copied ahead.
template <class Terms, class V, class Kernel>
class tile_sums
    : public slice_sums<Terms, listed_x<typename Terms::value, bytes_of_leaves<V, Kernel>()>, V,
                        Kernel> {
public:
    static constexpr int leaf_bytes = bytes_of_leaves<V, Kernel>();
    using x_of_list = listed_x<typename Terms::value, leaf_bytes>;
    using base = slice_sums<Terms, x_of_list, V, Kernel>;
    using value = typename base::value;
    using row_sum = typename base::row_sum;
    /// Registers for so many blocks as fit a multiprocessor with about 1000 elements of x.
    static constexpr int blocks = sizeof(value) > sizeof(double) && leaf_bytes > 32768
                                      ? 3
                                      : base::blocks;
    /// Shared memory of a block, but for x and what the kernel itself has.
    static constexpr std::size_t bytes_beside_x =
        leaf_bytes + sizeof(partial_sums<value, Kernel::levels, base::threads>);

    tile_sums(const Terms& terms, const formats::slice_list<V>& a) : base(terms, a, {}) {}

    /// What a warp does, slice after slice.
    class by_warp {
    public:
        __device__ explicit by_warp(const tile_sums& sums) : sums_(sums) {}

        /// Begins to copy the first leaf of the slice that is the next one.
        __device__ __forceinline__ void begin(const slice& s) const
        {
            copy(s, 0, 0, turn_);
            end_group_of_copies();
        }
        /// The sums of slice s, which was begun; begins the one behind it, which has no rows if
        /// there is none.
        __device__ __forceinline__ row_sum operator()(const slice& s)
        {
            return sums_.by_lanes(*this, s);
        }

        /// The sum of a lane, the first `mine` of whose slots hold entries; Full: all of all lanes.
        template <bool Full>
        __device__ __forceinline__ value sum_of_leaves(const slice& s, int mine)
        {
            int next = bytes_of(s, 0);
            value sum;
#pragma unroll 1
            for (int c = 0;; ++c) {
                const int first = base::first_slot(s, c);
                const bool last = (c + 1) >> s.log2_leaves;
                if constexpr (Kernel::buffers == 2) begin_behind(s, c, last, next);
                wait_for_groups_before<Kernel::buffers - 1>();
                __syncwarp();
                // Ends with all lanes done with the leaf.
                sum = sums_.template leaf_of_many<Full>(s, buffer(turn_), sizeof(std::uint16_t),
                                                        first, s.slots_from(first), mine);
                if constexpr (Kernel::buffers == 1) begin_behind(s, c, last, next);
                turn_ = other(turn_);
                base::carry(c, sum, [&](int k) { return Full || base::first_slot(s, k) < mine; });
                if (last) return sum;
            }
        }

    private:
        static __device__ __forceinline__ int other(int turn)
        {
            return Kernel::buffers == 2 ? turn ^ 1 : 0;
        }
        static __device__ __forceinline__ std::uint8_t* buffer(int turn)
        {
            const int warp = static_cast<int>(threadIdx.x) / warp_size;
            return memory_of_tile() + (warp * Kernel::buffers + turn) * base::most_bytes;
        }
        static __device__ __forceinline__ int bytes_of(const slice& s, int c)
        {
            return s.slots_from(base::first_slot(s, c)) *
                   (base::most_bytes / formats::slots_of_leaf);
        }
        /// Begins leaf c of slice s, so many bytes behind its first one.
        __device__ __forceinline__ void copy(const slice& s, int c, int behind, int turn) const
        {
            copy_async<base::most_bytes>(buffer(turn), sums_.list().code + s.leaves_at() + behind,
                                         bytes_of(s, c));
        }
        /// Begins the leaf behind number c of slice s, or none, as one group.
        __device__ __forceinline__ void begin_behind(const slice& s, int c, bool last,
                                                     int& next) const
        {
            if (!last) {
                copy(s, c + 1, next, other(turn_));
                next += bytes_of(s, c + 1);
            } else if ((&s)[1].rows > 0) {
                copy((&s)[1], 0, 0, other(turn_));
            }
            end_group_of_copies();
        }

        const tile_sums& sums_;
        int turn_ = 0;  ///< the buffer of the leaf that is added next
    };
};

}  // namespace ddla::device_backend
