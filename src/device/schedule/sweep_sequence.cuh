// Steps over elements that follow on one another, in one kernel.
//
// Between two products an iteration has one or two sums and steps that need them.  With one kernel
// per step, launches and the atomic counters of the sums take as long as the work, in systems up to
// a million unknowns.  Here one block per SM takes tiles, the same ones in every step, each warp
// one at a time.  A thread reads only what it wrote itself or what preceding kernels wrote, so
// blocks exchange nothing but sums: grid_exchange.cuh.
#pragma once

#include "chain.cuh"
#include "device/core/grid_exchange.cuh"
#include "sweep.cuh"

#include <bit>

namespace ddla::device_backend {

/// One block per SM: fewer blocks exchange sums faster.
inline constexpr int sequence_threads = tuning::tiles_of_sequence_block * block_size,
                     sequence_warps = sequence_threads / warp_size;

/// The memory for exchanges of all such kernels: the last sequence number used, then the slots.
/// Zeros before the first kernel.
class all_reduce_memory {
public:
    static std::size_t bytes(index_t tiles)
    {
        return sizeof(slot) + tile_all_reduce::slots(tiles) * sizeof(slot);
    }
    explicit all_reduce_memory(void* memory) : slots_(static_cast<slot*>(memory)) {}

    __device__ slot* slots() const { return slots_ + 1; }
    __device__ word& number() const { return slots_->number; }

private:
    slot* slots_;
};

/// What a block works with.
template <class State>
struct sequence_block {
    State& q;
    unsigned block;
    index_t n;
    bool& backwards;  ///< whether the next step goes from the last tile to the first
    tile_all_reduce& all;
    word* room;  ///< for partial sums of threads, then for terms of the block in an exchange
};

/// The operands of an element, and of how many elements a thread loads them at once.
using steps::own_of;
template <class Step>
inline constexpr int elements_at_once = tuning::elements_at_once(value_words<own_of<Step>>);

/// The elements of a thread, in turns, tile by tile of its warp.  Operands are prefetched into
/// registers before their turn begins, those of the first turn before the scalars are known.
template <class Step>
class share_of_step {
    static constexpr int each = elements_at_once<Step>, turns = tile_size / warp_size / each;
    static constexpr int log2_turns = std::countr_zero(static_cast<unsigned>(turns));

public:
    /// Begins to read, if the warp has a tile.
    template <class State>
    __device__ __forceinline__ void begin(const Step& step, const sequence_block<State>& here)
    {
        take_tiles(here);
        if (left_ > 0) read(step, here.n);
    }
    /// The same in two parts, for the first step of a kernel if it sums products: the other
    /// operand, while the product may still be written, and then the product.
    __device__ __forceinline__ void begin_beside(const Step& step, index_t n)
    {
        tile_ = first_tile(blockIdx.x), turn_ = 0;  // not `block`, known only after the wait
#pragma unroll
        for (int k = 0; k < each; ++k) at_[k].own = load_from_others(step.beside(), index_of(n, k));
    }
    template <class State>
    __device__ __forceinline__ void begin_product(const Step& step,
                                                  const sequence_block<State>& here)
    {
        take_tiles(here);
        if (left_ == 0) return;
#pragma unroll
        for (int k = 0; k < each; ++k)
            at_[k].product = step.product_vector().get(index_of(here.n, k));
    }
    /// The step, after begin(); if it has a sum, stores the sums of tiles for the exchange.
    template <class State>
    __device__ __forceinline__ void take(const Step& step, const sequence_block<State>& here)
    {
        const State q = here.q;
#pragma unroll 1
        while (left_ > 0) {
            const index_t tile = tile_;
            const int terms = terms_in(here.n, tile);
            if constexpr (std::is_void_v<typename Step::sum>) {
#pragma unroll 1
                for (int c = 0; c < turns; ++c) {
                    update(step, terms, q, [](int, auto) {});
                    read_next(step, here.n);
                }
            } else {
                using sum = typename Step::sum;
                auto& partial =
                    *reinterpret_cast<partial_sums<sum, 2, sequence_threads>*>(here.room);
                const sum total = fold_tile_by_turns<sum, turns>(partial, terms, [&](int r) {
                    sum term[each];
                    update(step, terms, q, [&](int k, const sum& s) { term[k] = s; });
                    read_next(step, here.n);
                    return fold_in_thread<each>([&](int k) { return term[k]; },
                                                [&](int k) { return in_tile(r, k) < terms; });
                });
                here.all.put(tile, total);
            }
        }
    }

private:
    __device__ static __forceinline__ index_t first_tile(index_t block)
    {
        return index_t(threadIdx.x / warp_size) * gridDim.x + block;
    }
    template <class State>
    __device__ __forceinline__ void take_tiles(const sequence_block<State>& here)
    {
        const index_t m = tiles(here.n), first = first_tile(here.block);
        const index_t apart = index_t(sequence_warps) * gridDim.x;
        left_ = first < m ? static_cast<int>((m - 1 - first) / apart) + 1 : 0;
        // Steps alternate direction: the caches hold most of the tiles that a step ended with.
        tile_ = here.backwards ? first + (left_ - 1) * apart : first;
        to_next_ = here.backwards ? -apart : apart;
        turn_ = 0;
    }
    /// Of its tile, element k of the turn that has terms lane + 32 r, lane + 32 (r + turns), etc.
    __device__ static __forceinline__ int in_tile(int r, int k)
    {
        return threadIdx.x % warp_size + (r + k * turns) * warp_size;
    }
    /// Turns come in the order in which fold_tile_by_turns asks for their terms.
    __device__ __forceinline__ int of_turn(int k) const
    {
        return in_tile(reversed_bits(turn_, log2_turns), k);
    }
    /// Element k of this turn.  (From n on the last one, which another thread may be writing while
    /// this one reads it; nothing is done with it.)
    __device__ __forceinline__ index_t index_of(index_t n, int k) const
    {
        const index_t i = tile_ * tile_size + of_turn(k);
        return i < n ? i : n - 1;
    }
    __device__ __forceinline__ void read(const Step& step, index_t n)
    {
#pragma unroll
        for (int k = 0; k < each; ++k) at_[k] = steps::own(step, index_of(n, k));
    }
    __device__ __forceinline__ void read_next(const Step& step, index_t n)
    {
        if (++turn_ == turns) {
            tile_ += to_next_, turn_ = 0;
            if (--left_ == 0) return;
        }
        read(step, n);
    }
    /// The step at the elements that were read, of a tile of `count`; keep(k, its term) of each.
    template <class State, class Keep>
    __device__ __forceinline__ void update(const Step& step, int count, const State& q,
                                           const Keep& keep) const
    {
#pragma unroll
        for (int k = 0; k < each; ++k)
            if (const int i = of_turn(k); i < count) {
                if constexpr (std::is_void_v<typename Step::sum>)
                    step(tile_ * tile_size + i, at_[k], q);
                else
                    keep(k, step(tile_ * tile_size + i, at_[k], q));
            }
    }

    own_of<Step> at_[each];  ///< of this turn
    index_t tile_, to_next_;
    int turn_;  ///< of the tile
    int left_;  ///< tiles, this one among them
};

/// Whether all that is left of a step is to add up the sums of tiles.
template <class Step>
inline constexpr bool is_summed = Step::has.adds_up_tiles;

/// A step whose `share` has begun; meanwhile() runs while blocks wait for the sum, if there is one.
template <class Step, class State, class Meanwhile>
__device__ __forceinline__ void take_step(const Step& step, const sequence_block<State>& here,
                                          share_of_step<Step>& share, const Meanwhile& meanwhile)
{
    if (Step::stopped(here.q)) return;  // as do all blocks: their scalars are the same
    constexpr bool sums = !std::is_void_v<typename Step::sum>;
    constexpr bool summed = is_summed<Step>;
    if constexpr (summed) {
        here.all.enter_with_sums();
    } else {
        if constexpr (sums) here.all.enter();
        share.take(step, here);
        here.backwards = !here.backwards;
    }
    if constexpr (sums) {
        using sum = typename Step::sum;
        __syncthreads();
        finish_here(step, here.q, [&](auto& total) {
            auto& room = reinterpret_cast<terms_of_block<sum>(&)[2]>(*here.room);
            if constexpr (summed)
                here.all.add_up(
                    room, total, [&](unsigned tile) { return step.of_tile[tile]; }, meanwhile);
            else
                here.all.add_up(
                    room, total, [&](unsigned tile) { return here.all.template await<sum>(tile); },
                    meanwhile);
        });
    } else {
        meanwhile();
    }
}
/// The steps; `share` of the first one has begun, those of the others begin while blocks wait for
/// the preceding sum.
template <class First, class... Rest, class State>
__device__ __forceinline__ void take_steps(const chain<First, Rest...>& steps,
                                           const sequence_block<State>& here,
                                           share_of_step<First>& share)
{
    if constexpr (sizeof...(Rest) == 0) {
        take_step(steps.first, here, share, [] {});
    } else {
        share_of_step<decltype(steps.rest.first)> next;
        take_step(steps.first, here, share, [&] { next.begin(steps.rest.first, here); });
        take_steps(steps.rest, here, next);
    }
}

/// Steps over n elements, one of which at least has a sum; all blocks, no more than there are
/// tiles, are on the device at once.
template <steps::step First, steps::step... Rest>
__global__ void __launch_bounds__(sequence_threads, 1)
    run_sweep_sequence(const chain<First, Rest...> steps, index_t n, const all_reduce_memory place)
{
    using state = std::remove_pointer_t<decltype(First::shared)>;
    static_assert(
        !(std::is_void_v<typename First::sum> && ... && std::is_void_v<typename Rest::sum>),
        "blocks know of each other, so that all have read what the first one writes at "
        "the end");
    static_assert(!(is_summed<Rest> || ...), "see tile_all_reduce");
    __shared__ shared_value<state> scalars;
    __shared__ word room[2 * grid_all_reduce::most_words * sequence_threads];
    __shared__ word before;
    state& q = scalars.whole();
    // A product writes neither scalars nor the number of the last exchange nor w of its dot
    // product, and its first kernel waits for the kernel that wrote these before it triggers the
    // next one.
    constexpr bool behind_product = First::has.comes_after_product;
    if constexpr (!behind_product) wait_and_trigger_dependents();
    share_of_step<First> share;
    if constexpr (behind_product && !is_summed<First>) share.begin_beside(steps.first, n);
    if (threadIdx.x == 0) {
        take_scalars(q, *steps.first.shared);
        before = load_from_others(&place.number());
    }
    if constexpr (behind_product) wait_and_trigger_dependents();
    const index_t block = block_from_now();
    __syncthreads();
    if (First::stopped(q)) return;
    tile_all_reduce all(place.slots(), tiles(n), before);
    bool backwards = false;
    const sequence_block<state> here{q, static_cast<unsigned>(block), n, backwards, all, room};
    if constexpr (!behind_product)
        share.begin(steps.first, here);
    else if constexpr (!is_summed<First>)
        share.begin_product(steps.first, here);
    take_steps(steps, here, share);
    if (block > 0) return;
    all.wait_until_all_are_in();  // they have read what is written now
    if (threadIdx.x > 0) return;
    *steps.first.shared = q;
    place.number() = all.last();
}

}  // namespace ddla::device_backend
