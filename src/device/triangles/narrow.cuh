// A narrow span of levels in one block, level by level.
//
// A level of few rows takes as long as its unknowns need to reach the rows of the next one: 0.7
// microseconds through L2, a fraction of that within a block.  The warps take the packets in turn;
// one that waits for its level has loaded its entries (of a row in several tiles the first ones),
// and the unknowns of rows long done.  Those of the last rows are in shared memory.
//
// compute-sanitizer's racecheck reports potential hazards (RAW) between the writes and the reads of
// these: it follows barriers, but no acquire loads.  There is none.  Let f(L) be the number of
// packets before level L, which its packets wait for in packets_done::await.
//
// 1. The count is zero before the barrier at the start, and then changes by atomic additions of one
//    alone: addition number c makes it c.  A packet of level L or later adds only after it read
//    f(L) or more, so its addition is later than number f(L).  So additions 1 ... f(L) are those of
//    the f(L) packets of earlier levels: who reads f(L) or more finds all of them counted, although
//    the packets of a level end in any order.
// 2. The lanes of a packet put unknowns, then __syncwarp, then lane 0 adds with release.  Additions
//    are atomic, so one after the other they carry each release on to whatever reads the count
//    later.  Every lane that waits reads it itself, with acquire, before it reads an unknown.  So
//    what packets of earlier levels wrote is there, and what they read, they read before what comes
//    after the wait.  A row needs rows of earlier levels alone: no read meets a write on its way.
// 3. Place of row r: next written for row r + 2,048.  The packet that does so, of level M, waited
// for
//    all packets of levels before M: their reads of r are over, and the write of r is, since a
//    level has 256 rows at most.  A packet p of level M or later does not read r: the rows that it
//    takes from shared memory (name_kept_rows) begin 16 packets before the level of packet p - 16,
//    and from there to the end of the level of p there are at most 16 * 32 + 256 + 15 * 32 + 256 =
//    1,504 rows.
// 4. An unknown that a packet p takes from L2 is of a packet q more than 16 before the level of
//    packet p - 16, or of a span before.  The warp of q added q + 16 after it had put that of q
//    there, and the warp of p waited for all packets before that level when it did p - 16.
#pragma once

#include "packets.cuh"

#include "device/core/launch.cuh"

namespace ddla::device_backend {

inline constexpr int threads_of_narrow_span = narrow_span::warps * warp_size;

/// The address in shared memory, opaque to the compiler, which keeps it in a register then.  Else
/// it computes it again for each level, while the next one waits.
__device__ __forceinline__ unsigned kept_address(void* shared)
{
    auto address = static_cast<unsigned>(__cvta_generic_to_shared(shared));
    asm volatile("" : "+r"(address));
    return address;
}

/// The unknowns of the last rows, in shared memory.
template <class W>
class near_unknowns {
public:
    static constexpr int words = value_words<W>;
    using memory = word[words][narrow_span::kept];

    __device__ explicit near_unknowns(memory& here) : base_(kept_address(&here)) {}

    __device__ __forceinline__ void put(index_t row, const W& x) const
    {
        by_words(x, [&](word w, int k) {
            asm volatile("st.shared.u64 [%0], %1;"
                         :
                         : "r"(address(narrow_span::place(row), k)), "l"(w)
                         : "memory");
            return w;
        });
    }
    __device__ __forceinline__ W get(column_t place) const
    {
        return by_words(W{}, [&](word w, int k) {
            asm volatile("ld.shared.u64 %0, [%1];" : "=l"(w) : "r"(address(place, k)) : "memory");
            return w;
        });
    }

private:
    __device__ __forceinline__ unsigned address(column_t place, int k) const
    {
        return base_ + static_cast<unsigned>((k * narrow_span::kept + place) * sizeof(word));
    }

    unsigned base_;
};

/// Where the unknowns of a span are: in shared memory while they may be on their way to L2, else in
/// the slots of all.
template <class W>
class unknowns_of_span {
public:
    __device__ unknowns_of_span(const near_unknowns<W>& near, const unknown_slots<W>& far)
        : near_(near), far_(far)
    {
    }

    /// For the rows solved next.
    __device__ __forceinline__ void put(index_t, index_t row, const W& x) const
    {
        near_.put(row, x);
    }
    /// For all others.
    __device__ __forceinline__ void put_far(index_t unknown, const W& x) const
    {
        far_.put(unknown, 0, x);
    }
    template <int Count>
    struct glance {
        W x[Count];
    };
    template <int Count>
    __device__ __forceinline__ void look(const column_t (&unknown)[Count],
                                         glance<Count>& seen) const
    {
#pragma unroll
        for (int k = 0; k < Count; ++k)
            if (unknown[k] >= 0) seen.x[k] = far_.of_complete(unknown[k]);
    }
    template <int Count>
    __device__ __forceinline__ void take(const column_t (&unknown)[Count],
                                         const glance<Count>& seen, W (&x)[Count]) const
    {
#pragma unroll
        for (int k = 0; k < Count; ++k) {
            x[k] = seen.x[k];
            if (unknown[k] < 0) x[k] = near_.get(~unknown[k]);
        }
    }
    using early = typename unknown_slots<W>::early;
    __device__ __forceinline__ void look_early(index_t unknown, early& seen) const
    {
        far_.look_early(unknown, seen);
    }
    __device__ __forceinline__ W await(index_t unknown, const early& seen) const
    {
        return far_.await(unknown, seen);
    }

private:
    near_unknowns<W> near_;
    unknown_slots<W> far_;
};

/// How many packets of a span are done.
class packets_done {
public:
    __device__ explicit packets_done(unsigned& count) : count_(kept_address(&count)) {}

    /// By all threads of a warp that has put its unknowns.
    __device__ __forceinline__ void add() const
    {
        __syncwarp();
        if (threadIdx.x % warp_size == 0)
            asm volatile("red.release.cta.shared.add.u32 [%0], 1;" : : "r"(count_) : "memory");
    }
    __device__ __forceinline__ void await(unsigned count) const
    {
        bounded_wait wait;
        while (look() < count) wait.look_again("the level before");
        __syncwarp();
    }

private:
    __device__ __forceinline__ unsigned look() const
    {
        unsigned now;
        asm volatile("ld.acquire.cta.shared.u32 %0, [%1];" : "=r"(now) : "r"(count_) : "memory");
        return now;
    }

    unsigned count_;
};

template <class T, class F>
__global__ void __launch_bounds__(threads_of_narrow_span, 1)
    solve_narrow_span(const triangle_solve<T, F> s, const level_span span, word* solves)
{
    using W = steps::wider<T, F>;
    constexpr int warps = narrow_span::warps;
    __shared__ typename near_unknowns<W>::memory near;
    __shared__ unsigned done;
    block_after_wait();
    const word solve = *static_cast<const volatile word*>(solves) + 1;
    if (threadIdx.x == 0) done = 0;
    __syncthreads();
    if (threadIdx.x == 0) *solves = solve;

    const packets_done packets(done);
    using unknowns = unknowns_of_span<W>;
    const triangle_warp<T, F, unknowns> warp(
        s, unknowns(near_unknowns<W>(near), unknown_slots<W>(s.slots, solve)));
    const auto count = static_cast<unsigned>(span.end_packet - span.first_packet);
    const row_packet* const packet = s.a.packet + span.first_packet;
    const auto load = [&](unsigned k) { return load_packet(packet + (k < count ? k : count - 1)); };
    unsigned p = threadIdx.x / warp_size;
    auto next = warp.find(load(p));
    row_packet after = load(p + warps);
    for (; p < count; p += warps) {
        const auto now = next;
        next = warp.find(after);
        after = load(p + 2 * warps);
        const auto before = static_cast<unsigned>(now.packet.of_level - span.first_packet);
        warp.solve(
            now, [&] { packets.await(before); }, [&] { packets.add(); });
    }
}

}  // namespace ddla::device_backend
