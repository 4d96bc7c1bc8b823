// y of L y = b at a device: what an unknown takes from outside of its front, then panel by panel.
// The bits are those of factor/supernodal/kernels/llt_sweeps.hpp: an unknown takes its pivots in
// ascending order.
//
// Kernels of sweeps begin while the one before them ends: what they read of the factors is there.
#pragma once

#include "row_segments.cuh"
#include "streams.cuh"

#include "factor/fronts/sweep_tasks.hpp"

namespace ddla::device_backend {

inline constexpr int rows_of_sweep = 128, numbers_ahead = 8;

/// The products that an unknown takes from outside of its front, segment by segment.
template <class W, class F>
class row_products {
    static constexpr int size = 8 * words_of<F>, ahead = 2 * stages_of_stream;

public:
    using stream = product_stream<W, F>;
    static constexpr std::size_t bytes =
        stream::doubles * sizeof(double) + ahead * warp_size * sizeof(row_segment);

    /// Segments `from` to `end - 1`, as far as their columns are before `limit`.
    __device__ row_products(double* room, const double* value, const row_segment* from,
                            const row_segment* end, column_t limit, const unknowns<W>& x,
                            int system)
        : products(room, threadIdx.x),
          segment_(reinterpret_cast<row_segment*>(room + stream::doubles) + threadIdx.x),
          from_(from), value_(value), x_(x), system_(system), count_(static_cast<int>(end - from)),
          limit_(limit)
    {
        for (int d = 0; d < lesser(ahead, count_); ++d) fetch_segment(d);
        wait_for_copies();
    }

    /// See subtract_all().
    __device__ __forceinline__ int fetch(int stage)
    {
        if (j_ == now_.width && !go_on()) return 0;
        const int n = lesser(stream::group, now_.width - j_);
        products.fetch(stage, value_ + now_.at + j_ * index_t{size}, x_, system_,
                       index_t{now_.first} + j_);
        j_ += n;
        return n;
    }

    const stream products;

private:
    /// `ahead` stages later it is there.
    __device__ __forceinline__ void fetch_segment(int d) const
    {
        copy_16_async(segment_ + d % ahead * warp_size, from_ + d);
    }
    __device__ __forceinline__ bool go_on()
    {
        if (next_ == count_) return false;
        now_ = segment_[next_ % ahead * warp_size];
        if (now_.first >= limit_) {
            count_ = next_;
            now_.width = j_ = 0;
            return false;
        }
        if (next_ + ahead < count_) fetch_segment(next_ + ahead);
        ++next_;
        j_ = 0;
        return true;
    }

    row_segment* const segment_;
    const row_segment* const from_;
    const double* const value_;
    const unknowns<W> x_;
    const int system_;
    int count_, next_ = 0;
    const column_t limit_;
    row_segment now_{0, 0, 0};
    column_t j_ = 0;
};

/// Unknowns of a list, by their segments before their fronts.  A thread an unknown of one system;
/// the systems of an unknown run at about the same time.
template <class W, class F>
__global__ void __launch_bounds__(warp_size)
    gather_unknowns(const double* value, const index_t* begin, const row_segment* segments,
                    const column_t* list, index_t count, const column_t* supernode,
                    const column_t* front_begin, unknowns<W> solved, unknowns<W> y)
{
    extern __shared__ __align__(16) double room[];
    const index_t t = blockIdx.x / y.systems * index_t{warp_size} + threadIdx.x;
    const auto system = static_cast<int>(blockIdx.x % y.systems);
    if (t >= count) return;
    const column_t i = list[t];
    row_products<W, F> row(room, value, segments + begin[i], segments + begin[i + 1],
                           front_begin[supernode[i]], solved, system);
    wait_and_trigger_dependents();
    number<W> sum = y.get(system, i);
    subtract_all(
        row.products, [&](int stage) { return row.fetch(stage); }, sum);
    y.put(system, i, sum);
}

/// Unknowns of 32 columns from row `j` of a panel on, a lane each: t becomes its unknown.
template <class W, class F, class Lines>
__device__ __forceinline__ void solve_lanes(const Lines& lines, int j, int n, bool divides,
                                            number<W>& t)
{
    const int lane = threadIdx.x % warp_size;
    const factor::pivot_divisor<number<W>> pivot(
        divides && lane < n ? factor_number<W, F>(lines.entry(j + lane, j + lane)) : one<W>());
    const int row = j + lesser(lane, n - 1);
    const auto solve = [&](int c, number<W> l) {
        const number<W> y = from_lane(divides ? pivot.quotient(t) : t, c);
        if (lane == c) t = y;
        if (lane > c && lane < n) t = factor::fnma(l, y, t);
    };
    int c = 0;
    for (; c + numbers_ahead <= n; c += numbers_ahead) {
        number<W> l[numbers_ahead];
#pragma unroll
        for (int m = 0; m < numbers_ahead; ++m)
            l[m] = factor_number<W, F>(lines.entry(row, j + lesser(c + m, row - j)));
#pragma unroll
        for (int m = 0; m < numbers_ahead; ++m) solve(c + m, l[m]);
    }
    for (; c < n; ++c) solve(c, factor_number<W, F>(lines.entry(row, j + lesser(c, row - j))));
}

template <class W>
__device__ __forceinline__ number<W> shared_number(const double* p)
{
    return get<W>(p, rows_of_sweep);
}

/// The unknown of row i of a panel, t before; all go to `own`.  All threads of the block call this.
template <class W, class F, class Lines>
__device__ __forceinline__ number<W> solve_panel(const Lines& lines, int width, bool divides, int i,
                                                 number<W> t, double* own)
{
    for (int j = 0; j < width; j += warp_size) {
        if (i / warp_size == j / warp_size) {
            solve_lanes<W, F>(lines, j, lesser(warp_size, width - j), divides, t);
            if (i < width) put(own + i, rows_of_sweep, t);
        }
        __syncthreads();
        if (i >= j + warp_size && i < width)
#pragma unroll 8
            for (int c = 0; c < warp_size; ++c)
                t = factor::fnma(factor_number<W, F>(lines.entry(i, j + c)),
                                 shared_number<W>(own + j + c), t);
    }
    return t;
}

/// Doubles of shared memory that forward_panels takes besides lines of the panel.
template <class W, class F, int S>
inline constexpr index_t forward_doubles =
    S* words_of<W>* rows_of_sweep + number_stream<F, rows_of_sweep>::doubles;

/// A row of unknowns by those of a panel, in shared memory.
template <class W, class F, int S, class Stream>
__device__ __forceinline__ void update_row(Stream& of_row, const double* panel, column_t row,
                                           const unknowns<W>& y)
{
    number<W> sum[S];
#pragma unroll
    for (int s = 0; s < S; ++s)
        if (S == 1 || s < y.systems) sum[s] = y.get(s, row);
    of_row.each([&](int c, number<F> of_l) {
#pragma unroll
        for (int s = 0; s < S; ++s)
            if (S == 1 || s < y.systems)
                sum[s] = factor::fnma(as_unknown<W>(of_l),
                                      shared_number<W>(panel + s * words_of<W> * rows_of_sweep + c),
                                      sum[s]);
    });
#pragma unroll
    for (int s = 0; s < S; ++s)
        if (S == 1 || s < y.systems) y.put(s, row, sum[s]);
}

/// A panel, a thread a row and system, and rows below that are in its front, a thread a row.  All
/// blocks of a panel solve it, the first one stores it.
template <class W, class F, int S, bool staged>
__global__ void __launch_bounds__(rows_of_sweep* S)
    forward_panels(triangle_lists l, const factor::forward_task* tasks, const column_t* front_end,
                   unknowns<W> y, unknowns<W> solved)
{
    constexpr int size = 8 * words_of<F>;
    extern __shared__ __align__(16) double room[];
    const factor::forward_task task = tasks[blockIdx.x];
    const supernode_place q(l.s, task.supernode);
    const int i = threadIdx.x % rows_of_sweep, s = threadIdx.x / rows_of_sweep;
    double* const own = room + s * words_of<W> * rows_of_sweep;
    const panel_lines<F, staged> lines(l.value + q.value_begin, q.width,
                                       room + forward_doubles<W, F, S>);
    lines.stage(threadIdx.x, blockDim.x);
    wait_and_trigger_dependents();
    __syncthreads();
    const bool is_asked = s < y.systems;
    const column_t in_front = front_end[task.supernode] - q.first - q.width;
    const column_t k = task.first + i;
    const bool has_row = s == 0 && k < in_front;
    number_stream<F, rows_of_sweep> of_row(
        room + S * words_of<W> * rows_of_sweep, i,
        l.value + q.value_begin + (q.own_blocks() + k / 8) * index_t{q.width} * size + k % 8, size,
        has_row ? q.width : 0);
    const number<W> t =
        solve_panel<W, F>(lines, q.width, l.divides, i,
                          is_asked && i < q.width ? y.get(s, q.first + i) : zero<W>(), own);
    if (task.first == 0 && is_asked && i < q.width) solved.put(s, q.first + i, t);
    if (!has_row) return;
    update_row<W, F, S>(of_row, room, l.s.row[q.row_begin + k], y);
}

/// Panels of 32 columns at most without such rows: a warp each.
template <class W, class F>
__global__ void __launch_bounds__(block_size)
    forward_narrow(triangle_lists l, const column_t* list, index_t count, unknowns<W> y,
                   unknowns<W> solved)
{
    const index_t k = blockIdx.x * index_t{warps_per_block} + threadIdx.x / warp_size;
    if (k >= count) return;
    const supernode_place q(l.s, list[k]);
    using panel = panel_lines<F, true>;
    extern __shared__ double room[];
    const int lane = threadIdx.x % warp_size;
    const panel lines(l.value + q.value_begin, q.width,
                      room + threadIdx.x / warp_size * panel::template doubles<narrow_panel / 8>);
    lines.stage(lane, warp_size);
    wait_and_trigger_dependents();
    __syncwarp();
    for (int s = 0; s < y.systems; ++s) {
        number<W> t = lane < q.width ? y.get(s, q.first + lane) : zero<W>();
        solve_lanes<W, F>(lines, 0, q.width, l.divides, t);
        if (lane < q.width) solved.put(s, q.first + lane, t);
    }
}

}  // namespace ddla::device_backend
