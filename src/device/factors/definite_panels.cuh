// Panels of L L^T: the diagonal block and the rows below it, in one launch.
//
// A block of threads has a diagonal block, or some rows below one, and two threads have a row.
// Columns come in groups of 32: first the pivots of earlier groups, in ascending order, then those
// of the group, one after the other: the chain of factor/supernodal/kernels.  Rows below follow
// their diagonal block: of each a word of memory says how many of its groups are final.
#pragma once

#include "numbers.cuh"

#include "device/core/async_copy.cuh"
#include "device/core/spin.cuh"
#include "factor/fronts/front_tasks.hpp"

namespace ddla::device_backend {

/// Columns of a group.
inline constexpr int group_columns = 32;
inline constexpr int rows_of_panel_block = factor::most_panel_columns;
/// Two a row.
inline constexpr int threads_of_panel = 2 * rows_of_panel_block;

/// What waits for what within a launch.
struct panel_progress {
    column_t* groups;  ///< of each supernode: how many of its diagonal block are final
    unsigned* ticket;  ///< of each launch: how many blocks of threads have begun

    __device__ __forceinline__ void announce(column_t q, column_t count) const
    {
        asm volatile("st.release.gpu.global.s32 [%0], %1;"
                     :
                     : "l"(groups + q), "r"(count)
                     : "memory");
    }
    __device__ __forceinline__ void await(column_t q, column_t count) const
    {
        bounded_wait wait;
        while (true) {
            column_t now;
            asm volatile("ld.acquire.gpu.global.s32 %0, [%1];"
                         : "=r"(now)
                         : "l"(groups + q)
                         : "memory");
            if (now >= count) return;
            __nanosleep(20);
            wait.look_again("the diagonal block of its panel");
        }
    }
};

template <class F>
struct shared_group {
    static constexpr int S = group_columns, words = words_of<F>;
    using stage = double[words][S][S];

    /// l_(j + c, k + p) at [p][c], j the first column of the group: of pivots k, …, k + 31 of
    /// earlier groups, in turns, then of the group itself.
    alignas(16) stage part[2];
    double pivot[words][S], inverse[S];
    unsigned ticket;
};

/// The columns of one row in a group, of which each of two threads has every other pair.  Four of
/// them are finished at a time, and those behind move up: loops would be unrolled over all 32, and
/// wait for instructions.
template <class F>
class half_row {
    static constexpr int S = group_columns, size = 8 * words_of<F>, own = S / 2;
    /// Numbers of the row that are under way from memory together.
    static constexpr int ahead = words_of<F> == 1 ? 8 : 4;
    using number_t = number<F>;
    using stage = typename shared_group<F>::stage;

public:
    /// Columns finished at a time.
    static constexpr int quad = 4;

    /// Columns of the row, line by line.
    __device__ half_row(double* row, bool is_active)
        : row_(row), half_(static_cast<int>(threadIdx.x % 2)), is_active_(is_active)
    {
    }

    __device__ bool is_active() const { return is_active_; }
    /// n columns from j on.
    __device__ void load(int j, int n)
    {
#pragma unroll
        for (int i = 0; i < own; ++i)
            t_[i] = is_active_ && column(i) < n ? get<F>(row_ + (j + column(i)) * size) : zero<F>();
    }
    /// Number c of the row, if it has that in the group.
    __device__ void share(int c, double* to, int stride) const
    {
#pragma unroll
        for (int i = 0; i < own; ++i)
            if (column(i) == c) put(to, stride, t_[i]);
    }
    /// Pivots k, …, k + 31, whose numbers of L are in `l`.
    __device__ void take_pivots(const stage& l, int k)
    {
        if (!is_active_) return;
        number_t x[ahead], next[ahead];
        load(k, x);
#pragma unroll 1
        for (int p = 0; p < S; p += ahead) {
            if (p + ahead < S) load(k + p + ahead, next);
#pragma unroll
            for (int a = 0; a < ahead; ++a)
#pragma unroll
                for (int i = 0; i < own; ++i)
                    t_[i] = factor::fnma(x[a], get<F>(&l[0][p + a][column(i)], S * S), t_[i]);
#pragma unroll
            for (int a = 0; a < ahead; ++a) x[a] = next[a];
        }
    }
    /// Column c of the next four, for both threads of the row.  All threads of a warp call this.
    __device__ __forceinline__ number_t at(int c) const
    {
        const int mine = threadIdx.x % warp_size;
        return from_lane(t_[c % 2], (mine & ~1) + c / 2);
    }
    __device__ __forceinline__ void set(int c, number_t x)
    {
        if (half_ == c / 2) t_[c % 2] = x;
    }
    /// Pivot c of these four, of which q is the row's number, and `l` has those of the columns from
    /// the first of the four on; `live`: numbers of this thread that are not finished.
    template <int live>
    __device__ __forceinline__ void take_pivot(const double* l, int c, number_t q)
    {
#pragma unroll
        for (int i = 0; i < live; ++i) {
            const number_t t = factor::fnma(q, get<F>(l + column(i), S * S), t_[i]);
            if (i > 1 || column(i) > c) t_[i] = t;
        }
    }
    /// The four from column j of the row on, if they are before column `end`; what is behind moves
    /// up.
    __device__ __forceinline__ void put_four(int j, int end)
    {
#pragma unroll
        for (int i = 0; i < 2; ++i)
            if (is_active_ && j + column(i) < end) put(row_ + (j + column(i)) * size, t_[i]);
#pragma unroll
        for (int i = 2; i < own; ++i) t_[i - 2] = t_[i];
    }

private:
    __device__ __forceinline__ int column(int i) const
    {
        return i / 2 * quad + 2 * half_ + i % 2;
    }
    /// Columns of the row from k on.
    __device__ __forceinline__ void load(int k, number_t (&x)[ahead]) const
    {
#pragma unroll
        for (int a = 0; a < ahead; ++a) x[a] = get<F>(row_ + (k + a) * size);
    }

    double* const row_;
    const int half_;
    const bool is_active_;
    number_t t_[own];
};

/// f<numbers of a thread from there on>(first column), for each four of n columns.
template <class Do>
__device__ __forceinline__ void each_four(int n, const Do& f)
{
    constexpr int middle = group_columns / 2;
#pragma unroll 1
    for (int k = 0; k < lesser(n, middle); k += 4) f.template operator()<group_columns / 2>(k);
#pragma unroll 1
    for (int k = middle; k < n; k += 4) f.template operator()<group_columns / 4>(k);
}

/// A diagonal block, or rows below it: what both do.
template <class F>
class definite_panel {
protected:
    static constexpr int S = group_columns, size = 8 * words_of<F>, words = words_of<F>;
    using number_t = number<F>;
    using divisor = factor::pivot_divisor<number_t>;
    using stage = typename shared_group<F>::stage;

    /// The first row of `rows`, line by line, is number 0; so many are there, or more.
    __device__ definite_panel(shared_group<F>& shared, const double* diagonal, int width,
                              double* rows, int count)
        : shared_(shared), diagonal_(diagonal), width_(width),
          own_(rows + (row() / 8 * index_t{width} * size + row() % 8), row() < count)
    {
    }

    __device__ static int row() { return static_cast<int>(threadIdx.x / 2); }
    /// Rows j, …, j + 31 of L, columns k, …, k + 31, into shared memory.
    __device__ void fetch(int j, int k) const
    {
        constexpr int pairs = S / 2;
        double* const to = &part(k)[0][0][0];
        for (int x = threadIdx.x; x < words * S * pairs; x += threads_of_panel) {
            const int c = x % pairs * 2, p = x / pairs % S, w = x / pairs / S, i = j + c;
            if (i < width_ && k + p < width_)
                copy_16_async(to + (w * S + p) * S + c,
                              diagonal_ + (i / 8 * index_t{width_} + k + p) * size + 8 * w + i % 8);
        }
    }
    /// Earlier pivots, for rows from `first` on.  All threads of the block call this.
    __device__ void take_pivots_before(int j, int first)
    {
        if (j > 0) fetch(j, 0);
        for (int k = 0; k < j; k += S) {
            wait_for_copies();
            __syncthreads();
            if (k + S < j) fetch(j, k + S);
            if (row() >= first) own_.take_pivots(part(k), k);
        }
        __syncthreads();
    }
    __device__ stage& part(int k) const { return shared_.part[k / S % 2]; }
    __device__ divisor by(int c) const
    {
        return divisor(get<F>(&shared_.pivot[0][c], S), shared_.inverse[c]);
    }
    __device__ void share_pivot(int c, number_t pivot) const
    {
        put(&shared_.pivot[0][c], S, pivot);
        shared_.inverse[c] = divisor(pivot).inverse();
    }

    shared_group<F>& shared_;
    const double* const diagonal_;
    const int width_;
    half_row<F> own_;
};

/// L of a diagonal block.
template <class F>
class definite_diagonal : definite_panel<F> {
    using base = definite_panel<F>;
    using base::S, base::shared_, base::own_, base::width_, base::row;
    using typename base::number_t, typename base::divisor, typename base::stage;

public:
    /// `failed` becomes the first column without a positive pivot, if that is lower.
    __device__ definite_diagonal(shared_group<F>& shared, double* diagonal, column_t first,
                                 int width, column_t* failed)
        : base(shared, diagonal, width, diagonal, width), first_(first), failed_(failed)
    {
    }

    /// One thread calls done(how many groups are final).
    template <class Done>
    __device__ void run(const Done& done)
    {
        for (int j = 0; j < width_; j += S) {
            const int n = lesser(S, width_ - j), mine = lesser(n, row() - j + 1);
            own_.load(j, mine);
            this->take_pivots_before(j, j);
            eliminate(j, n);
            __syncthreads();
            if (threadIdx.x == 0) done(j / S + 1);
        }
    }

private:
    __device__ static int lane() { return threadIdx.x % warp_size; }

    /// Pivots of the group.  Each warp has the whole diagonal, a number a lane, and takes all roots
    /// itself, so that warps meet once a column.
    __device__ void eliminate(int j, int n)
    {
        stage& l = this->part(j);
        const int mine = row() - j;
        const bool works = row() >= j;  // of a whole warp
        own_.share(mine, &shared_.pivot[0][mine], S);
        __syncthreads();
        number_t diagonal = get<F>(&shared_.pivot[0][lane()], S);
        each_four(n, [&]<int live>(int k) {
#pragma unroll
            for (int c = 0; c < 4; ++c) {
                if (k + c >= n) break;
                number_t q = zero<F>();
                if (works) q = divide(l, mine, k, c, root(j + k + c, from_lane(diagonal, k + c)));
                __syncthreads();
                if (!works) continue;
                const number_t x = get<F>(&l[0][k + c][lane()], S * S);
                if (lane() > k + c) diagonal = factor::fnma(x, x, diagonal);
                own_.template take_pivot<live>(&l[0][k + c][k], c, q);
            }
            own_.put_four(j + k, j + lesser(n, mine + 1));
        });
    }
    /// The pivot of a column.
    __device__ __forceinline__ number_t root(int column, number_t diagonal) const
    {
        number_t pivot;
        if (!factor::root(diagonal, pivot) && lane() == 0) atomicMin(failed_, first_ + column);
        return pivot;
    }
    /// Row `mine` of the group by pivot k + c; for the others, if it is one of its 32.
    __device__ __forceinline__ number_t divide(stage& l, int mine, int k, int c, number_t pivot)
    {
        const int column = k + c;
        const number_t x = own_.at(c);  // what other rows have is not looked at
        number_t q = divisor(pivot).quotient(mine > column ? x : one<F>());
        if (mine == column) q = pivot;
        if (mine >= column) own_.set(c, q);
        if (mine > column && mine < S && threadIdx.x % 2 == 0) put(&l[0][column][mine], S * S, q);
        return q;
    }

    const column_t first_;
    column_t* const failed_;
};

/// X of X L^T = rows, in their place.
template <class F>
class definite_rows : definite_panel<F> {
    using base = definite_panel<F>;
    using base::S, base::own_, base::width_;
    using typename base::number_t, typename base::stage;

public:
    __device__ definite_rows(shared_group<F>& shared, const double* diagonal, int width,
                             double* rows, int count)
        : base(shared, diagonal, width, rows, count)
    {
    }

    /// One thread calls wait(how many groups of the diagonal block must be final).
    template <class Wait>
    __device__ void run(const Wait& wait)
    {
        for (int j = 0; j < width_; j += S) {
            const int n = lesser(S, width_ - j);
            own_.load(j, n);
            this->take_pivots_before(j, 0);
            if (threadIdx.x == 0) wait(j / S + 1);
            __syncthreads();
            share_triangle(j, n);
            divide(this->part(j), j, n);
            __syncthreads();
        }
    }

private:
    __device__ void share_triangle(int j, int n) const
    {
        this->fetch(j, j);
        wait_for_copies();
        __syncthreads();
        const int c = static_cast<int>(threadIdx.x);
        if (c < n) this->share_pivot(c, get<F>(&this->part(j)[0][c][c], S * S));
        __syncthreads();
    }
    __device__ void divide(const stage& l, int j, int n)
    {
        each_four(n, [&]<int live>(int k) {
#pragma unroll
            for (int c = 0; c < 4; ++c) {
                if (k + c >= n) break;
                const number_t x = own_.at(c),
                               q = this->by(k + c).quotient(own_.is_active() ? x : one<F>());
                own_.set(c, q);
                own_.template take_pivot<live>(&l[0][k + c][k], c, q);
            }
            own_.put_four(j + k, j + n);
        });
    }
};

/// Panels: their diagonal blocks, and rows below them.
struct panel_tasks {
    const column_t* diagonals;
    unsigned count;  ///< of diagonal blocks
    const factor::rows_task* rows;
    panel_progress progress;
};

/// L of panels, in place.  A block of threads takes what its ticket says, and diagonal blocks come
/// first: who waits, waits for one that runs.
template <class F>
__global__ void __launch_bounds__(threads_of_panel, words_of<F> == 1 ? 2 : 1)
    factor_panels(supernode_lists s, double* values, panel_tasks tasks, column_t* failed)
{
    __shared__ shared_group<F> shared;
    if (threadIdx.x == 0) shared.ticket = atomicAdd(tasks.progress.ticket, 1u);
    __syncthreads();
    const unsigned ticket = shared.ticket;
    if (ticket < tasks.count) {
        const column_t which = tasks.diagonals[ticket];
        const supernode_place q(s, which);
        definite_diagonal<F>(shared, values + q.value_begin, q.first, q.width, failed)
            .run([&](int groups) { tasks.progress.announce(which, groups); });
        return;
    }
    const factor::rows_task task = tasks.rows[ticket - tasks.count];
    const supernode_place q(s, task.supernode);
    if (*failed < q.first + q.width) return;
    double* const l = values + q.value_begin;
    definite_rows<F>(shared, l, q.width,
                     l + (q.own_blocks() + task.block) * index_t{q.width} * 8 * words_of<F>,
                     q.below - task.block * 8)
        .run([&](int groups) { tasks.progress.await(task.supernode, groups); });
}

}  // namespace ddla::device_backend
