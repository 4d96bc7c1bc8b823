// All triangles of a solve in one kernel, without barriers.
//
// Warps draw tickets for packets of rows, which are stored in an order in which they can be solved.
// A row waits for its unknowns by polling their slots.  That ends for every grid, also if its
// blocks run one after the other: the lowest ticket that is not done is held by a warp that runs,
// which works on no higher one before (it may hold the next), and all that its rows need has lower
// tickets.  The rows of a packet need none of each other, so that lanes that poll never wait for
// lanes of their own warp.
//
// A kernel draws packets + warps tickets, whatever happens: each warp draws until its ticket is
// none of a packet.  So the count of all tickets says which solve this is, and where its tickets
// begin.  Nothing is reset between two kernels, and a kernel in a graph finds the next number by
// itself.  Kernels with the same counter must run one after the other, with the same grid.
#pragma once

#include "rows.cuh"

#include "device/context.cuh"
#include "steps/common_exponent.hpp"

namespace ddla::device_backend {

/// What one solve works with.
template <class T, class F>
struct triangle_solve {
    triangle_list<F> a;
    vec<const T> r;
    vec<T> z;
    const steps::largest_exponent* common;  ///< of r, scaled
    slot* slots;
    word* tickets;
};

/// What a warp does in one solve.
template <class T, class F>
class triangle_warp {
public:
    __device__ triangle_warp(const triangle_solve<T, F>& s, word number)
        : s_(s), x_(s.slots, number), rows_(s.a, x_), lane_(threadIdx.x % warp_size),
          common_(s.a.scale_in ? s.common->or_zero() : 0)
    {
    }

    __device__ __forceinline__ void solve(row_packet p) const
    {
        const int lanes = p.lanes, lane = lane_ & (lanes - 1), group = lane_ / lanes;
        const bool exists = group < p.rows;
        const index_t k = p.first + (exists ? group : 0);
        const index_t entry = __ldg(s_.a.row_begin + k);
        const index_t length = exists ? __ldg(s_.a.row_begin + k + 1) - entry : 0;
        const bool leads = exists && lane == 0;
        index_t unknown = 0;
        W right(0);
        F pivot(1);
        if (leads) {
            unknown = __ldg(s_.a.unknown + k);
            if (p.divides) pivot = load_constant(s_.a.pivot, k);
            right = right_side(unknown);
        }
        // All lanes agree: a row that is longer than its lanes has all of them.
        const W sum = length > lanes
                          ? rows_.long_sum(entry, length)
                          : rows_.short_sum(entry, static_cast<int>(length), lane, lanes);
        if (leads) finish(unknown, right - sum, pivot, p.divides);
    }

private:
    using W = steps::wider<T, F>;

    __device__ __forceinline__ W right_side(index_t unknown) const
    {
        if (unknown >= s_.a.n) return x_.await(unknown - s_.a.n);
        const column_t i = __ldg(s_.a.in + unknown);
        const W value = steps::rounded<W>(s_.r.get(i));
        return s_.a.scale_in ? steps::scaled(value, __ldg(s_.a.scale_in + i) - common_) : value;
    }
    __device__ __forceinline__ void finish(index_t unknown, const W& rest, const F& pivot,
                                           bool divides) const
    {
        const W x = divides ? rest / pivot : rest;
        x_.put(unknown, x);
        const index_t last = unknown - (s_.a.unknowns - s_.a.n);
        if (last < 0) return;
        const column_t j = __ldg(s_.a.out + last);
        s_.z.set(j, steps::rounded<T>(s_.a.scale_out
                                          ? steps::scaled(x, __ldg(s_.a.scale_out + j) + common_)
                                          : x));
    }

    triangle_solve<T, F> s_;
    unknown_slots<W> x_;
    awaited_rows<W, F> rows_;
    int lane_;
    int common_;
};

template <class T, class F>
__global__ void __launch_bounds__(tuning::threads_of_triangles, tuning::blocks_of_triangles)
    solve_triangles(const triangle_solve<T, F> s)
{
    block_after_wait();
    constexpr int warps = tuning::threads_of_triangles / warp_size;
    // The next ticket is drawn while the packet of this one is worked on.
    const auto draw = [&] {
        return threadIdx.x % warp_size == 0 ? atomicAdd(s.tickets, word{1}) : word{0};
    };
    const auto packets = static_cast<word>(s.a.packets);
    word ticket = from_lane(draw(), 0);
    const word solve = ticket / (packets + gridDim.x * warps);
    const word first = solve * (packets + gridDim.x * warps);
    const triangle_warp<T, F> warp(s, solve + 1);
    while (ticket - first < packets) {
        const word next = draw();
        row_packet p;
        const word bits = __ldg(reinterpret_cast<const word*>(s.a.packet) + (ticket - first));
        static_assert(sizeof p == sizeof bits);
        memcpy(&p, &bits, sizeof p);
        warp.solve(p);
        ticket = from_lane(next, 0);
    }
}

/// Keeps the slots and the count of tickets.
template <scalar T, scalar F>
class triangle_solver final : public bound_map<T> {
public:
    static constexpr std::size_t bytes_of_word = sizeof(slot);

    triangle_solver(context of, const triangle_list<F>& a)
        : of_(of), a_(a), grid_(grid_for(of, a)), memory_(memory_for(of, a))
    {
    }
    void apply(vec<const T> r, double, vec<T> z) override
    {
        if (a_.n == 0) return;
        auto* const shared = static_cast<state*>(memory_->data());
        if (a_.scale_in) {
            call c = of_.call();
            c.on.run(steps::common_exponent<T>{{}, r, a_.scale_in, &shared->common}, a_.n);
        }
        launcher to(*of_.in, current_schedule().early_launch >= 0);
        const triangle_solve<T, F> s{
            a_, r, z, &shared->common, reinterpret_cast<slot*>(shared + 1), &shared->tickets};
        to.start_blocks_of<tuning::threads_of_triangles>(solve_triangles<T, F>, grid_, s);
    }

private:
    struct alignas(sizeof(slot)) state {
        word tickets;
        steps::largest_exponent common;
    };
    static std::unique_ptr<lasting_memory> memory_for(context of, const triangle_list<F>& a)
    {
        const current_device now(of.in->on().index());
        const auto slots = static_cast<std::size_t>(a.unknowns) * value_words<steps::wider<T, F>>;
        return std::make_unique<lasting_memory>(sizeof(state) + slots * sizeof(slot));
    }
    static unsigned grid_for(context of, const triangle_list<F>& a)
    {
        constexpr int warps = tuning::threads_of_triangles / warp_size;
        const int most = std::max(of.in->on().blocks_at_once(tuning::blocks_of_triangles),
                                  tuning::least_blocks_of_triangles);
        return std::min(launcher::blocks(a.packets, warps), static_cast<unsigned>(most));
    }

    context of_;
    triangle_list<F> a_;
    unsigned grid_;
    std::unique_ptr<lasting_memory> memory_;
};

template <scalar T>
std::unique_ptr<triangle_operations<T>> triangles_on_device(queue& in)
{
    return std::make_unique<triangle_operations_on<context, triangle_solver, T>>(context{&in});
}

}  // namespace ddla::device_backend
