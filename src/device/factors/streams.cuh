// Numbers of the factors, and of unknowns, on their way to a thread by asynchronous copies into its
// own slots of shared memory: many loads are under way at a time, which chains of updates need.
#pragma once

#include "sweep_numbers.cuh"

#include "device/core/launch.cuh"

namespace ddla::device_backend {

inline constexpr int stages_of_stream = 4;

/// Numbers of the factors, `step` doubles apart, for one thread of `threads`.
template <class F, int threads, int stages = stages_of_stream>
class number_stream {
    static constexpr int words = words_of<F>, group = 8;

public:
    static constexpr index_t doubles = stages * group * words * threads;

    /// Begins with the first ones; `mine`: the number of this thread.
    __device__ number_stream(double* room, int mine, const double* from, index_t step, int count)
        : at_(room + mine), from_(from), step_(step), count_(count)
    {
#pragma unroll
        for (int stage = 0; stage < stages; ++stage) fetch(stage, stage * group);
    }
    /// take(k, number k), one after the other.
    template <class Take>
    __device__ __forceinline__ void each(const Take& take)
    {
        for (int k = 0; k < count_; k += stages * group)
#pragma unroll
            for (int stage = 0; stage < stages; ++stage) {
                const int first = k + stage * group;
                wait_for_groups_before<stages - 1>();
                if (first + group <= count_) {
#pragma unroll
                    for (int c = 0; c < group; ++c) take(first + c, get(stage, c));
                } else {
#pragma unroll
                    for (int c = 0; c < group; ++c)
                        if (first + c < count_) take(first + c, get(stage, c));
                }
                fetch(stage, first + stages * group);
            }
        wait_for_copies();
    }

private:
    __device__ __forceinline__ double* slot(int stage, int c) const
    {
        return at_ + (stage * group + c) * words * threads;
    }
    __device__ __forceinline__ number<F> get(int stage, int c) const
    {
        return device_backend::get<F>(slot(stage, c), threads);
    }
    __device__ __forceinline__ void fetch_one(int stage, int c)
    {
#pragma unroll
        for (int w = 0; w < words; ++w)
            copy_object_async(slot(stage, c) + w * threads, from_ + 8 * w);
        from_ += step_;
    }
    __device__ __forceinline__ void fetch(int stage, int first)
    {
        if (first + group <= count_) {
#pragma unroll
            for (int c = 0; c < group; ++c) fetch_one(stage, c);
        } else {
#pragma unroll
            for (int c = 0; c < group; ++c)
                if (first + c < count_) fetch_one(stage, c);
        }
        end_group_of_copies();
    }

    double* const at_;
    const double* from_;
    const index_t step_;
    const int count_;
};

/// Products of a number of the factors and an unknown of one system, for a thread of a warp.
template <class W, class F>
class product_stream {
    static constexpr int words = words_of<F> + words_of<W>, threads = warp_size;

public:
    static constexpr int group = 8;
    static constexpr index_t doubles = stages_of_stream * group * words * threads;

    __device__ product_stream(double* room, int mine) : at_(room + mine) {}

    /// The products of a stage: numbers a line apart, unknowns one after the other from i on.  As
    /// many are read in any case: threads of a warp differ in how many count.
    __device__ __forceinline__ void fetch(int stage, const double* l, const unknowns<W>& x,
                                          int system, index_t i) const
    {
#pragma unroll
        for (int c = 0; c < group; ++c) {
            double* const to = slot(stage, c);
#pragma unroll
            for (int w = 0; w < words_of<F>; ++w)
                copy_object_async(to + w * threads, l + (c * words_of<F> + w) * 8);
#pragma unroll
            for (int w = 0; w < words_of<W>; ++w)
                copy_object_async(to + (words_of<F> + w) * threads, x.of(system) + w * x.n + i + c);
        }
    }
    /// sum -= the first n products of a stage
    __device__ __forceinline__ void subtract(int stage, int n, number<W>& sum) const
    {
#pragma unroll
        for (int c = 0; c < group; ++c) {
            const double* const from = slot(stage, c);
            const number<W> now = factor::fnma(as_unknown<W>(get<F>(from, threads)),
                                               get<W>(from + words_of<F> * threads, threads), sum);
            sum = c < n ? now : sum;
        }
    }

private:
    __device__ __forceinline__ double* slot(int stage, int c) const
    {
        return at_ + (stage * group + c) * words * threads;
    }

    double* at_;
};

/// All products of a stream: fetch(stage) says how many of a stage count, 0 at the end.
template <class Stream, class N, class Fetch>
__device__ __forceinline__ void subtract_all(const Stream& stream, const Fetch& fetch, N& sum)
{
    int count[stages_of_stream];
#pragma unroll
    for (int stage = 0; stage < stages_of_stream; ++stage) {
        count[stage] = fetch(stage);
        end_group_of_copies();
    }
    while (count[0] > 0)
#pragma unroll
        for (int stage = 0; stage < stages_of_stream; ++stage) {
            wait_for_groups_before<stages_of_stream - 1>();
            if (count[stage] > 0) {
                stream.subtract(stage, count[stage], sum);
                count[stage] = fetch(stage);
            }
            end_group_of_copies();
        }
    wait_for_copies();
}

}  // namespace ddla::device_backend
