// Solves with factors that stay at a device, with the bits of those at the host.
#include "backward_sweeps.cuh"
#include "forward_sweeps.cuh"
#include "kept_numbers.cuh"

#include "device/context.cuh"
#include "device/core/launcher.cuh"
#include "device/core/out_of_memory.hpp"
#include "device/schedule/schedule.hpp"
#include "steps/common_exponent.hpp"

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
    wait_and_trigger_dependents();
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

/// Vectors of sweeps, by pivots.
struct sweep_room {
    double *y, *solved;
    double* sums;  ///< over rows below panels
};

/// Of so many doubles for y and for what is solved; sums of `columns` columns in `words` a system.
sweep_room room_in(workspace& memory, queue& in, index_t doubles, index_t columns, index_t words)
{
    const auto filled = [&](index_t count) {
        auto* const made = memory.objects<double>(count);
        in.fill_with_zero(made, factor::as_size(count) * sizeof(double));
        return made;
    };
    return {filled(doubles), filled(doubles + read_behind),
            memory.objects<double>(std::max<index_t>(columns, 1) * words * 8)};
}

/// factor::placed_order at the device.
struct placed_elements {
    const column_t *in = nullptr, *out = nullptr;
    const int *scale_in = nullptr, *scale_out = nullptr;
};

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
        columns_of_sums_ = tasks.most_columns;
        room_ = room_in(memory_, in_, n_ * most_systems * 2, columns_of_sums_, most_systems * 2);
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

    int device() const override { return in_.device().index(); }
    index_t size() const { return n_; }
    /// Of the caller's vectors, which are always the same.  Uploaded when they are first asked for.
    placed_elements elements(const factor::placed_order& by)
    {
        const std::lock_guard alone(mutex_);
        if (!elements_.in) {
            const current_device here(device());
            const column_t *const in = uploaded(in_, memory_, by.in), *const out = uploaded(
                                                                          in_, memory_, by.out);
            elements_ = {in, out, uploaded(in_, memory_, by.scale_in),
                         uploaded(in_, memory_, by.scale_out)};
            in_.wait();
        }
        return elements_;
    }
    /// For solves of one system on another stream, in words of so many doubles.
    sweep_room room_for_one(workspace& memory, queue& in, int words) const
    {
        return room_in(memory, in, n_ * words, columns_of_sums_, words);
    }
    /// Of the systems of room.y, in W; the launcher is one of the stream that the room is for.
    template <class W, int S>
    void sweep(launcher& to, int systems, bool by_transpose, const sweep_room& room) const
    {
        const unknowns<W> y{room.y, n_, systems}, solved{room.solved, n_, systems};
        const placed_triangle &first = by_transpose ? second_ : first_,
                              &second = by_transpose ? first_ : second_;
        for (const factor::sweep_level& level : levels_) down<W, S>(to, first, level, y, solved);
        if (numbers_->d.diagonal[0])
            to.start(divide_by_pivots<W, F>, launcher::blocks(n_, block_size), numbers_->d, n_,
                     solved);
        for (auto level = levels_.rbegin(); level != levels_.rend(); ++level)
            for (auto step = level->steps.rbegin(); step != level->steps.rend(); ++step)
                up<W, S>(to, second.lists, *step, solved, room.sums);
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
        in_.copy_from_host(room_.y, numbers, bytes_of(size));
        {
            launcher to(in_, true);
            const auto systems = static_cast<int>(of.systems);
            if (systems == 1)
                sweep<W, 1>(to, 1, of.by_transpose, room_);
            else
                sweep<W, most_systems>(to, systems, of.by_transpose, room_);
        }
        in_.copy_to_host(numbers, room_.solved, bytes_of(size));
        of.take(numbers);
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
            const unknowns<W>& x, double* sums) const
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
                x, sums);
        const auto start = [&](auto kernel, bool staged) {
            to.start_with_shared<threads_of_sums>(kernel, static_cast<unsigned>(step.wide.size()),
                                                  backward_bytes<W, S>(step.width, staged), l,
                                                  wide_ + step.wide.begin, sums, x);
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
    index_t columns_of_sums_ = 0;
    sweep_room room_{};
    placed_elements elements_{};
    std::mutex mutex_;
    std::unique_ptr<pinned_memory> host_;
};

/// y_k as the factors take it: see factor::gather.
template <scalar W, scalar T>
__global__ void __launch_bounds__(block_size)
    gather_elements(vec<const T> b, const column_t* element, const int* exponent,
                    const steps::largest_exponent* common, vec<W> y)
{
    wait_and_trigger_dependents();
    const index_t k = blockIdx.x * index_t{block_size} + threadIdx.x;
    if (k >= y.size) return;
    const column_t i = element[k];
    y.set(k, steps::scaled(steps::rounded<W>(b.get(i)), exponent[i] - common->or_zero()));
}
/// The way back: see factor::scatter.
template <scalar W, scalar T>
__global__ void __launch_bounds__(block_size)
    scatter_elements(vec<const W> y, const column_t* element, const int* exponent,
                     const steps::largest_exponent* common, vec<T> x)
{
    wait_and_trigger_dependents();
    const index_t k = blockIdx.x * index_t{block_size} + threadIdx.x;
    if (k >= y.size) return;
    const column_t j = element[k];
    x.set(j, steps::rounded<T>(steps::scaled(y.get(k), exponent[j] + common->or_zero())));
}

/// Vectors of the caller's at the device, on the stream of a queue.
template <scalar T, scalar F>
class bound_solves final : public factor::placed_solver<T> {
    using W = steps::wider<T, F>;

public:
    bound_solves(queue& in, std::shared_ptr<solves<F>> factors, const factor::placed_order& by)
        : of_{&in}, factors_(std::move(factors)), of_elements_(factors_->elements(by)), memory_(in)
    {
        const current_device here(in.device().index());
        common_ = memory_.objects<steps::largest_exponent>(1);
        room_ = factors_->room_for_one(memory_, in, words_of<W>);
        in.wait();
    }
    ~bound_solves() override
    {
        try {
            of_.in->wait();
        } catch (const error&) {
            // This process has lost the device.  Whoever noticed that has said so.
        }
    }

    void solve(vec<const T> b, vec<T> x) override
    {
        const index_t n = factors_->size();
        count_solve_with_factors();
        {
            call c = of_.call();
            c.backend.run(steps::common_exponent<T>{{}, b, of_elements_.scale_in, common_}, n);
        }
        launcher to(*of_.in, true);
        const unsigned blocks = launcher::blocks(n, block_size);
        to.start(gather_elements<W, T>, blocks, b, of_elements_.in, of_elements_.scale_in, common_,
                 vec<W>::in_memory(room_.y, n));
        factors_->template sweep<W, 1>(to, 1, false, room_);
        to.start(scatter_elements<W, T>, blocks, vec<const W>(vec<W>::in_memory(room_.solved, n)),
                 of_elements_.out, of_elements_.scale_out, common_, x);
    }

private:
    context of_;
    const std::shared_ptr<solves<F>> factors_;
    const placed_elements of_elements_;
    workspace memory_;
    steps::largest_exponent* common_ = nullptr;
    sweep_room room_{};
};

}  // namespace

template <scalar T, scalar F>
std::unique_ptr<factor::placed_solver<T>>
bound_on_device(queue& in, const std::shared_ptr<factor::placed_factors<F>>& of,
                const factor::placed_order& by)
{
    const auto factors = std::dynamic_pointer_cast<solves<F>>(of);
    if (!factors || factors->device() != in.device().index())
        throw internal_error("factors of another device");
    return std::make_unique<bound_solves<T, F>>(in, factors, by);
}
#define DDLA_INSTANTIATE(T, F)                                                                     \
    template std::unique_ptr<factor::placed_solver<T>> bound_on_device(                            \
        queue&, const std::shared_ptr<factor::placed_factors<F>>&, const factor::placed_order&);
DDLA_INSTANTIATE(double, double)
DDLA_INSTANTIATE(double, dd_real)
DDLA_INSTANTIATE(dd_real, double)
DDLA_INSTANTIATE(dd_real, dd_real)
#undef DDLA_INSTANTIATE

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
