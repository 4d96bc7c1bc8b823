// Row sums of A x where A is stored in slices: a warp per slice.
//
// Leaf by leaf of the summation tree, a warp copies the codes and values of up to eight slots of
// its lanes into shared memory with cp.async; then each lane decodes its columns, gathers x and
// adds.  There is straight-line code for each number of slots where all lanes have entries in all
// slots, and for slices of one leaf, where sums with padding are computed but not selected.
#pragma once

#include "device/core/async_copy.cuh"
#include "device/core/fold.cuh"
#include "formats/storage.hpp"
#include "interleaved.cuh"

#include <type_traits>

namespace ddla::device_backend {

using formats::slice;

__device__ __forceinline__ slice load_slice(const slice* from)
{
    static_assert(sizeof(slice) == 2 * sizeof(int4));
    int4 words[2] = {__ldg(reinterpret_cast<const int4*>(from)),
                     __ldg(reinterpret_cast<const int4*>(from) + 1)};
    slice s;
    memcpy(&s, words, sizeof s);
    return s;
}

/// How a lane reads leaves.  staged: from shared memory, copied by cp.async; the first leaf of a
/// slice is prefetched.  direct: each lane loads its own, which leaves L1 to scattered loads of x.
enum class leaves { staged, direct };

/// Whether a slice holds rows, or one tile of a long row.
enum class slices_of { rows, a_tile };

/// Compile-time properties of a kernel over slices.
template <int Levels, bool Repeats, leaves How, slices_of Of = slices_of::rows>
struct slice_kernel {
    static constexpr int levels = Levels;     ///< of the tree above leaves of eight slots
    static constexpr bool repeats = Repeats;  ///< values are indices into the distinct ones
    static constexpr bool staged = How != leaves::direct;
    /// Whether the first leaf of a slice is prefetched while the warp does something else.
    template <class Value>
    static constexpr bool prefetches = staged && !(Of == slices_of::a_tile && words_of<Value> == 2);
    /// Straight-line code where slices have one leaf: a branch per slot would cost more than it
    /// saves.  Where they have many, the code must fit into the instruction cache.
    static constexpr bool straight = staged && Levels == 0;
    /// With direct loads, a lane loads values before the columns have arrived.  Not values in
    /// double for sums in double-double, except in tiles of long rows: there, registers are better
    /// spent on occupancy.
    template <class Value, class V>
    static constexpr bool loads_values_first =
        !staged && (sizeof(Value) == sizeof(double) || words_of<V> == 2 || Of == slices_of::a_tile);
    static constexpr int warps = tuning::warps_of_slice_block;
    /// Warps per SM that the registers must allow.
    template <class Value, class V>
    static constexpr int resident_warps = tuning::resident_warps(words_of<Value>, words_of<V>,
                                                                 staged, straight, repeats,
                                                                 loads_values_first<Value, V>,
                                                                 is_pair<Value>);
    /// The same for tiles of long rows.
    template <class Value, class V>
    static constexpr int resident_warps_of_tiles =
        tuning::resident_warps_of_tiles(resident_warps<Value, V>, words_of<V>, staged);
};

template <class Terms, class X, class V, class Kernel>
class slice_sums {
public:
    using value = typename Terms::value;
    using kernel = Kernel;
    static constexpr int threads = Kernel::warps * warp_size;
    static constexpr int blocks = Kernel::template resident_warps<value, V> / Kernel::warps;
    static constexpr int blocks_of_tiles =
        Kernel::template resident_warps_of_tiles<value, V> / Kernel::warps;

    slice_sums(const Terms& terms, const formats::slice_list<V>& a, const X& x)
        : terms_(terms), a_(a), x_(x)
    {
    }

    __device__ const formats::slice_list<V>& list() const { return a_; }
    /// For several products: see sums_for().
    __device__ __forceinline__ const X& x() const { return x_; }
    __device__ __forceinline__ void take(const X& x, int) { x_ = x; }

    /// The sum of a row of a slice; its first lane has it.
    struct row_sum {
        std::uint32_t row;
        value sum;
        bool here;  ///< this lane has a row that is not summed elsewhere
    };

    /// Prefetches the first leaf of slice s.  A warp must call this before it asks for the sums of
    /// s.
    __device__ __forceinline__ void begin(const slice& s) const
    {
        if constexpr (Kernel::template prefetches<value>)
            copy_leaf(a_.code + s.leaves_at(), bytes_of_leaf(s.slots_from(0), s.column_bytes));
    }

    /// The sums of slice s, by a warp.
    __device__ __forceinline__ row_sum operator()(const slice& s) const
    {
        const int lane = threadIdx.x % warp_size, r = lane >> s.log2_lanes;
        const int l = lane & (s.lanes() - 1);
        const int length = a_.length(s, r);
        const bool left_out = length == formats::left_out;
        const int n = left_out ? 0 : length;
        const int mine = (n - l + s.lanes() - 1) >> s.log2_lanes;
        value sum = s.full && !Kernel::straight ? sum_of_leaves<true>(s, mine)
                                                : sum_of_leaves<false>(s, mine);
        if (s.log2_lanes > 0) sum = fold_lanes(sum, l, s.lanes(), n);
        return {static_cast<std::uint32_t>(a_.row(s, r)), sum, l == 0 && !left_out};
    }

private:
    static constexpr int slots_each = formats::slots_of_leaf, entries = slots_each * warp_size;
    static constexpr int bytes_of_value = Kernel::repeats ? 1 : sizeof(V);

    /// Whether leaves are loaded with L2 evict-first, to keep x in L2.  In double that does not
    /// help where values repeat, nor where rows are long: 120,000 rows of 200 entries took 1.3
    /// times as long.
    static constexpr bool leave_cache =
        words_of<value> == 2 || (!Kernel::repeats && Kernel::levels < 5);

    /// The buffer of this warp: a leaf as it is stored.
    static constexpr int most_bytes = Kernel::staged ? entries * (bytes_of_value + 4) : 16;
    __device__ static __forceinline__ const std::uint8_t* leaf_data()
    {
        __shared__ alignas(16) std::uint8_t memory[Kernel::warps][most_bytes];
        return memory[threadIdx.x / warp_size];
    }

    __device__ static __forceinline__ int bytes_of_leaf(int slots, int column_bytes)
    {
        int bytes = slots * warp_size * (bytes_of_value + column_bytes);
        if (column_bytes < 4) bytes += (slots + 3) / 4 * 16;
        return bytes;
    }
    __device__ static __forceinline__ void copy_leaf(const std::uint8_t* from, int bytes)
    {
        copy_async<most_bytes, leave_cache ? copy_16_async_once : copy_16_async>(
            const_cast<std::uint8_t*>(leaf_data()), from, bytes);
    }
    /// Where to read the leaf of `bytes` bytes that begins at `from`.  The first leaf of a slice
    /// may have been prefetched.
    __device__ static __forceinline__ const std::uint8_t* fetch(const std::uint8_t* from, int bytes,
                                                                bool first)
    {
        if constexpr (!Kernel::staged) return from;
        if (!first || !Kernel::template prefetches<value>) copy_leaf(from, bytes);
        wait_for_copies();
        __syncwarp();
        return leaf_data();
    }
    template <class Number>
    __device__ static __forceinline__ Number read(const Number* from)
    {
        if constexpr (Kernel::staged)
            return *from;
        else
            return load_once(from);
    }

    /// column[r] becomes the column of slot first + r * step of `slots`.  Padding is decoded, too:
    /// its codes exist.
    template <int W>
    __device__ static __forceinline__ void decode(const std::uint8_t* data, int column_bytes,
                                                  int slots, column_t (&column)[W], int first,
                                                  int step)
    {
        const std::uint8_t* const codes = data + slots * warp_size * bytes_of_value;
        const auto* const base =
            reinterpret_cast<const column_t*>(codes + slots * warp_size * column_bytes);
        const int lane = threadIdx.x % warp_size;
        const auto each = [&](const auto& f) {
#pragma unroll
            for (int r = 0; r < W; ++r)
                if (Kernel::staged || first + r * step < slots)
                    column[r] = f(first + r * step, (first + r * step) * warp_size + lane);
        };
        if (column_bytes == 4) {
            const auto* const all = reinterpret_cast<const column_t*>(codes);
            each([&](int, int at) { return read(all + at); });
        } else if (column_bytes == 0) {
            each([&](int r, int) { return read(base + r) + lane; });
        } else if (column_bytes == 1) {
            each([&](int r, int at) { return read(base + r) + read(codes + at); });
        } else {
            const auto* const all = reinterpret_cast<const std::uint16_t*>(codes);
            each([&](int r, int at) { return read(base + r) + read(all + at); });
        }
    }
    __device__ __forceinline__ V entry(const std::uint8_t* data, int r, int slots) const
    {
        const int at = r * warp_size + threadIdx.x % warp_size;
        const auto* const words = reinterpret_cast<const double*>(data);
        if constexpr (Kernel::repeats)
            return load_constant(a_.distinct, read(data + at));
        else if constexpr (words_of<V> == 2)
            return {read(words + at), read(words + at + slots * warp_size)};
        else
            return read(words + at);
    }

    /// What a lane does in a padding slot.  skipped: it branches around the code, which helps if no
    /// lane has an entry there.  deselected: it runs the code and does not select the sum.
    enum class absent { skipped, deselected };

    /// The fold of slots First, First + Apart, ... below W of a leaf of `slots` slots.  Slots below
    /// Sure have entries in all lanes, the others in lanes with `count` above them.  The whole warp
    /// calls this.
    template <int W, int Sure, absent Then, int First, int Apart>
    __device__ __forceinline__ value part_of_leaf(const std::uint8_t* data, int column_bytes,
                                                  int slots, int count) const
    {
        constexpr int n = (W - First + Apart - 1) / Apart;
        const auto slot = [](int r) { return First + r * Apart; };
        const auto exists = [=](int r) { return slot(r) < Sure || slot(r) < count; };
        column_t column[n];
        decode(data, column_bytes, slots, column, First, Apart);
        [[maybe_unused]] V a[n];
        constexpr bool early = Kernel::template loads_values_first<value, V>;
        if constexpr (early)
#pragma unroll
            for (int r = 0; r < n; ++r)
                if (slot(r) < slots) a[r] = entry(data, slot(r), slots);
        // All gathers of x are in flight at once.  Values come from shared memory one by one, which
        // saves registers.
        decltype(x_.get(0)) x[n];
#pragma unroll
        for (int r = 0; r < n; ++r) {
            // Uninitialised, x[r] would keep the registers of the previous slice alive.
            if (Then == absent::deselected && slot(r) >= Sure) x[r] = 0.0;
            if (exists(r)) x[r] = x_.get(column[r]);
        }
        const auto term = [&](int r) {
            if constexpr (early)
                return terms_(x[r], a[r]);
            else
                return terms_(x[r], entry(data, slot(r), slots));
        };
        if constexpr (Then == absent::deselected || Sure >= W)
            return fold_all<slots_each / Apart, n>(term, exists);
        else
            return exists(0) ? fold_in_thread<n>(term, exists) : Terms::none();
    }
    /// The fold of a leaf.  Double-double gathers x for even slots, then for odd ones.
    template <int W, int Sure, absent Then>
    __device__ __forceinline__ value leaf(const std::uint8_t* data, int column_bytes, int slots,
                                          int count) const
    {
        constexpr int halves = W > 1 && sizeof(value) > sizeof(double) ? 2 : 1;
        value sum = part_of_leaf<W, Sure, Then, 0, halves>(data, column_bytes, slots, count);
        __syncwarp();
        if constexpr (halves == 2) {
            const value other = part_of_leaf<W, Sure, Then, 1, 2>(data, column_bytes, slots, count);
            if (1 < Sure || 1 < count) sum = sum + other;
            __syncwarp();
        }
        return sum;
    }
    /// Straight-line code for each number of slots, of which the last Missing may be padding.
    template <int Missing>
    __device__ __forceinline__ value straight_leaf(const std::uint8_t* data, int column_bytes,
                                                   int slots, int count) const
    {
        const auto of = [&](auto width) {
            constexpr int w = decltype(width)::value;
            return leaf<w, (w > Missing ? w - Missing : 0), absent::deselected>(data, column_bytes,
                                                                                w, count);
        };
        if (slots == 7) return of(number<7>{});
        if (slots == 8) return of(number<8>{});
        if (slots == 6) return of(number<6>{});
        if (slots == 5) return of(number<5>{});
        if (slots == 4) return of(number<4>{});
        if (slots == 3) return of(number<3>{});
        if (slots == 2) return of(number<2>{});
        if (slots == 1) return of(number<1>{});
        return Terms::none();
    }
    template <int N>
    using number = std::integral_constant<int, N>;

    /// The sum of a lane with one leaf.  All of it is straight-line code: some lane has an entry in
    /// each slot.  A third version, for at most one missing entry, pays in double only, where the
    /// code is small.
    __device__ __forceinline__ value sum_of_leaf(const std::uint8_t* data, int column_bytes,
                                                 int slots, int count) const
    {
        const bool is_full = __all_sync(whole_warp, count >= slots);
        if (is_full) return straight_leaf<0>(data, column_bytes, slots, count);
        value sum;
        if (sizeof(value) == sizeof(double) && __all_sync(whole_warp, count + 1 >= slots))
            sum = straight_leaf<1>(data, column_bytes, slots, count);
        else
            sum = straight_leaf<slots_each>(data, column_bytes, slots, count);
        return count > 0 ? sum : Terms::none();
    }

    /// The sum of a lane over the leaf that begins with slot `first`.
    template <bool Full>
    __device__ __forceinline__ value leaf_of_many(const slice& s, const std::uint8_t* data,
                                                  int column_bytes, int first, int slots,
                                                  int mine) const
    {
        if constexpr (Full) return straight_leaf<0>(data, column_bytes, slots, slots);
        const int count = (mine - first + (1 << s.log2_leaves) - 1) >> s.log2_leaves;
        return leaf<slots_each, 0, absent::skipped>(data, column_bytes, slots, count);
    }
    /// The sum of a lane whose first `mine` slots hold entries.  Full: all slots of all lanes do.
    template <bool Full>
    __device__ __forceinline__ value sum_of_leaves(const slice& s, int mine) const
    {
        const std::uint8_t* from = a_.code + s.leaves_at();
        const int column_bytes = s.column_bytes;
        value sum;
#pragma unroll 1
        for (int c = 0;; ++c) {
            const int first = first_slot(s, c), slots = s.slots_from(first);
            const int bytes = bytes_of_leaf(slots, column_bytes);
            const std::uint8_t* const data = fetch(from, bytes, c == 0);
            from += bytes;
            if constexpr (Kernel::straight) return sum_of_leaf(data, column_bytes, slots, mine);
            sum = leaf_of_many<Full>(s, data, column_bytes, first, slots, mine);
            if constexpr (Kernel::levels == 0) return sum;
            carry(sums_of_levels(), c, sum, [&](int k) { return Full || first_slot(s, k) < mine; });
            if ((c + 1) >> s.log2_leaves) return sum;
        }
    }
    __device__ static __forceinline__ int first_slot(const slice& s, int c)
    {
        return s.log2_leaves == 0 ? 0
                                  : static_cast<int>(__brev(unsigned(c)) >> (32 - s.log2_leaves));
    }

    __device__ static __forceinline__ auto& sums_of_levels()
    {
        __shared__ partial_sums<value, (Kernel::levels > 0 ? Kernel::levels : 1), threads> all;
        return all;
    }
    Terms terms_;
    formats::slice_list<V> a_;
    X x_;
};

}  // namespace ddla::device_backend
