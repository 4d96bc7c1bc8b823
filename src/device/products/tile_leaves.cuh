// Row sums for the tiles format: a warp per slice, one row a lane.  A warp copies the leaves of its
// slices with cp.async into two buffers: the next leaf is prefetched while this one is added.  x
// comes from shared memory, by its index in the column list.
//
// Padding slots hold the value -0 and index 0, where x is 1.  So straight-line code for each number
// of slots serves every leaf, and padding is added, too.  That changes no bit.  In double, -0 is
// neutral.  In double-double, the product of a padding slot is +0, and  a + 0 = a  in all bits
// where a is normalized (hi is hi + lo rounded), finite, and neither of its words is -0.  No sum
// has a word -0, because an exact error is never -0.  A term may have one; but it is added to
// another term, if there is one, and gives the same sum with +0.  A partial sum that overflowed is
// Inf or NaN; adding padding makes it NaN, but so does adding any term, and the last addition of
// two terms or more, even slots plus odd slots, has terms on both sides.  The exception is a row of
// one term in double-double: see first_term().
#pragma once

#include "device/core/async_copy.cuh"
#include "device/core/fold.cuh"
#include "formats/storage.hpp"

#include <type_traits>

namespace ddla::device_backend {

using formats::slice;

/// A block of a kernel over tiles, and its shared memory: leaves and heads of its warps, x of the
/// list, partial sums.
template <class T, class V, bool Repeats>
struct tile_block {
    static constexpr int warps = tuning::warps_of_tile_block, threads = warps * warp_size;
    static constexpr int at_once = tuning::blocks_of_tiles(words_of<T>, words_of<V>);

    static constexpr int bytes_of_value = Repeats ? 1 : sizeof(V);
    static constexpr int bytes_of_slot = warp_size * (bytes_of_value + int(sizeof(std::uint16_t)));
    static constexpr int bytes_of_leaf = formats::slots_of_leaf * bytes_of_slot;
    /// The head of a slice, before its leaves: row numbers and lengths.
    static constexpr int bytes_of_head = 3 * warp_size;

    static constexpr int heads_at = warps * 2 * bytes_of_leaf;
    static constexpr int x_at = heads_at + warps * 2 * bytes_of_head;
    /// After x, whose element 0 is 1 for padding.
    static DDLA_HD constexpr std::size_t sums_at(int longest)
    {
        return x_at + (longest + 2) / 2 * 2 * sizeof(T);
    }
    /// Levels of the tree with partial sums in shared memory; the lowest level is in registers.
    static constexpr int levels(int widest)
    {
        int n = 0;
        while (widest > 2 * formats::slots_of_leaf << n) ++n;
        return n;
    }
    static constexpr std::size_t bytes(int longest, int widest)
    {
        return sums_at(longest) + levels(widest) * threads * sizeof(T);
    }
    static __device__ __forceinline__ std::uint8_t* memory()
    {
        extern __shared__ int4 memory_of_tile[];
        return reinterpret_cast<std::uint8_t*>(memory_of_tile);
    }
};

/// x of a list in the shared memory of a block, from element 1 on; element 0 is for padding.
template <class T, class Block>
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
        return reinterpret_cast<number*>(Block::memory() + Block::x_at);
    }
};

template <class Terms, class V, bool Repeats>
class tile_sums {
public:
    using value = typename Terms::value;
    using block = tile_block<value, V, Repeats>;
    using x_of_list = listed_x<value, block>;

    tile_sums(const Terms& terms, const formats::slice_list<V>& a) : terms_(terms), a_(a) {}

    __device__ const formats::slice_list<V>& list() const { return a_; }

    struct row_sum {
        std::uint32_t row;
        value sum;
        bool here;  ///< this lane has a row that is not summed elsewhere
    };

    /// The sums of one slice after the other, by a warp.
    class by_warp {
    public:
        /// `sums_at`: where the partial sums are in shared memory, in bytes.
        __device__ __forceinline__ by_warp(const tile_sums& all, std::size_t sums_at)
            : all_(all), sums_(reinterpret_cast<word*>(block::memory() + sums_at) + threadIdx.x)
        {
        }
        /// Prefetches the first leaf of the first slice.  The last slice is followed by one with
        /// rows = 0.
        __device__ __forceinline__ void begin(const slice* first)
        {
            ahead_ = first;
            from_ = all_.a_.code + first->begin;
            begin_leaf(buffer(0));
        }

        /// The sums of the next slice, s.
        __device__ __forceinline__ row_sum operator()(const slice& s)
        {
            value sum = sum_of_leaves(s);
            const int lane = threadIdx.x % warp_size;
            const std::uint8_t* const numbers = head(turn_of_head_);
            const auto* const lengths =
                reinterpret_cast<const std::uint16_t*>(numbers + warp_size * s.row_bytes);
            const int n = s.full ? s.width : lengths[lane];
            const int row = s.first + (s.row_bytes == 0 ? lane : numbers[lane]);
            turn_of_head_ ^= 1;
            if (n == 0) sum = Terms::none();
            if constexpr (words_of<value> == 2)
                if (n == 1 && s.width > 1) sum = first_term(s, lane);
            return {static_cast<std::uint32_t>(row), sum, n != formats::left_out};
        }

    private:
        static __device__ __forceinline__ std::uint8_t* buffer(int turn)
        {
            const int warp = static_cast<int>(threadIdx.x) / warp_size;
            return block::memory() + (2 * warp + turn) * block::bytes_of_leaf;
        }
        static __device__ __forceinline__ std::uint8_t* head(int turn)
        {
            const int warp = static_cast<int>(threadIdx.x) / warp_size;
            return block::memory() + block::heads_at + (2 * warp + turn) * block::bytes_of_head;
        }
        /// The number of slots of leaf c.
        static __device__ __forceinline__ int slots_of(const slice& s, int c)
        {
            const int first = reversed_bits(c, s.log2_leaves);
            const int more = s.width & ((1 << s.log2_leaves) - 1);
            return (s.width >> s.log2_leaves) + (first < more);
        }
        /// Prefetches the next leaf; with the first leaf of a slice, its head; after the last
        /// slice, nothing.
        __device__ __forceinline__ void begin_leaf(std::uint8_t* to)
        {
            if (ahead_->rows > 0) {
                if (leaf_ == 0) {
                    const int bytes = static_cast<int>(ahead_->leaves_at() - ahead_->begin);
                    copy_async<block::bytes_of_head>(head(turn_of_head_ahead_), from_, bytes);
                    turn_of_head_ahead_ ^= 1;
                    from_ += bytes;
                }
                const int bytes = slots_of(*ahead_, leaf_) * block::bytes_of_slot;
                copy_async<block::bytes_of_leaf>(to, from_, bytes);
                from_ += bytes;
                if (++leaf_ >> ahead_->log2_leaves) {
                    ++ahead_;
                    leaf_ = 0;
                    from_ = all_.a_.code + ahead_->begin;
                }
            }
            end_group_of_copies();
        }

        __device__ __forceinline__ value sum_of_leaves(const slice& s)
        {
            value left;  // the sum of an even leaf
#pragma unroll 1
            for (int c = 0;; ++c) {
                __syncwarp();  // all lanes have read the previous leaf
                begin_leaf(buffer(turn_ ^ 1));
                wait_for_groups_before<1>();
                __syncwarp();
                value sum = all_.sum_of_leaf(buffer(turn_), slots_of(s, c));
                turn_ ^= 1;
                const bool last = (c + 1) >> s.log2_leaves;
                if (c % 2 == 0) {
                    if (last) return sum;
                    left = sum;
                    continue;
                }
                // Pairs of leaves are the leaves of a tree with one level less.
                sum = left + sum;
                partial_sums_behind_x partial{sums_, (1 << s.log2_leaves) / 2};
                carry(partial, c / 2, sum, [](int) { return true; });
                if (last) return sum;
            }
        }
        /// As partial_sums, in dynamic shared memory.
        struct partial_sums_behind_x {
            static constexpr int levels = 5;
            static constexpr bool in_registers = false;
            word* of_thread;
            int leaves;  ///< of the tree of pairs; the root is not stored

            __device__ __forceinline__ void put(int level, const value& x)
            {
                if (1 << level < leaves)
                    by_words(x, [&](word w, int k) { return *at(level, k) = w; });
            }
            __device__ __forceinline__ value get(int level) const
            {
                return by_words(value{}, [&](word, int k) { return *at(level, k); });
            }

        private:
            __device__ __forceinline__ word* at(int level, int k) const
            {
                return of_thread + (level * value_words<value> + k) * block::threads;
            }
        };
        __device__ __forceinline__ value first_term(const slice& s, int lane) const
        {
            const formats::leaf_of_slice leaf = formats::leaf_of_slice::at(s, 0, s.leaves_at());
            return all_.terms_(x_of_list{}.get(all_.a_.column(leaf, 0, lane)),
                               all_.a_.value(leaf, 0, lane));
        }

        const tile_sums& all_;
        word* sums_;
        const slice* ahead_ = nullptr;  ///< the slice of the next leaf to copy
        int leaf_ = 0;
        const std::uint8_t* from_ = nullptr;
        int turn_ = 0;  ///< the buffer of the next leaf to add
        int turn_of_head_ = 0, turn_of_head_ahead_ = 0;
    };

private:
    __device__ __forceinline__ V entry(const std::uint8_t* data, int r, int slots) const
    {
        const int at = r * warp_size + threadIdx.x % warp_size;
        const auto* const words = reinterpret_cast<const double*>(data);
        if constexpr (Repeats)
            return load_constant(a_.distinct, data[at]);
        else if constexpr (words_of<V> == 2)
            return {words[at], words[at + slots * warp_size]};
        else
            return words[at];
    }
    /// The fold of a leaf of W slots, padding included.
    template <int W>
    __device__ __forceinline__ value fold_of(const std::uint8_t* data) const
    {
        const auto* const numbers =
            reinterpret_cast<const std::uint16_t*>(data + W * warp_size * block::bytes_of_value) +
            threadIdx.x % warp_size;
        int number[W];
#pragma unroll
        for (int r = 0; r < W; ++r) number[r] = numbers[r * warp_size];
        const auto term = [&](int r) {
            return terms_(x_of_list{}.get(number[r]), entry(data, r, W));
        };
        return fold_all<formats::slots_of_leaf, W>(term, [](int) { return true; });
    }
    __device__ __forceinline__ value sum_of_leaf(const std::uint8_t* data, int slots) const
    {
        if (slots == 8) return fold_of<8>(data);
        if (slots == 7) return fold_of<7>(data);
        if (slots == 6) return fold_of<6>(data);
        if (slots == 5) return fold_of<5>(data);
        if (slots == 4) return fold_of<4>(data);
        if (slots == 3) return fold_of<3>(data);
        if (slots == 2) return fold_of<2>(data);
        if (slots == 1) return fold_of<1>(data);
        return Terms::none();
    }

    Terms terms_;
    formats::slice_list<V> a_;
};

}  // namespace ddla::device_backend
