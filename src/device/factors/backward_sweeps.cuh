// x of L^T x = y at a device, in place.  An unknown's sum is in eight parts, by rows modulo 8 among
// those below its supernode, then of its diagonal block, which are folded: the bits are those of
// factor/supernodal/kernels/llt_sweeps.hpp.
#pragma once

#include "streams.cuh"

#include "factor/fronts/sweep_tasks.hpp"

namespace ddla::device_backend {

inline constexpr int columns_of_sums = 16, threads_of_sums = 8 * columns_of_sums;

/// What a block has in shared memory of the sums over rows below: slots of streams, and unknowns of
/// some rows.
template <class W, class F, int S, bool narrow>
struct shape_of_sums {
    using stream = number_stream<F, threads_of_sums, narrow ? 1 : stages_of_stream>;
    static constexpr int rows = (narrow ? 512 : 2048) / (S * words_of<W>);
    static constexpr index_t doubles = stream::doubles + S * words_of<W> * rows;
};

/// Of rows `first` on, by all threads of the block, between two barriers.
template <class W, int S, int most>
__device__ __forceinline__ void share_unknowns(const column_t* row, int count, const unknowns<W>& x,
                                               double* to)
{
    __syncthreads();
#pragma unroll 4
    for (int k = threadIdx.x; k < count; k += threads_of_sums) {
        const column_t i = row[k];
#pragma unroll
        for (int s = 0; s < S; ++s)
            if (S == 1 || s < x.systems) put(to + s * words_of<W> * most + k, most, x.get(s, i));
    }
    __syncthreads();
}

/// The parts of column j, if there is one, for lane m of eight, over rows `first` to
/// `first + count - 1` below; share: what all threads do before they are summed.
template <class W, class F, int S, class Shape, class Share>
__device__ __forceinline__ void sum_rows(const triangle_lists& l, const supernode_place& q, int j,
                                         int m, int first, int count, int systems, double* room,
                                         number<W>* part, const Share& share)
{
    constexpr int size = 8 * words_of<F>, most = Shape::rows;
    const index_t step = q.width * index_t{size};
    const double* const shared = room + Shape::stream::doubles;
    typename Shape::stream of_column(room, threadIdx.x,
                                     l.value + q.value_begin + (q.own_blocks() + first / 8) * step +
                                         j * size + m,
                                     step, j < q.width ? (count - m + 7) / 8 : 0);
    share();
    of_column.each([&](int k, number<F> of_l) {
#pragma unroll
        for (int s = 0; s < S; ++s)
            if (S == 1 || s < systems)
                part[s] = factor::fnma(as_unknown<W>(of_l),
                                       get<W>(shared + s * words_of<W> * most + 8 * k + m, most),
                                       part[s]);
    });
}

/// Where part m of a column of system s is, its low word 8 further.
template <class W, int S, class Double>
__device__ __forceinline__ Double* part_of(Double* sums, index_t column, int s, int m)
{
    return sums + ((column * S + s) * words_of<W>)*8 + m;
}

/// Of wide panels, into `sums`; the systems of a task run at about the same time.
template <class W, class F, int S>
__global__ void __launch_bounds__(threads_of_sums)
    sum_columns(triangle_lists l, const factor::sums_task* tasks, unknowns<W> x, double* sums)
{
    using shape = shape_of_sums<W, F, 1, false>;
    extern __shared__ __align__(16) double room[];
    const factor::sums_task task = tasks[blockIdx.x / x.systems];
    const auto system = static_cast<int>(blockIdx.x % x.systems);
    const unknowns<W> own{x.of(system), x.n, 1};
    const supernode_place q(l.s, task.supernode);
    const int j = task.column + threadIdx.x / 8, m = threadIdx.x % 8;
    number<W> part[1] = {zero<W>()};
    for (int first = 0; first < q.below; first += shape::rows) {
        const int count = lesser(shape::rows, q.below - first);
        sum_rows<W, F, 1, shape>(l, q, j, m, first, count, 1, room, part, [&] {
            if (first == 0) wait_and_trigger_dependents();
            share_unknowns<W, 1, shape::rows>(l.s.row + q.row_begin + first, count, own,
                                              room + shape::stream::doubles);
        });
    }
    if (j < q.width) put(part_of<W, S>(sums, task.at + j, system, m), 8, part[0]);
}

/// The unknowns of a panel, from the last one on, by a warp: lane (t, g) has parts g and g + 4 of
/// column 8 k + t.  `own`: the unknowns, words `ld` apart, zeros behind them.
template <class W, class F, class Lines, int most_columns>
class panel_columns {
    /// Of the later row-blocks of the panel, so many at a time: their numbers are loaded before the
    /// unknown that they wait for is there; in double, those of all.
    static constexpr int at_once = 5, most_later = most_columns / 8 - 1;
    static constexpr bool holds_all = words_of<W> == 1;

public:
    __device__ panel_columns(const Lines& lines, const supernode_place& q, double* own, int ld,
                             bool divides)
        : lines_(lines), width_(q.width), blocks_(q.own_blocks()), own_(own), ld_(ld),
          divides_(divides)
    {
    }

    /// sums(column, m): part m over the rows below.
    template <class Sums>
    __device__ void solve(const Sums& sums)
    {
        const int lane = threadIdx.x % warp_size, t = lane % 8, g = lane / 8;
        for (int k = blocks_; k-- > 0;) {
            const int j = lesser(8 * k + t, width_ - 1);
            part_of_column part[2];
#pragma unroll
            for (int h = 0; h < 2; ++h) {
                const int m = g + 4 * h;
                part[h].load(*this, k, j, m);
                part[h].sum = sums(j, m);
                part[h].l = m <= t ? zero<W>() : factor_number<W, F>(lines_.line(k, j) + m);
                // As the host does, but where a panel is a column.
                if (m <= t && width_ > 1) part[h].take(*this, k, j, m, unknown(8 * k + m));
            }
            solve_block(k, j, t, g, lane, part);
            __syncwarp();
        }
    }

private:
    struct part_of_column {
        number<W> sum, l;
        number<W> later_l[holds_all ? most_later : 1], later_x[holds_all ? most_later : 1];

        __device__ __forceinline__ void load(const panel_columns& p, int k, int j, int m)
        {
            if constexpr (holds_all) {
#pragma unroll
                for (int c = 0; c < most_later; ++c)
                    if (k + 1 + c < p.blocks_) {
                        later_l[c] = factor_number<W, F>(p.lines_.line(k + 1 + c, j) + m);
                        later_x[c] = p.unknown(8 * (k + 1 + c) + m);
                    }
            }
        }
        /// Unknown x of row-block k, then those of later ones.
        __device__ __forceinline__ void take(const panel_columns& p, int k, int j, int m,
                                             number<W> x)
        {
            sum = factor::fnma(l, x, sum);
            if constexpr (holds_all)
                take_later(p.blocks_ - k - 1);
            else
                for (int b = k + 1; b < p.blocks_; b += at_once) p.take_some(b, j, m, sum);
        }
        /// Those of so many later row-blocks.
        __device__ __forceinline__ void take_later(int count)
        {
#pragma unroll
            for (int c = 0; c < most_later; c += 4) {
                const bool all = count >= c + 4;
#pragma unroll
                for (int i = c; i < c + 4 && i < most_later; ++i)
                    if (all || count > i) sum = factor::fnma(later_l[i], later_x[i], sum);
                if (!all) return;
            }
        }
    };

    __device__ __forceinline__ void solve_block(int k, int j, int t, int g, int lane,
                                                part_of_column* part)
    {
        const number<W> mine = unknown(j);
        const factor::pivot_divisor<number<W>> pivot(
            divides_ ? factor_number<W, F>(lines_.entry(j, j)) : one<W>());
        // All have read what one of them writes below.
        __syncwarp();
        const auto solve_one = [&](int m, part_of_column& of_m) {
            number<W> sum = part[0].sum + part[1].sum;
            sum = sum + from_lane(sum, lane + 16);
            sum = mine + (sum + from_lane(sum, lane + 8));
            const number<W> x = from_lane(divides_ ? pivot.quotient(sum) : sum, m);
            if (lane == m) put(own_ + j, ld_, x);
            if (t < m && g == m % 4) of_m.take(*this, k, j, m, x);
        };
        const int last = lesser(7, width_ - 1 - 8 * k);
        // Not unrolled: the code would not stay in the cache.
#pragma unroll 1
        for (int m = last; m >= 4; --m) solve_one(m, part[1]);
#pragma unroll 1
        for (int m = lesser(last, 3); m >= 0; --m) solve_one(m, part[0]);
    }
    __device__ __forceinline__ number<W> unknown(int i) const
    {
        return get<W>(own_ + i, ld_);
    }
    __device__ __forceinline__ void take_some(int b, int j, int m, number<W>& sum) const
    {
        number<W> l[at_once], x[at_once];
#pragma unroll
        for (int c = 0; c < at_once; ++c)
            if (b + c < blocks_) {
                l[c] = factor_number<W, F>(lines_.line(b + c, j) + m);
                x[c] = unknown(8 * (b + c) + m);
            }
#pragma unroll
        for (int c = 0; c < at_once; ++c) {
            if (b + c >= blocks_) break;
            sum = factor::fnma(l[c], x[c], sum);
        }
    }

    const Lines& lines_;
    const int width_, blocks_;
    double* const own_;
    const int ld_;
    const bool divides_;
};

/// Doubles of shared memory that backward_panels takes besides lines of the panel.
template <class W, int S>
inline constexpr index_t backward_doubles = S* words_of<W>* factor::most_panel_columns*(8 + 1);

/// Wide panels, whose sums over the rows below are there; a block each, a warp a system.
template <class W, class F, int S, bool staged>
__global__ void __launch_bounds__(threads_of_sums)
    backward_panels(triangle_lists l, const factor::sums_task* panels, const double* sums,
                    unknowns<W> x)
{
    constexpr int ld = factor::most_panel_columns;
    extern __shared__ __align__(16) double room[];
    const factor::sums_task panel = panels[blockIdx.x];
    const supernode_place q(l.s, panel.supernode);
    double* const own_sums = room + S * words_of<W> * ld;
    const panel_lines<F, staged> lines(l.value + q.value_begin, q.width,
                                       room + backward_doubles<W, S>);
    lines.stage(threadIdx.x, threads_of_sums);
    wait_and_trigger_dependents();
    const double* const from = part_of<W, S>(sums, panel.at, 0, 0);
    for (int k = threadIdx.x; k < q.width * S * words_of<W> * 8; k += threads_of_sums) {
        if (k / (8 * words_of<W>) % S >= x.systems) continue;  // there are none
        if (q.below > 0)
            copy_object_async(own_sums + k, from + k);
        else
            own_sums[k] = 0;
    }
    const int s = threadIdx.x / warp_size, lane = threadIdx.x % warp_size;
    double* const own = room + s * words_of<W> * ld;
    if (s < x.systems)
        for (int k = lane; k < ld; k += warp_size)
            put(own + k, ld, k < q.width ? x.get(s, q.first + k) : zero<W>());
    wait_for_copies();
    __syncthreads();
    if (s >= x.systems) return;
    panel_columns<W, F, panel_lines<F, staged>, factor::most_panel_columns>(lines, q, own, ld,
                                                                            l.divides)
        .solve([&](int j, int m) { return get<W>(part_of<W, S>(own_sums, j, s, m), 8); });
    for (int k = lane; k < q.width; k += warp_size) x.put(s, q.first + k, get<W>(own + k, ld));
}

/// Doubles of shared memory that backward_narrow takes.
template <class W, class F, int S>
inline constexpr index_t narrow_doubles = S* words_of<W>* narrow_panel*(8 + 1) +
                                          panel_lines<F, true>::template doubles<narrow_panel / 8> +
                                          shape_of_sums<W, F, S, true>::doubles;

/// Narrow panels, their sums included.
template <class W, class F, int S>
__global__ void __launch_bounds__(threads_of_sums)
    backward_narrow(triangle_lists l, const column_t* list, unknowns<W> x)
{
    using shape = shape_of_sums<W, F, S, true>;
    extern __shared__ __align__(16) double room[];
    double* const sums = room + shape::doubles;
    double* const all = sums + S * words_of<W> * narrow_panel * 8;
    const supernode_place q(l.s, list[blockIdx.x]);
    const panel_lines<F, true> lines(l.value + q.value_begin, q.width,
                                     all + S * words_of<W> * narrow_panel);
    lines.stage(threadIdx.x, threads_of_sums);
    wait_and_trigger_dependents();
    const int m = threadIdx.x % 8;
    for (int round = 0; round * columns_of_sums < q.width; ++round) {
        const int j = round * columns_of_sums + threadIdx.x / 8;
        number<W> part[S];
#pragma unroll
        for (int s = 0; s < S; ++s) part[s] = zero<W>();
        for (int first = 0; first < q.below; first += shape::rows) {
            const int count = lesser(shape::rows, q.below - first);
            sum_rows<W, F, S, shape>(l, q, j, m, first, count, x.systems, room, part, [&] {
                if (round == 0 || q.below > shape::rows)
                    share_unknowns<W, S, shape::rows>(l.s.row + q.row_begin + first, count, x,
                                                      room + shape::stream::doubles);
            });
        }
#pragma unroll
        for (int s = 0; s < S; ++s)
            if (S == 1 || s < x.systems) put(part_of<W, S>(sums, j, s, m), 8, part[s]);
    }
    const int s = threadIdx.x / warp_size, lane = threadIdx.x % warp_size;
    double* const own = all + s * words_of<W> * narrow_panel;
    if (s < x.systems)
        put(own + lane, narrow_panel, lane < q.width ? x.get(s, q.first + lane) : zero<W>());
    __syncthreads();
    if (s >= x.systems) return;
    panel_columns<W, F, panel_lines<F, true>, narrow_panel>(lines, q, own, narrow_panel, l.divides)
        .solve([&](int j, int m) { return get<W>(part_of<W, S>(sums, j, s, m), 8); });
    if (lane < q.width) x.put(s, q.first + lane, get<W>(own + lane, narrow_panel));
}

}  // namespace ddla::device_backend
