// Factorisations by supernodes on a device: level by level, left-looking between fronts and
// right-looking within them.  The bits are those of the host.
#pragma once

#include "definite_panels.cuh"
#include "entries.cuh"
#include "kept_numbers.cuh"
#include "looks.cuh"
#include "panels.cuh"
#include "square.cuh"
#include "symmetric.cuh"
#include "tensor_check.cuh"
#include "tiles.cuh"

#include "device/core/launcher.cuh"
#include "device/schedule/schedule.hpp"
#include "factor/columns.hpp"
#include "factor/supernodal/ldlt.hpp"

#include "ddla/watched_scope.hpp"

#include <atomic>
#include <cmath>
#include <limits>

namespace ddla::device_backend {

/// The memory and the launches of one factorisation.
template <scalar F>
class factor_maker {
public:
    /// What a block of threads must have of L L^T and L U, and of L D L^T.
    static constexpr std::size_t shared_bytes = sizeof(shared_tile<F, false>);
    static std::size_t shared_bytes_of_symmetric()
    {
        return std::max(shared_bytes, shared_symmetric<F>::bytes(most_panel));
    }

    /// `l`: where the values of one triangle stand; `kept`: for what stays there.
    factor_maker(queue& in, const factor::supernodes& s, const factor::llt_values<F>& l,
                 factor::triangles what, kept_numbers& kept, std::atomic<double>& done)
        : in_(in), s_(s), tasks_(factor::tasks_of(s, sizes_of_tasks<F>(), what)), done_(done),
          kept_(kept), lists_(kept.lists), memory_(in), to_(in, false),
          on_tensor_(words_of<F> == 1 && current_schedule().tensor_products >= 0 &&
                     tensors_are_chains(in)),
          values_(l.begins()[s.size()])
    {
        lists_ = {keep(s.first), keep(s.row_begin), keep(s.row),
                  uploaded(in, kept.memory, l.begins(), factor::as_size(s.size()) + 1),
                  keep(s.updates)};
        kept.of_column = keep(s.of_column);
        kept.update_begin = keep(s.update_begin);
        tiles_ = upload(tasks_.tiles);
        rows_ = upload(tasks_.rows);
        diagonals_ = upload(tasks_.diagonals);
        bounded_ = upload(tasks_.bounds);
        bounds_ = {memory_.template objects<column_t>(tasks_.most_bounds),
                   upload(tasks_.bounds_begin), kept.update_begin};
        const pivot_notes none{s.columns(), 0};
        notes_ = upload(&none, 1);
    }

    /// One triangle, which is kept: the entries of A, and zeros.
    double* values(const factor::sparse_columns<F>& a, bool with_diagonal_blocks)
    {
        double* const values = zeros(kept_.memory);
        workspace entries(in_);
        column_lists columns{uploaded(in_, entries, a.begin),
                             uploaded(in_, entries, a.row),
                             {},
                             kept_.of_column,
                             s_.columns()};
        for (int w = 0; w < words_of<F>; ++w)
            columns.word[w] =
                uploaded(in_, entries, a.value.view().word(w), factor::as_size(a.entries()));
        to_.start(put_entries<F>, launcher::blocks(s_.columns(), warps_per_block), lists_, columns,
                  with_diagonal_blocks, values);
        return values;
    }
    double* zeros() { return zeros(memory_); }
    double* zeros(workspace& memory)
    {
        const index_t doubles = values_ + doubles_behind;
        double* const values = memory.template objects<double>(doubles);
        in_.fill_with_zero(values, bytes_of(doubles));
        return values;
    }
    /// The numbers of a triangle that is kept; `kept`: that of the constructor.
    void leave(const double* values, std::shared_ptr<kept_numbers> kept, factor::llt_values<F>& to)
    {
        const index_t n = s_.columns();
        factor::numbers_elsewhere there{[&in = in_, kept, values, bytes = bytes_of(values_)](
                                            double* host) { in.copy_to_host(host, values, bytes); },
                                        std::vector<double>(factor::as_size(n)),
                                        largest_of(values)};
        auto* const sizes = memory_.template objects<double>(n);
        to_.start(find_diagonal<F>, launcher::blocks(n, block_size), lists_, kept->of_column,
                  static_cast<column_t>(n), values, sizes);
        in_.copy_to_host(there.diagonal.data(), sizes, bytes_of(n));
        to.leave(std::move(there));
    }

    /// L L^T in place; the first column without a positive pivot, or -1.
    column_t make_definite(double* l)
    {
        const division by_l{lists_, l, l, {}};
        groups_ = cleared<column_t>(s_.size());
        tickets_ = cleared<unsigned>(steps());
        each_step(
            [&](const factor::update_ranges& u) {
                update<true>({lists_, l, l, l, {}, {}, {}}, u.lower);
            },
            [&](const factor::front_step& step) {
                start<warp_size>(factor_narrow_diagonals<F>, step.diagonals.small, lists_, l,
                                 diagonals_ + step.diagonals.small.begin, &notes_->failed);
                divide<true>(by_l, step.rows.small);
                factor_wide(l, step);
            });
        return notes().failed;
    }
    /// L and U in place; the pivots of all columns, see pivot_lists.
    pivot_notes make_lu(double* l, double* u, const factor::pivot_rule& rule,
                        std::vector<column_t>& row)
    {
        const pivot_lists pivots = lists_of_pivots();
        const division by_u{lists_, u, l, pivots}, by_l{lists_, l, u, pivots};
        each_step(
            [&](const factor::update_ranges& ranges) {
                update<true>({lists_, l, l, u, {}, {}, {}}, ranges.lower);
                update<false>({lists_, u, u, l, {}, {}, {}}, ranges.upper);
            },
            [&](const factor::front_step& step) {
                by_size(step.diagonals, [&]<bool narrow>(const factor::task_range& tasks) {
                    start<threads_of_diagonal<narrow>>(factor_squares<F, narrow>, tasks, lists_, l,
                                                       u, diagonals_ + tasks.begin, rule, pivots,
                                                       notes_);
                });
                divide<true>(by_u, step.rows.all());
                divide<false>(by_l, step.rows.all());
            });
        download(pivots.row, row, s_.columns());
        return notes();
    }
    /// L and D in place, like that; products: of one triangle, zeros.
    pivot_notes make_symmetric(double* l, double* products, const factor::pivot_rule& rule,
                               factor::ldlt_values<F>& f)
    {
        const pivot_lists pivots = lists_of_pivots();
        const division by_l{lists_, nullptr, l, pivots};
        const index_t n = s_.columns();
        const pivot_values d = kept_.d = values_of_pivots(n);
        launcher::allow_shared(factor_symmetrics<F>, shared_symmetric<F>::bytes(most_panel));
        each_step(
            [&](const factor::update_ranges& u) {
                update<true>({lists_, l, l, products, {}, {}, {}}, u.lower);
            },
            [&](const factor::front_step& step) {
                by_size(step.diagonals, [&]<bool narrow>(const factor::task_range& tasks) {
                    const int width = narrow ? tile_shape<F, true>::C : step.width;
                    if (tasks.size() > 0)
                        to_.template start_with_shared<threads_of_symmetric>(
                            factor_symmetrics<F>, static_cast<unsigned>(tasks.size()),
                            shared_symmetric<F>::bytes(width), lists_, l, products,
                            diagonals_ + tasks.begin, rule, d, pivots, notes_);
                });
                const factor::task_range rows = step.rows.all();
                start<threads_of_rows>(divide_symmetric_rows<F>, rows, by_l, products, d,
                                       rows_ + rows.begin, &notes_->failed);
            });
        download(pivots.row, f.row, n);
        const factor::pivot_numbers to = f.d.numbers(0);
        for (int w = 0; w < words_of<F>; ++w) {
            in_.copy_to_host(to.diagonal[w], d.diagonal[w], bytes_of(n));
            in_.copy_to_host(to.beside[w], d.beside[w], bytes_of(n));
        }
        return notes();
    }

private:
    static std::size_t bytes_of(index_t doubles)
    {
        return factor::as_size(doubles) * sizeof(double);
    }
    /// Solves read some lines behind the last one (streams.cuh).
    static constexpr index_t doubles_behind = 8 * factor::doubles_of_line<F>;
    /// Some milliseconds.
    static constexpr double operations_of_look = words_of<F> == 1 ? 2e10 : 1e9;

    template <class X>
    X* upload(const X* from, std::size_t count)
    {
        return uploaded(in_, memory_, from, count);
    }
    template <class Vector>
    auto* upload(const Vector& from)
    {
        return uploaded(in_, memory_, from);
    }
    template <class Vector>
    auto* keep(const Vector& from)
    {
        return uploaded(in_, kept_.memory, from);
    }
    /// As llt_values has it.
    double largest_of(const double* values)
    {
        constexpr unsigned blocks = 1024;
        auto* const found = memory_.template objects<double>(1);
        in_.fill_with_zero(found, sizeof *found);
        to_.start(find_largest<F>, blocks, values, values_ / factor::doubles_of_line<F>,
                  reinterpret_cast<unsigned long long*>(found));
        double largest = 0;
        in_.copy_to_host(&largest, found, sizeof largest);
        return largest <= std::numeric_limits<double>::max() ? largest : HUGE_VAL;
    }
    index_t steps() const
    {
        index_t count = 0;
        for (const factor::level_tasks& level : tasks_.levels)
            count += static_cast<index_t>(level.steps.size());
        return count;
    }
    template <class X>
    X* cleared(index_t count)
    {
        X* const all = memory_.template objects<X>(count);
        in_.fill_with_zero(all, factor::as_size(count) * sizeof(X));
        return all;
    }
    pivot_lists lists_of_pivots()
    {
        return {cleared<column_t>(s_.columns()), cleared<unsigned char>(s_.size())};
    }
    pivot_values values_of_pivots(index_t n)
    {
        pivot_values d{};
        for (int w = 0; w < words_of<F>; ++w) {
            d.diagonal[w] = kept_.memory.template objects<double>(n);
            d.beside[w] = kept_.memory.template objects<double>(n);
            in_.fill_with_zero(d.diagonal[w], bytes_of(n));
            in_.fill_with_zero(d.beside[w], bytes_of(n));
        }
        return d;
    }
    void download(const column_t* from, std::vector<column_t>& to, index_t n)
    {
        to.resize(factor::as_size(n));
        in_.copy_to_host(to.data(), from, to.size() * sizeof(column_t));
    }
    /// Waits.  failed: -1 if there is none.
    pivot_notes notes()
    {
        pivot_notes found{};
        in_.copy_to_host(&found, notes_, sizeof found);
        if (found.failed == s_.columns()) found.failed = -1;
        return found;
    }

    template <class Update, class Factor>
    void each_step(const Update& update_tiles, const Factor& factor_panels)
    {
        double waiting = 0;
        for (const factor::level_tasks& level : tasks_.levels) {
            start<warps_of_bounds * warp_size>(find_bounds, level.bounds, lists_, bounds_,
                                               bounded_ + level.bounds.begin);
            update_tiles(level.gathers);
            for (const factor::front_step& step : level.steps) {
                factor_panels(step);
                update_tiles(step.updates);
                waiting += level.operations / static_cast<double>(level.steps.size());
                if (waiting >= operations_of_look) look(waiting);
            }
        }
        look(waiting);
    }
    /// Waits for what has been launched.
    void look(double& operations)
    {
        in_.wait();
        done_.fetch_add(operations);
        count_work(operations_between_looks);
        operations = 0;
    }

    template <int Threads, class... Parameters, class... Arguments>
    void start(void (*kernel)(Parameters...), const factor::task_range& tasks,
               const Arguments&... arguments)
    {
        if (tasks.size() > 0)
            to_.template start_blocks_of<Threads>(kernel, static_cast<unsigned>(tasks.size()),
                                                  arguments...);
    }
    template <bool rows_are_l>
    void divide(const division& d, const factor::task_range& rows)
    {
        start<threads_of_rows>(divide_rows<F, rows_are_l>, rows, d, rows_ + rows.begin,
                               &notes_->failed);
    }
    /// Wide supernodes of L L^T.
    void factor_wide(double* l, const factor::front_step& step)
    {
        const factor::task_range &diagonals = step.diagonals.large, &rows = step.rows.large;
        if (diagonals.size() == 0) return;
        const panel_tasks tasks{diagonals_ + diagonals.begin,
                                static_cast<unsigned>(diagonals.size()),
                                rows_ + rows.begin,
                                {groups_, tickets_++}};
        to_.template start_blocks_of<threads_of_panel>(
            factor_panels<F>, tasks.count + static_cast<unsigned>(rows.size()), lists_, l, tasks,
            &notes_->failed);
    }
    template <class Do>
    static void by_size(const factor::ranges_by_size& r, const Do& f)
    {
        f.template operator()<true>(r.small);
        f.template operator()<false>(r.large);
    }
    template <bool rows_are_l>
    void update(tile_arguments<F> a, const factor::ranges_by_size& ranges)
    {
        a.failed = &notes_->failed;
        a.bounds = bounds_;
        by_size(ranges, [&]<bool narrow>(const factor::task_range& tasks) {
            if (tasks.size() == 0) return;
            a.tasks = tiles_ + tasks.begin;
            if constexpr (words_of<F> == 1)
                if (on_tensor_)
                    return start_tiles<narrow>(update_tiles<F, narrow, rows_are_l, true>, a, tasks);
            start_tiles<narrow>(update_tiles<F, narrow, rows_are_l, false>, a, tasks);
        });
    }
    template <bool narrow>
    void start_tiles(void (*kernel)(tile_arguments<F>), const tile_arguments<F>& a,
                     const factor::task_range& tasks)
    {
        constexpr std::size_t shared = sizeof(shared_tile<F, narrow>);
        launcher::allow_shared(kernel, shared);
        to_.template start_with_shared<tile_shape<F, narrow>::threads>(
            kernel, static_cast<unsigned>(tasks.size()), shared, a);
    }

    queue& in_;
    const factor::supernodes& s_;
    const factor::factor_tasks tasks_;
    std::atomic<double>& done_;
    kept_numbers& kept_;
    supernode_lists& lists_;
    workspace memory_;
    launcher to_;
    const bool on_tensor_;
    const index_t values_;
    factor::tile_task* tiles_ = nullptr;
    factor::rows_task* rows_ = nullptr;
    column_t* diagonals_ = nullptr;
    factor::bounds_task* bounded_ = nullptr;
    bounds_lists bounds_{};
    pivot_notes* notes_ = nullptr;
    // Of wide supernodes of L L^T: panel_progress.
    column_t* groups_ = nullptr;
    unsigned* tickets_ = nullptr;  ///< of the launches to come
};

}  // namespace ddla::device_backend
