// Solves with factors that stay at a device, with the bits of those at the host.
#include "backward_sweeps.cuh"
#include "forward_sweeps.cuh"
#include "kept_numbers.cuh"

#include "device/core/launcher.cuh"
#include "device/core/out_of_memory.hpp"
#include "device/schedule/schedule.hpp"

#include "ddla/watched_scope.hpp"

#include <algorithm>
#include <mutex>
#include <numeric>

namespace ddla::device_backend {

namespace {

constexpr factor::sweep_sizes sizes_of_sweeps{narrow_panel, rows_of_sweep, columns_of_sums};
constexpr index_t most_systems = factor::systems_at_once;
/// Unknowns behind the last one that streams of products read.
constexpr index_t read_behind = 8;

/// y of D y = y.
template <class W, class F>
__global__ void __launch_bounds__(block_size)
    divide_by_pivots(pivot_values d, index_t n, unknowns<W> y)
{
    const index_t k = blockIdx.x * index_t{block_size} + threadIdx.x;
    if (k >= n || (k > 0 && d.beside[0][k - 1] != 0)) return;
    const auto wide = [](double* const* word, index_t i) {
        return as_unknown<W>(number_in<F>(word, i));
    };
    const number<W> of_k = wide(d.diagonal, k);
    if (d.beside[0][k] == 0) {
        for (int s = 0; s < y.systems; ++s) y.put(s, k, y.get(s, k) / of_k);
        return;
    }
    const number<W> b = wide(d.beside, k), p = of_k / b, q = wide(d.diagonal, k + 1) / b,
                    rest = one<W>() / (b * (one<W>() - p * q));
    for (int s = 0; s < y.systems; ++s) {
        const number<W> v = y.get(s, k), w = y.get(s, k + 1);
        y.put(s, k, rest * (w - q * v));
        y.put(s, k + 1, rest * (v - p * w));
    }
}

/// A triangle, and its rows.
struct placed_triangle {
    triangle_lists lists;
    const index_t* begin;
    const row_segment* segments;
};

template <scalar F>
class solves final : public factor::placed_factors<F> {
public:
    solves(queue& in, const factor::supernodes& s, std::shared_ptr<const kept_numbers> numbers,
           const std::vector<column_t>* row_of_pivot)
        : in_(in), n_(s.columns()), stages_panels_(current_schedule().staged_panels >= 0),
          rows_(static_cast<index_t>(s.row_begin.back())), numbers_(std::move(numbers)), memory_(in)
    {
        launcher to(in_, false);
        require_shared_memory();
        factor::sweep_tasks tasks = factor::sweep_tasks_of(s, sizes_of_sweeps);
        upload_tasks(tasks);
        make_triangles(row_of_pivot, to);
        allow_shared_memory<F>();
        if constexpr (words_of<F> == 1) allow_shared_memory<dd_real>();
        const index_t doubles = n_ * most_systems * 2;
        y_ = memory_.objects<double>(doubles);
        solved_ = memory_.objects<double>(doubles + read_behind);
        in_.fill_with_zero(solved_, bytes_of(doubles + read_behind));
        sums_ = memory_.objects<double>(std::max<index_t>(tasks.most_columns, 1) * most_systems *
                                        2 * 8);
        levels_ = std::move(tasks.levels);
        in_.wait();
    }

    ~solves() override
    {
        try {
            const current_device here(in_.device().index());
            host_.reset();
        } catch (const error&) {
            // This process has lost the device.  Whoever noticed that has said so.
        }
    }

    void solve(const factor::placed_systems& of) override
    {
        count_work(operations_between_looks);  // without the lock: a watch may solve, too
        const std::lock_guard alone(mutex_);
        count_solve_with_factors();
        if (of.words == words_of<F>)
            run<F>(of);
        else if constexpr (words_of<F> == 1)
            run<dd_real>(of);
    }

private:
    static std::size_t bytes_of(index_t doubles)
    {
        return factor::as_size(doubles) * sizeof(double);
    }
    /// As much as blocks take in any case.
    void require_shared_memory() const
    {
        using W = dd_real;
        constexpr int S = most_systems;
        const std::size_t most = std::max(
            {forward_bytes<W, S>(most_width, false), backward_bytes<W, S>(most_width, false),
             bytes_of(narrow_doubles<W, F, S>), forward_narrow_bytes(),
             bytes_of(shape_of_sums<W, F, 1, false>::doubles), row_products<W, F>::bytes});
        if (most > in_.device().most_shared_bytes())
            throw out_of_device_memory("a block of solves takes " + std::to_string(most) +
                                       " bytes of shared memory");
    }
    void upload_tasks(const factor::sweep_tasks& tasks)
    {
        const auto upload = [&](const auto& list) { return uploaded(in_, memory_, list); };
        unknowns_ = upload(tasks.unknowns);
        front_begin_ = upload(tasks.front_begin);
        front_end_ = upload(tasks.front_end);
        narrow_ = upload(tasks.narrow);
        wide_ = upload(tasks.wide);
        forward_ = upload(tasks.forward);
        column_sums_ = upload(tasks.sums);
    }

    void make_triangles(const std::vector<column_t>* row_of_pivot, launcher& to)
    {
        const supernode_lists& lists = numbers_->lists;
        const bool is_lu = numbers_->u, is_definite = !is_lu && !numbers_->d.diagonal[0];
        placed_triangle plain{
            {lists, is_lu ? numbers_->u : numbers_->l, is_lu || is_definite}, nullptr, nullptr};
        if (is_lu || !row_of_pivot) add_rows(lists.row, nullptr, to, plain);
        first_ = second_ = plain;
        if (!is_lu && !row_of_pivot) return;
        first_.lists.value = numbers_->l;
        first_.lists.divides = false;
        if (row_of_pivot) {
            std::vector<column_t> pivot_of_row(row_of_pivot->size());
            for (std::size_t k = 0; k < pivot_of_row.size(); ++k)
                pivot_of_row[factor::as_size((*row_of_pivot)[k])] = static_cast<column_t>(k);
            workspace numbering(in_);
            const column_t* const given = uploaded(in_, numbering, pivot_of_row);
            auto* const by_pivots = memory_.objects<column_t>(std::max<index_t>(rows_, 1));
            to.start(number_rows, launcher::blocks(rows_, block_size), lists.row, given, rows_,
                     by_pivots);
            const column_t* const row_of = uploaded(in_, numbering, *row_of_pivot);
            add_rows(by_pivots, row_of, to, first_);
            first_.lists.s.row = by_pivots;
        }
        if (!is_lu) second_ = first_;
    }
    /// `by_pivots`: the rows of supernodes; row_of: of each pivot among those of the supernodes.
    void add_rows(const column_t* by_pivots, const column_t* row_of, launcher& to,
                  placed_triangle& t)
    {
        auto* const begin = memory_.objects<index_t>(n_ + 1);
        in_.fill_with_zero(begin, bytes_of(n_ + 1));
        to.start(count_segments, launcher::blocks(rows_, block_size), by_pivots, rows_,
                 reinterpret_cast<unsigned long long*>(begin));
        std::vector<index_t> host(factor::as_size(n_) + 1);
        in_.copy_to_host(host.data(), begin, bytes_of(n_ + 1));
        std::partial_sum(host.begin(), host.end(), host.begin());
        in_.copy_from_host(begin, host.data(), bytes_of(n_ + 1));
        auto* const segments = memory_.objects<row_segment>(std::max<index_t>(rows_, 1));
        to.start(find_segments<F>, launcher::blocks(n_, warps_per_block), numbers_->lists,
                 update_lists{numbers_->update_begin, numbers_->of_column, row_of,
                              static_cast<column_t>(n_)},
                 begin, segments);
        t.begin = begin;
        t.segments = segments;
    }

    // Of blocks with a panel of so many columns, and S systems.
    static std::size_t lines_of(int width, bool staged)
    {
        return bytes_of(staged ? panel_lines<F, true>::doubles_of((width + 7) / 8) : 0);
    }
    template <class W, int S>
    static std::size_t forward_bytes(int width, bool staged)
    {
        return bytes_of(forward_doubles<W, F, S>) + lines_of(width, staged);
    }
    template <class W, int S>
    static std::size_t backward_bytes(int width, bool staged)
    {
        return bytes_of(backward_doubles<W, S>) + lines_of(width, staged);
    }
    static constexpr int most_width = factor::most_panel_columns;
    template <class W, int S>
    bool is_staged() const
    {
        return stages_panels_ &&
               std::max(forward_bytes<W, S>(most_width, true),
                        backward_bytes<W, S>(most_width, true)) <= in_.device().most_shared_bytes();
    }
    static std::size_t forward_narrow_bytes()
    {
        return warps_per_block * lines_of(narrow_panel, true);
    }

    template <class W>
    void allow_shared_memory() const
    {
        allow_for<W, 1>();
        allow_for<W, most_systems>();
        launcher::allow_shared(gather_unknowns<W, F>, row_products<W, F>::bytes);
        launcher::allow_shared(forward_narrow<W, F>, forward_narrow_bytes());
    }
    template <class W, int S>
    void allow_for() const
    {
        if (is_staged<W, S>()) {
            launcher::allow_shared(forward_panels<W, F, S, true>,
                                   forward_bytes<W, S>(most_width, true));
            launcher::allow_shared(backward_panels<W, F, S, true>,
                                   backward_bytes<W, S>(most_width, true));
        } else {
            launcher::allow_shared(forward_panels<W, F, S, false>,
                                   forward_bytes<W, S>(most_width, false));
            launcher::allow_shared(backward_panels<W, F, S, false>,
                                   backward_bytes<W, S>(most_width, false));
        }
        launcher::allow_shared(backward_narrow<W, F, S>, bytes_of(narrow_doubles<W, F, S>));
        launcher::allow_shared(sum_columns<W, F, S>,
                               bytes_of(shape_of_sums<W, F, 1, false>::doubles));
    }

    template <class W>
    void run(const factor::placed_systems& of)
    {
        const current_device here(in_.device().index());
        const index_t size = n_ * of.systems * words_of<W>;
        if (!host_ || host_->bytes() < bytes_of(size)) {
            host_.reset();
            host_ = std::make_unique<pinned_memory>(bytes_of(size));
        }
        auto* const numbers = static_cast<double*>(host_->data());
        of.put(numbers);
        in_.copy_from_host(y_, numbers, bytes_of(size));
        if (of.systems == 1)
            sweep<W, 1>(of);
        else
            sweep<W, most_systems>(of);
        in_.copy_to_host(numbers, solved_, bytes_of(size));
        of.take(numbers);
    }
    template <class W, int S>
    void sweep(const factor::placed_systems& of)
    {
        launcher to(in_, false);
        const unknowns<W> y{y_, n_, static_cast<int>(of.systems)}, solved{solved_, n_, y.systems};
        const placed_triangle &first = of.by_transpose ? second_ : first_,
                              &second = of.by_transpose ? first_ : second_;
        for (const factor::sweep_level& level : levels_) down<W, S>(to, first, level, y, solved);
        if (numbers_->d.diagonal[0])
            to.start(divide_by_pivots<W, F>, launcher::blocks(n_, block_size), numbers_->d, n_,
                     solved);
        for (auto level = levels_.rbegin(); level != levels_.rend(); ++level)
            for (auto step = level->steps.rbegin(); step != level->steps.rend(); ++step)
                up<W, S>(to, second.lists, *step, solved);
    }
    template <class W>
    static unsigned of_systems(const unknowns<W>& x, unsigned blocks)
    {
        return blocks * static_cast<unsigned>(x.systems);
    }
    template <class W, int S>
    void down(launcher& to, const placed_triangle& t, const factor::sweep_level& level,
              const unknowns<W>& y, const unknowns<W>& solved) const
    {
        if (level.unknowns.begin > 0)
            to.start_with_shared<warp_size>(
                gather_unknowns<W, F>,
                of_systems(y, launcher::blocks(level.unknowns.size(), warp_size)),
                row_products<W, F>::bytes, t.lists.value, t.begin, t.segments,
                unknowns_ + level.unknowns.begin, level.unknowns.size(), numbers_->of_column,
                front_begin_, solved, y);
        for (const factor::panel_step& step : level.steps) {
            if (step.narrow.size() > 0)
                to.start_with_shared<block_size>(
                    forward_narrow<W, F>, launcher::blocks(step.narrow.size(), warps_per_block),
                    forward_narrow_bytes(), t.lists, narrow_ + step.narrow.begin,
                    step.narrow.size(), y, solved);
            if (step.forward.size() == 0) continue;
            const auto start = [&](auto kernel, bool staged) {
                to.start_with_shared<rows_of_sweep * S>(
                    kernel, static_cast<unsigned>(step.forward.size()),
                    forward_bytes<W, S>(step.width, staged), t.lists, forward_ + step.forward.begin,
                    front_end_, y, solved);
            };
            if (is_staged<W, S>())
                start(forward_panels<W, F, S, true>, true);
            else
                start(forward_panels<W, F, S, false>, false);
        }
    }
    template <class W, int S>
    void up(launcher& to, const triangle_lists& l, const factor::panel_step& step,
            const unknowns<W>& x) const
    {
        if (step.narrow.size() > 0)
            to.start_with_shared<threads_of_sums>(
                backward_narrow<W, F, S>, static_cast<unsigned>(step.narrow.size()),
                bytes_of(narrow_doubles<W, F, S>), l, narrow_ + step.narrow.begin, x);
        if (step.wide.size() == 0) return;
        if (step.sums.size() > 0)
            to.start_with_shared<threads_of_sums>(
                sum_columns<W, F, S>, of_systems(x, static_cast<unsigned>(step.sums.size())),
                bytes_of(shape_of_sums<W, F, 1, false>::doubles), l, column_sums_ + step.sums.begin,
                x, sums_);
        const auto start = [&](auto kernel, bool staged) {
            to.start_with_shared<threads_of_sums>(kernel, static_cast<unsigned>(step.wide.size()),
                                                  backward_bytes<W, S>(step.width, staged), l,
                                                  wide_ + step.wide.begin, sums_, x);
        };
        if (is_staged<W, S>())
            start(backward_panels<W, F, S, true>, true);
        else
            start(backward_panels<W, F, S, false>, false);
    }

    queue& in_;
    const index_t n_;
    const bool stages_panels_;
    const index_t rows_;  ///< of all supernodes
    std::vector<factor::sweep_level> levels_;
    const std::shared_ptr<const kept_numbers> numbers_;
    workspace memory_;
    placed_triangle first_{}, second_{};
    column_t *unknowns_ = nullptr, *front_begin_ = nullptr, *front_end_ = nullptr,
             *narrow_ = nullptr;
    factor::forward_task* forward_ = nullptr;
    factor::sums_task *wide_ = nullptr, *column_sums_ = nullptr;
    double *y_ = nullptr, *solved_ = nullptr, *sums_ = nullptr;
    std::mutex mutex_;
    std::unique_ptr<pinned_memory> host_;
};

}  // namespace

template <scalar F>
std::shared_ptr<factor::placed_factors<F>>
solves_on_device(queue& in, const factor::supernodes& s,
                 std::shared_ptr<const kept_numbers> numbers,
                 const std::vector<column_t>* row_of_pivot)
{
    return std::make_shared<solves<F>>(in, s, std::move(numbers), row_of_pivot);
}
template std::shared_ptr<factor::placed_factors<double>>
solves_on_device(queue&, const factor::supernodes&, std::shared_ptr<const kept_numbers>,
                 const std::vector<column_t>*);
template std::shared_ptr<factor::placed_factors<dd_real>>
solves_on_device(queue&, const factor::supernodes&, std::shared_ptr<const kept_numbers>,
                 const std::vector<column_t>*);

}  // namespace ddla::device_backend
