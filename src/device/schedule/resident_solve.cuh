// Iterations of a small system in one kernel.
//
// With one kernel per step, sums through L2 and launches take longer than the work on so few
// elements.  Where all tiles fit on the device at once, each in a block of its own, the blocks
// stay: vectors in shared memory, rows of A in registers, and each block computes all scalars
// itself.
//
// Blocks wait for each other's sums and, in products, for elements of x that other blocks publish.
// Between other steps a thread needs only its own elements.
#pragma once

#include "chain.cuh"
#include "device/core/grid_exchange.cuh"
#include "resident_rows.cuh"
#include "sweep.cuh"

namespace ddla::device_backend {

// For vectors::each_private: a block's part of each vector, word by word in its shared memory.
struct private_words {
    int count = 0;
    template <class T>
    DDLA_HD void operator()(vec<T>&, bool)
    {
        count += words_of<T>;
    }
};
/// n of the block's elements of a vector, from `at` on.
template <class T, class Word>
DDLA_HD vec<T> private_tile(Word* at, index_t n)
{
    return vec<T>::in_memory(at, n, tile_size);
}
/// Views of them that elements first, first + 1, ... can be read and written through.
struct to_private {
    double* at;
    index_t first;
    const double* wanted = nullptr;  ///< a vector
    const double* found = nullptr;   ///< the block's part of it
    template <class T>
    DDLA_HD void operator()(vec<T>& v, bool)
    {
        if (v.word(0) == wanted) found = at;
        v = private_tile<T>(at - first, v.size);
        at += words_of<T> * tile_size;
    }
    /// Of the wanted one, that of this thread.
    template <class T>
    __device__ T element() const
    {
        return private_tile<const T>(found, tile_size).get(threadIdx.x);
    }
};
struct load_private {
    double* at;  ///< the thread's
    index_t i;
    template <class T>
    DDLA_HD void operator()(vec<T>& v, bool lasts)
    {
        const T x = lasts && i < v.size ? v.get(i) : T(0);
        private_tile<T>(at, 1).set(0, x);
        at += words_of<T> * tile_size;
    }
};
struct store_private {
    double* at;
    index_t i;
    template <class T>
    DDLA_HD void operator()(vec<T>& v, bool lasts)
    {
        if (lasts && i < v.size) v.set(i, private_tile<T>(at, 1).get(0));
        at += words_of<T> * tile_size;
    }
};
/// K: the preconditioner of the iteration, which `step` is part of.
template <class K, class Step, class F>
DDLA_HD F each_private(Step& step, F f)
{
    step.all.template each_private<K>(f);
    return f;
}
/// Of an element of each vector of the iteration.
template <class K, class Step>
std::size_t words_of_vectors(Step first)
{
    return static_cast<std::size_t>(each_private<K>(first, private_words{}).count);
}
/// The shared memory of a block, beside what all kernels of this kind have.
template <class K, class Step>
std::size_t resident_bytes(const Step& first)
{
    using T = typename decltype(first.operand)::value_type;
    return sizeof(gather_buffer<T>) + words_of_vectors<K>(first) * tile_size * sizeof(double);
}

/// How many slots a system of so many tiles takes.
template <class Step>
constexpr std::size_t resident_slots(const Step&, index_t tiles)
{
    using T = typename decltype(Step::operand)::value_type;
    return grid_all_reduce::slots + static_cast<std::size_t>(tiles) * tile_size * words_of<T>;
}

/// What a block works with.
template <class K, class State, class T, class V>
struct resident {
    State& q;
    const csr<V>& a;
    const resident_row<V>& row;
    gather_buffer<T>& gathered;
    grid_all_reduce& all;
    slot* elements;
    word* room;
    double* own;
};

/// What the step does with the thread's element.
template <class Step, class K, class State, class T, class V>
__device__ __forceinline__ sum_of<Step> sweep_here(Step step, const resident<K, State, T, V>& here)
{
    const std::uint32_t first = blockIdx.x * tile_size, i = first + threadIdx.x;
    const auto n = static_cast<std::uint32_t>(here.a.rows);
    const State q = here.q;
    if constexpr (Step::sweeps == steps::over::rows) {
        static_assert(!std::is_void_v<typename Step::sum>);  // an all-reduce: see published_vector
        const auto own = each_private<K>(step, to_private{here.own, first, step.operand.word(0)});
        resident_row_sums<steps::products<T>, T, V> rows(
            {}, here.a, here.row, {here.elements, here.all.next()}, here.gathered);
        rows.publish(i, own.template element<T>());
        return element(step, rows, i, n, q);
    } else {
        each_private<K>(step, to_private{here.own, first});
        return element(step, no_rows{}, i, n, q);
    }
}

template <class Step, class Here>
__device__ __forceinline__ void take_step(const Step& step, const Here& here)
{
    if (Step::stopped(here.q)) return;  // as do all blocks: their scalars are the same
    const auto mine = sweep_here(step, here);
    if constexpr (!std::is_void_v<typename Step::sum>) {
        auto& room = reinterpret_cast<terms_of_block<typename Step::sum>(&)[2]>(*here.room);
        room[0].put(mine);
        __syncthreads();
        finish_here(step, here.q, [&](auto& total) {
            here.all.add_up(room, terms_in(here.a.rows, blockIdx.x), total);
        });
    }
}
template <class Here>
__device__ __forceinline__ void take_steps(const chain<>&, const Here&)
{
}
template <class First, class... Rest, class Here>
__device__ __forceinline__ void take_steps(const chain<First, Rest...>& steps, const Here& here)
{
    take_step(steps.first, here);
    take_steps(steps.rest, here);
}

/// Up to `times` iterations, one block per tile, all blocks on the device at once.  `slots` are
/// those of sums, then those of published elements.  Sequence numbers up to `before` are used; this
/// kernel uses at most one for each step of each iteration, and one more.
template <class V, class First, class... Rest>
__global__ void __launch_bounds__(block_size, tuning::blocks_of_iterations(words_of<V>))
    iterate(const chain<First, Rest...> iteration, const csr<V> a, index_t times, slot* slots,
            word before)
{
    using state = std::remove_pointer_t<decltype(First::shared)>;
    __shared__ shared_value<state> scalars;
    __shared__ word room[2 * grid_all_reduce::most_words * block_size];
    extern __shared__ double memory[];
    using T = typename decltype(First::operand)::value_type;
    using K = steps::preconditioner_of<First, Rest...>;
    auto& gathered = *reinterpret_cast<gather_buffer<T>*>(memory);
    double* const own = memory + sizeof gathered / sizeof *memory;
    const index_t i = blockIdx.x * index_t(tile_size) + threadIdx.x;
    auto first = iteration.first;
    state& q = scalars.whole();
    if (threadIdx.x == 0) take_scalars(q, *first.shared);
    each_private<K>(first, load_private{own + threadIdx.x, i});
    const resident_row<V> row(a, gathered);
    grid_all_reduce all(slots, before);
    __syncthreads();
    if (First::stopped(q)) return;
    const resident<K, state, T, V> here{
        q, a, row, gathered, all, slots + grid_all_reduce::slots, room, own};
    for (index_t k = 0; k < times && !First::stopped(q); ++k) take_steps(iteration, here);
    all.wait_for_all();  // nobody still reads *shared
    each_private<K>(first, store_private{own + threadIdx.x, i});
    if (i == 0) *first.shared = q;
}

}  // namespace ddla::device_backend
