// Tiles of supernodes, updated by lower supernodes in ascending order.
//
// A block of threads has a tile in shared memory.  Of each update it takes the rows and columns
// that are in the tile, without gaps, in steps of a few pivots: loads of later steps are under way
// while one is multiplied.  A thread has some entries in registers while an update lasts, so that
// each takes its pivots one after the other.
#pragma once

#include "tile_entries.cuh"

#include "device/core/async_copy.cuh"

namespace ddla::device_backend {

/// A tile of supernode q: rows from row-block `block` on, `columns` of them from `column` on.
template <class F, bool small>
class tile_place {
    using shared_type = shared_tile<F, small>;
    static constexpr int threads = tile_shape<F, small>::threads;
    static constexpr int size = 8 * words_of<F>, unit = tile_shape<F, small>::unit;

public:
    __device__ tile_place(const supernode_lists& s, const factor::tile_task& t, shared_type& shared)
        : shared_(shared), q_(s, t.supernode), block_(t.block), column_(t.column),
          columns_(lesser(shared_type::C, q_.width - t.column)),
          blocks_(lesser(shared_type::R / 8, q_.blocks() - t.block)),
          own_(lesser(greater(8 * q_.own_blocks() - 8 * t.block, 0), 8 * blocks_)),
          rows_(s.row + q_.row_begin), below_begin_(greater(8 * (t.block - q_.own_blocks()), 0)),
          below_end_(lesser(greater(8 * (t.block + blocks_ - q_.own_blocks()), 0), q_.below))
    {
    }

    __device__ void load(const double* values) const
    {
        for (int x = threadIdx.x; x < below_end_ - below_begin_; x += threads)
            copy_object_async(&shared_.row_of[x], rows_ + below_begin_ + x);
        each(values, [](const double* p, double& x) { copy_object_async(&x, p); });
    }
    __device__ void store(double* values) const
    {
        each(values, [](double* p, double x) { *p = x; });
    }
    __device__ column_t first_column() const { return q_.first + column_; }
    __device__ int units() const { return (q_.blocks() + unit - 1) / unit; }
    /// Rows and columns of an update, of which the bounds are known.
    template <bool rows_are_l>
    __device__ void find_by_bounds(const factor::supernode_update& from, const column_t* bounds,
                                   tile_update& u) const
    {
        const int first = block_ / unit,
                  end = lesser((block_ + shared_type::R / 8) / unit, units());
        u.begin = bounds[first];
        if (!rows_are_l) u.begin = greater(u.begin, from.end);
        u.rows = bounds[end] - u.begin;
        const int column = column_ / 8 / unit, behind = (column_ + shared_type::C) / 8 / unit;
        u.column_begin = bounds[column];
        u.columns = (column_ + columns_ < q_.width ? bounds[behind] : from.end) - u.column_begin;
    }
    /// Rows and columns of an earlier supernode of the same front: those behind it, in their order.
    template <bool rows_are_l>
    __device__ void find_within(const supernode_place& d, tile_update& u) const
    {
        const column_t before = d.below - q_.below;  // rows that are not below q
        const bool has_own = rows_are_l && own_ > 0;
        u.column_begin = first_column() - d.first - d.width;
        u.columns = columns_;
        u.begin = has_own ? q_.first - d.first - d.width + 8 * block_ : before + below_begin_;
        const column_t own_rows = has_own ? lesser(own_, greater(q_.width - 8 * block_, 0)) : 0;
        u.rows = own_rows + below_end_ - below_begin_;
    }
    /// Where a row is that it has.
    __device__ int place_of(column_t row) const
    {
        if (row < q_.first + q_.width) return row - q_.first - 8 * block_;
        return own_ + first_from(shared_.row_of, 0, below_end_ - below_begin_, row);
    }

private:
    template <class Values, class Do>
    __device__ void each(Values* values, const Do& f) const
    {
        for (int b = 0; b < blocks_; ++b) {
            Values* const line =
                values + q_.value_begin + ((block_ + b) * index_t{q_.width} + column_) * size;
            for (int x = threadIdx.x; x < columns_ * size; x += threads)
                f(line + x, shared_.tile[x % size / 8][x / size][8 * b + x % 8]);
        }
    }

    shared_type& shared_;
    const supernode_place q_;
    const column_t block_, column_;
    const int columns_, blocks_, own_;
    const column_t* const rows_;
    const column_t below_begin_, below_end_;
};

/// Updates of one tile.
template <class F, bool small, bool rows_are_l, bool on_tensor>
class tile_work {
    using shared_type = shared_tile<F, small>;
    static constexpr int threads = tile_shape<F, small>::threads, warps = threads / warp_size;
    static constexpr int size = 8 * words_of<F>, pivots = shared_type::pivots,
                         stages = shared_type::stages, updates = shared_type::updates;
    // A row-block of a step is so many pieces of 16 bytes; a thread has some of one, or one of some
    // row-blocks.
    static constexpr int pairs = size / 2, pieces = pivots * pairs,
                         blocks_at_once = threads > pieces ? threads / pieces : 1,
                         pieces_of_thread = pieces > threads ? pieces / threads : 1,
                         pivots_apart = threads / pairs;

public:
    __device__ tile_work(const tile_arguments<F>& a, const factor::tile_task& t,
                         shared_type& shared)
        : a_(a), task_(t), shared_(shared), place_(a.s, t, shared), entries_(shared)
    {
    }

    __device__ void run()
    {
        place_.load(a_.target);
        wait_for_copies();
        for (index_t k = task_.begin; k < task_.end; k += threads) {
            meet();
            count_ = list_updates(k);
            if (count_ > 0) apply();
        }
        meet();
        place_.store(a_.target);
    }

private:
    /// What is loaded next: some pivots of an update.
    struct source {
        int update = 0;
        column_t pivots_left = 0;      ///< 0: that was the last update
        const double *rows, *columns;  ///< the first piece of this thread
        int stride;                    ///< from a row-block to the next one
        int row_blocks, column_blocks;
    };

    /// Each thread looks at one update, from k on.  What the tile takes of them goes into the
    /// shared list, in their order.  Returns how many there are.
    __device__ int list_updates(index_t k)
    {
        tile_update u;
        const bool is_there = k + threadIdx.x < task_.end && find(k + threadIdx.x, u);
        const unsigned those = __ballot_sync(whole_warp, is_there);
        const unsigned lane = threadIdx.x % warp_size, warp = threadIdx.x / warp_size;
        if (lane == 0) shared_.found[warp] = __popc(those);
        meet();
        int before = __popc(those & ((1u << lane) - 1)), all = 0;
#pragma unroll
        for (unsigned w = 0; w < warps; ++w) {
            if (w < warp) before += shared_.found[w];
            all += shared_.found[w];
        }
        if (is_there) shared_.list[before] = u;
        meet();
        return all;
    }
    __device__ bool find(index_t k, tile_update& u) const
    {
        const factor::supernode_update from = a_.s.updates[k];
        const supernode_place d(a_.s, from.from);
        u.row = a_.s.row + d.row_begin;
        if (task_.is_within)
            place_.template find_within<rows_are_l>(d, u);
        else
            place_.template find_by_bounds<rows_are_l>(
                from, a_.bounds.of_update(task_.supernode, k, place_.units()), u);
        u.width = d.width;
        u.values = d.value_begin + index_t{d.own_blocks()} * d.width * size;
        return u.rows > 0 && u.columns > 0;
    }

    /// All threads of the block call this.
    __device__ static void meet()
    {
        if constexpr (warps == 1)
            __syncwarp();
        else
            __syncthreads();
    }
    __device__ void apply()
    {
        begin_update(0);
        fetch_lists(0);
#pragma unroll
        for (int k = 0; k < stages - 1; ++k) fetch(k);
        wait_for_groups_before<stages - 2>();
        meet();
        find_places(0);
        int stage = 0;
        for (int now = 0; now < count_; ++now) {
            const tile_update& u = shared_.list[now];
            const column_t width = u.width;
            for (column_t pivot = 0; pivot < width; pivot += pivots) {
                wait_for_groups_before<stages - 2>();
                meet();
                fetch((stage + stages - 1) % stages);
                const bool is_last = pivot + pivots >= width;
                if (is_last) find_places(now + 1);
                if (pivot == 0) entries_.load(u, now % updates);
                entries_.multiply(stage, lesser(pivots, width - pivot));
                if (is_last) entries_.store(u, now % updates);
                stage = (stage + 1) % stages;
            }
        }
        wait_for_copies();
    }
    __device__ void begin_update(int update)
    {
        next_.update = update;
        next_.pivots_left = 0;
        if (update >= count_) return;
        const tile_update& u = shared_.list[update];
        const column_t first = u.begin / 8, first_column = u.column_begin / 8;
        const int piece = threadIdx.x % pieces, block = threadIdx.x / pieces;
        next_.pivots_left = u.width;
        next_.stride = u.width * size;
        next_.row_blocks = (u.begin + u.rows - 1) / 8 - first + 1 - block;
        next_.column_blocks = (u.column_begin + u.columns - 1) / 8 - first_column + 1 - block;
        const auto place = [&](column_t b) {
            return u.values + (b + block) * index_t{next_.stride} + 2 * piece;
        };
        next_.rows = a_.rows + place(first);
        next_.columns = a_.columns + place(first_column);
    }
    /// Loads of the next pivots into a stage begin, and of the lists of an update that follows.
    __device__ void fetch(int stage)
    {
        if (next_.pivots_left > 0) {
            fetch_blocks(next_.rows, next_.row_blocks, shared_.rows[stage]);
            fetch_blocks(next_.columns, next_.column_blocks, shared_.columns[stage]);
            next_.rows += pivots * size;
            next_.columns += pivots * size;
            next_.pivots_left -= pivots;
            if (next_.pivots_left <= 0) {
                begin_update(next_.update + 1);
                fetch_lists(next_.update);
            }
        }
        end_group_of_copies();
    }
    /// This thread's pieces of so many row-blocks.
    template <int Leading>
    __device__ __forceinline__ void fetch_blocks(const double* from, int blocks,
                                                 double (&to)[words_of<F>][pivots][Leading])
    {
        constexpr int most = (Leading - 4) / 8;
        const int piece = threadIdx.x % pieces, block = threadIdx.x / pieces;
        const int k = piece / pairs, pair = piece % pairs;
        double* const target = &to[pair / 4][k][8 * block + pair % 4 * 2];
#pragma unroll
        for (int b = 0; b < most; b += blocks_at_once) {
#pragma unroll
            for (int m = 0; m < pieces_of_thread; ++m)
                if (b < blocks && k + m * pivots_apart < next_.pivots_left)
                    copy_16_async(target + m * pivots_apart * Leading + 8 * b,
                                  from + m * pivots_apart * size);
            from += blocks_at_once * next_.stride;
        }
    }
    __device__ void fetch_lists(int update)
    {
        if (update >= count_) return;
        const tile_update& u = shared_.list[update];
        const int k = update % updates;
        for (int x = threadIdx.x; x < u.rows; x += threads)
            copy_object_async(&shared_.listed[k][x], u.row + u.begin + x);
        for (int x = threadIdx.x; x < u.columns; x += threads)
            copy_object_async(&shared_.listed_columns[k][x], u.row + u.column_begin + x);
    }
    /// Of the rows and columns of an update in the tile, once they have arrived.
    __device__ void find_places(int update)
    {
        if (update >= count_) return;
        const tile_update& u = shared_.list[update];
        const int k = update % updates;
        for (int x = threadIdx.x; x < u.rows; x += threads)
            shared_.row_at[k][x] = static_cast<short>(place_.place_of(shared_.listed[k][x]));
        for (int x = threadIdx.x; x < u.columns; x += threads)
            shared_.column_at[k][x] =
                static_cast<short>(shared_.listed_columns[k][x] - place_.first_column());
    }

    const tile_arguments<F>& a_;
    const factor::tile_task task_;
    shared_type& shared_;
    const tile_place<F, small> place_;
    entries_of_thread<F, small, rows_are_l, on_tensor> entries_;
    int count_ = 0;
    source next_;
};

template <class F, bool small, bool rows_are_l, bool on_tensor>
__global__ void __launch_bounds__(tile_shape<F, small>::threads, tile_shape<F, small>::blocks)
    update_tiles(tile_arguments<F> a)
{
    extern __shared__ __align__(16) double shared[];
    const factor::tile_task task = a.tasks[blockIdx.x];
    if (*a.failed < a.s.first[task.supernode]) return;
    tile_work<F, small, rows_are_l, on_tensor>(a, task,
                                               *reinterpret_cast<shared_tile<F, small>*>(shared))
        .run();
}

}  // namespace ddla::device_backend
