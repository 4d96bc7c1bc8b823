// Steps over elements that follow on one another, in one kernel.
//
// Between two products an iteration has one or two sums and some steps that need them.  A kernel
// each begins with the start of a kernel and ends with trips to counters, which in a system of a
// million unknowns takes as long as what it does.  Here as few blocks as fill the device take all
// tiles, always the same ones, each warp a tile at a time.  What a thread reads was written by
// itself or by kernels before, so blocks need to know of each other but their sums: exchange.cuh.
#pragma once

#include "chain.cuh"
#include "exchange.cuh"
#include "sweep.cuh"

namespace ddla::device_backend {

/// A block for each multiprocessor: the fewer of them, the sooner they have met.
inline constexpr int fused_threads = 2 * block_size, fused_warps = fused_threads / warp_size;

/// Where blocks meet, kernel after kernel: the number of the last meeting, then the slots.  Zeros
/// before the first one.
class meeting_place {
public:
    static std::size_t bytes(index_t tiles)
    {
        return sizeof(slot) + meeting_of_tiles::slots(tiles) * sizeof(slot);
    }
    explicit meeting_place(void* memory) : slots_(static_cast<slot*>(memory)) {}

    __device__ slot* slots() const { return slots_ + 1; }
    __device__ word& number() const { return slots_->number; }

private:
    slot* slots_;
};

/// What a block works with.
template <class State>
struct fused {
    State& q;
    unsigned block;
    index_t n;
    bool& backwards;  ///< whether the next step goes from the last tile to the first
    meeting_of_tiles& all;
    word* room;  ///< for partial sums of threads, then for terms of a block where blocks meet
};

/// What a step reads of an element, and of how many at once: loads on their way in registers.
template <class Step, class State>
using own_of = decltype(std::declval<Step>().own(index_t(), std::declval<State>()));
template <class Step, class State>
inline constexpr int elements_at_once = value_words<own_of<Step, State>> <= 3   ? 8
                                        : value_words<own_of<Step, State>> <= 6 ? 4
                                                                                : 2;

/// The step at elements i, i + Apart, ... below n, which are read before the first is written;
/// their terms, if any, in order.  (For those from n on the last one is read, which another thread
/// may be writing, and nothing is done with it.)
template <int Count, int Apart, class Step, class State, class Keep>
__device__ __forceinline__ void take_elements(const Step& step, index_t i, index_t n,
                                              const State& q, const Keep& keep)
{
    own_of<Step, State> at[Count];
#pragma unroll
    for (int k = 0; k < Count; ++k) {
        const index_t there = i + k * Apart;
        at[k] = step.own(there < n ? there : n - 1, q);
    }
#pragma unroll
    for (int k = 0; k < Count; ++k)
        if (i + k * Apart < n) {
            if constexpr (std::is_void_v<typename Step::sum>)
                step(i + k * Apart, at[k], q);
            else
                keep(k, step(i + k * Apart, at[k], q));
        }
}

/// The step over the tiles of the block, a warp a tile; their sums, if it has one, are put where
/// the blocks will meet.
template <class Step, class State>
__device__ __forceinline__ void sweep_share(const Step& step, const fused<State>& here)
{
    const State q = here.q;
    const index_t n = here.n, m = tiles(n);
    const int lane = threadIdx.x % warp_size;
    const index_t first = index_t(threadIdx.x / warp_size) * gridDim.x + here.block;
    const index_t apart = index_t(fused_warps) * gridDim.x;
    // There and back: of the tiles that a step ends with the caches have most.
    const index_t last = first + (m - 1 - first) / apart * apart;
    const index_t begin = here.backwards ? last : first, by = here.backwards ? -apart : apart;
    constexpr int each = elements_at_once<Step, State>, turns = tile_size / warp_size / each;
    if constexpr (std::is_void_v<typename Step::sum>) {
#pragma unroll 1
        for (index_t tile = begin; tile >= first && tile < m; tile += by) {
#pragma unroll 1
            for (int r = 0; r < turns; ++r)
                take_elements<each, warp_size>(step, tile * tile_size + lane + r * each * warp_size,
                                               n, q, [](int, int) {});
        }
    } else {
        using sum = typename Step::sum;
        auto& partial = *reinterpret_cast<partial_sums<sum, 2, fused_threads>*>(here.room);
#pragma unroll 1
        for (index_t tile = begin; tile >= first && tile < m; tile += by) {
            const index_t i = tile * tile_size + lane;
            const int terms = terms_in(n, tile);
            const sum total = fold_tile_by_turns<sum, turns>(partial, terms, [&](int r) {
                sum term[each];
                take_elements<each, turns * warp_size>(step, i + r * warp_size, n, q,
                                                       [&](int k, const sum& s) { term[k] = s; });
                return fold_in_thread<each>(
                    [&](int k) { return term[k]; },
                    [&](int k) { return lane + (r + k * turns) * warp_size < terms; });
            });
            here.all.put(tile, total);
        }
    }
}

/// Whether all that is left of a step is to add up the sums of tiles.
template <class Step>
inline constexpr bool is_summed = requires(const Step& step)
{
    step.of_tile;
};

template <class Step, class State>
__device__ __forceinline__ void take_step(const Step& step, const fused<State>& here)
{
    if (Step::stopped(here.q)) return;  // as do all blocks: their scalars are the same
    constexpr bool sums = !std::is_void_v<typename Step::sum>;
    constexpr bool summed = is_summed<Step>;
    if constexpr (summed) {
        here.all.enter_with_sums();
    } else {
        if constexpr (sums) here.all.enter();
        sweep_share(step, here);
        here.backwards = !here.backwards;
    }
    if constexpr (sums) {
        using sum = typename Step::sum;
        __syncthreads();
        finish_here(step, here.q, [&](auto& total) {
            auto& room = reinterpret_cast<terms_of_block<sum>(&)[2]>(*here.room);
            if constexpr (summed)
                here.all.add_up(room, total, [&](unsigned tile) { return step.of_tile[tile]; });
            else
                here.all.add_up(room, total,
                                [&](unsigned tile) { return here.all.template await<sum>(tile); });
        });
    }
}
template <class State>
__device__ __forceinline__ void take_steps(const chain<>&, const fused<State>&)
{
}
template <class First, class... Rest, class State>
__device__ __forceinline__ void take_steps(const chain<First, Rest...>& steps,
                                           const fused<State>& here)
{
    take_step(steps.first, here);
    take_steps(steps.rest, here);
}

/// Steps over n elements, one of which at least has a sum; all blocks, no more than there are
/// tiles, are on the device at once.
template <class First, class... Rest>
__global__ void __launch_bounds__(fused_threads, 1)
    sweep_fused(const chain<First, Rest...> steps, index_t n, const meeting_place place)
{
    using state = std::remove_pointer_t<decltype(First::shared)>;
    static_assert(
        !(std::is_void_v<typename First::sum> && ... && std::is_void_v<typename Rest::sum>),
        "blocks know of each other, so that all have read what the first one writes at "
        "the end");
    static_assert(!(is_summed<Rest> || ...), "see meeting_of_tiles");
    __shared__ shared_value<state> scalars;
    __shared__ word room[2 * meeting::most_words * fused_threads];
    __shared__ word before;
    state& q = scalars.whole();
    // A product writes neither scalars nor the number of the last meeting, and the first kernel of
    // one waits for who did before it lets in the next.
    constexpr bool behind_product = requires
    {
        First::comes_after_product;
    };
    if constexpr (!behind_product) wait_and_let_in_the_next();
    if (threadIdx.x == 0) {
        take_scalars(q, *steps.first.shared);
        before = load_from_others(&place.number());
    }
    if constexpr (behind_product) wait_and_let_in_the_next();
    const index_t block = block_from_now();
    __syncthreads();
    if (First::stopped(q)) return;
    meeting_of_tiles all(place.slots(), tiles(n), before);
    bool backwards = false;
    take_steps(steps, fused<state>{q, static_cast<unsigned>(block), n, backwards, all, room});
    if (block > 0) return;
    all.wait_until_all_are_in();  // they have read what is written now
    if (threadIdx.x > 0) return;
    *steps.first.shared = q;
    place.number() = all.last();
}

}  // namespace ddla::device_backend
