// A wide span of levels in one kernel, without barriers.
//
// Warps draw tickets for packets of rows, which are stored in an order in which they can be solved.
// A row waits for its unknowns by polling their slots.  That ends for every grid, also if its
// blocks run one after the other: the lowest ticket that is not done is held by a warp that runs,
// which works on no higher one before (it may hold the next two), and all that its rows need has
// lower tickets.  The rows of a packet need none of each other, so that lanes that poll never wait
// for lanes of their own warp.
//
// A kernel draws packets + 3 x warps tickets, whatever happens: each warp draws until its ticket is
// none of a packet, and two ahead.  So the count of all tickets says which solve this is, and where
// its tickets begin.  Nothing is reset between two kernels, and a kernel in a graph finds the next
// number by itself.  Kernels with the same counter must run one after the other, with the same
// grid.
#pragma once

#include "packets.cuh"

#include "device/core/launch.cuh"

namespace ddla::device_backend {

template <class T, class F>
__global__ void __launch_bounds__(tuning::threads_of_triangles, tuning::blocks_of_triangles)
    solve_wide_span(const triangle_solve<T, F> s, const level_span span, word* tickets)
{
    block_after_wait();
    constexpr int warps = tuning::threads_of_triangles / warp_size;
    const auto draw = [&] {
        return threadIdx.x % warp_size == 0 ? atomicAdd(tickets, word{1}) : word{0};
    };
    const auto count = static_cast<word>(span.end_packet - span.first_packet);
    const word of_solve = count + 3 * gridDim.x * warps;
    const word ticket = from_lane(draw(), 0), solve = ticket / of_solve;
    using slots = unknown_slots<steps::wider<T, F>>;
    const triangle_warp<T, F, slots> warp(s, slots(s.slots, solve + 1));
    const row_packet* const packet = s.a.packet + span.first_packet;
    const auto load = [&](word k) { return load_packet(packet + (k < count ? k : count - 1)); };
    const auto nothing = [] {};

    // While a packet is worked on, the rows of the next one are found, the one after that is
    // loaded, and a ticket is drawn.
    const word first = solve * of_solve;
    word p = ticket - first, p1 = from_lane(draw(), 0) - first, p2 = draw();
    auto next = warp.find(load(p));
    row_packet after = load(p1);
    while (p < count) {
        const auto now = next;
        next = warp.find(after);
        p2 = from_lane(p2, 0) - first;
        after = load(p2);
        const word p3 = draw();
        warp.solve(now, nothing, nothing);
        p = p1;
        p1 = p2;
        p2 = p3;
    }
}

}  // namespace ddla::device_backend
