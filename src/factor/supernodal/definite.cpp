// L L^T of a symmetric positive definite matrix.
#include "definite.hpp"

#include "llt.hpp"
#include "llt_bound.hpp"
#include "side_by_side.hpp"
#include "sweep_plan.hpp"

#include "factor/scaled_vectors.hpp"
#include "factor/symmetric/lower_triangle.hpp"
#include "factor/symmetric/symmetric_order.hpp"

#include "ddla/error.hpp"

#include <array>
#include <chrono>

namespace ddla::factor {

namespace detail {

template <scalar F>
struct definite_data {
    definite_report about;
    std::vector<int> exponent;
    supernodes parts;
    std::unique_ptr<llt_values<F>> values;
    chunk_runner run;  ///< of solves
    sweep_plan plan;
};

}  // namespace detail

namespace {

using detail::definite_data;

/// The order and what L stores; whether that is within the limits.
template <scalar F, scalar V>
bool analyse(const sparse_columns<V>& columns, const definite_options& o, definite_data<F>& f)
{
    definite_report& r = f.about;
    const symmetric_order order = order_symmetric(columns, o.scale, false, o.most_operations,
                                                  o.order, {words_of<F> == 1 ? 1.0 : 10.0, o.run});
    f.exponent = order.exponent;
    f.parts = supernodes_of(adjacency(columns.begin, columns.row), order.row);
    f.values = std::make_unique<llt_values<F>>(f.parts);
    r.operations = f.parts.exact_operations;
    r.entries = f.parts.exact_entries;
    r.bytes = f.values->bytes() + f.parts.bytes();
    if (r.operations > o.most_operations)
        r.end = factor_end::over_work;
    else if (r.bytes > o.most_bytes)
        r.end = factor_end::over_memory;
    return r.end == factor_end::complete;
}

template <scalar F>
void look_at_pivots(definite_data<F>& f)
{
    definite_report& r = f.about;
    for (column_t q = 0; q < f.parts.size(); ++q)
        for (column_t k = 0; k < f.parts.width(q); ++k) {
            const double root = magnitude(f.values->get(f.parts, q, k, k));
            if (r.smallest_pivot_row >= 0 && root * root >= r.smallest_pivot) continue;
            r.smallest_pivot = root * root;
            r.smallest_pivot_row = r.smallest_pivot_column =
                f.parts.order[as_size(f.parts.first[as_size(q)] + k)];
        }
    r.growth = 1;
    r.rank = r.n;
}

/// The matrix as make_llt takes it; its columns are let go of.
template <scalar F, scalar V>
std::optional<sparse_columns<F>> prepare(const csr<V>& a, const definite_options& o,
                                         definite_data<F>& f)
{
    const sparse_columns<V> columns = columns_of(a);
    // Its graph and the order take a few lists as long as its pattern.
    f.about.making_bytes = columns.bytes() + columns.entries() * 6 * index_t{sizeof(column_t)} +
                           columns.columns * 12 * index_t{sizeof(column_t)};
    if (!analyse(columns, o, f)) return std::nullopt;
    return lower_triangle<F>(columns, f.parts.order, f.exponent);
}

template <scalar F, scalar V>
void fill(const csr<V>& a, const definite_options& o, std::atomic<double>& done,
          definite_data<F>& f)
{
    definite_report& r = f.about;
    r.end = definite_end(a);
    if (r.end != factor_end::complete) return;
    const auto lower = prepare(a, o, f);
    if (!lower) return;
    r.making_bytes =
        std::max(r.making_bytes, r.bytes + lower->bytes() +
                                     std::max(1, o.run.threads()) * r.n * index_t{sizeof(index_t)});
    f.values->allocate();
    const column_t bad = make_llt(f.parts, *lower, *f.values, o.run, done);
    if (bad < 0) {
        r.done = r.operations;
        f.run = o.run;
        f.plan = plan_of_sweeps(f.parts, o.run);
        return look_at_pivots(f);
    }
    for (column_t q = 0; q < f.parts.of_column[as_size(bad)]; ++q) r.done += f.parts.operations(q);
    r.done = std::min(r.done, r.operations);
    f.values.reset();
    r.bytes = f.parts.bytes();
    r.bad_row = f.parts.order[as_size(bad)];
    r.end = factor_end::not_definite;
}

/// Through L, then L^T, with `words` of all systems an unknown.
template <scalar F>
class sweeps {
public:
    using loop = void (*)(const llt_sweep&, column_t from, column_t to);

    sweeps(const definite_data<F>& f, double* high, double* low, index_t words, loop forward,
           loop backward)
        : f_(f), s_(f.parts), words_(words), forward_(forward),
          backward_(backward), all_{f.values->data(),
                                    f.values->begins(),
                                    s_.first.data(),
                                    s_.row_begin.data(),
                                    s_.row.data(),
                                    high,
                                    low}
    {
    }

    void run() const
    {
        if (!f_.plan.is_parallel()) {
            forwards(all_, {0, s_.size()});
            return backwards({0, s_.size()});
        }
        const sweep_plan& p = f_.plan;
        each(p.subtrees.size(), [&](std::size_t t) {
            llt_sweep own = all_;
            own.rows_end = s_.first[as_size(p.subtrees[t].end)];
            forwards(own, p.subtrees[t]);
        });
        for (const sweep_step& step : p.steps) {
            each(step.parts(), [&](std::size_t k) { update_rows(step, k); });
            forwards(all_, step.top);
        }
        for (auto step = p.steps.rbegin(); step != p.steps.rend(); ++step) backwards(step->top);
        each(p.subtrees.size(), [&](std::size_t t) { backwards(p.subtrees[t]); });
    }

private:
    /// Those of part k, by all that is outside of them.
    void update_rows(const sweep_step& step, std::size_t k) const
    {
        llt_sweep above = all_;
        above.rows_begin = step.rows[k];
        above.rows_end = step.rows[k + 1];
        above.divides = false;
        for (const supernode_range& r : step.outside) forward_(above, r.begin, r.end);
    }

    template <class Part>
    void each(std::size_t parts, const Part& part) const
    {
        first_error error;
        f_.run.each(static_cast<index_t>(parts), [&](index_t k) {
            if (!error.is_there()) error.guard([&] { part(as_size(k)); });
        });
        error.rethrow();
    }
    void forwards(const llt_sweep& of, supernode_range r) const
    {
        for (column_t q = r.begin; q < r.end;) {
            const column_t begin = q;
            q = end_of_piece(begin, r.end);
            forward_(of, begin, q);
        }
    }
    void backwards(supernode_range r) const
    {
        std::vector<column_t> pieces = {r.begin};
        while (pieces.back() < r.end) pieces.push_back(end_of_piece(pieces.back(), r.end));
        for (std::size_t k = pieces.size() - 1; k-- > 0;) backward_(all_, pieces[k], pieces[k + 1]);
    }
    /// The end of some milliseconds of work from supernode q on, which is counted.
    column_t end_of_piece(column_t q, column_t end) const
    {
        index_t work = 0;
        for (; q < end && work < operations_between_looks; ++q)
            work += 50 + words_ * s_.width(q) * (s_.width(q) + s_.below(q)) / 4;
        count_work(work);
        return q;
    }

    const definite_data<F>& f_;
    const supernodes& s_;
    const index_t words_;
    const loop forward_, backward_;
    const llt_sweep all_;
};

/// common_exponent(), by all threads.
template <scalar T, scalar F>
int shared_exponent(const definite_data<F>& f, vec<const T> b)
{
    std::atomic<index_t> most = steps::largest_exponent::none;
    f.run.parts(b.size, [&](index_t begin, index_t end) {
        const index_t mine = largest_exponent_of(b, f.exponent, begin, end).value;
        index_t before = most;
        while (before < mine && !most.compare_exchange_weak(before, mine)) {
        }
    });
    return steps::largest_exponent{most}.or_zero();
}

template <scalar T, scalar F>
void solve_one(const definite_data<F>& f, vec<const T> b, vec<T> x)
{
    using W = wider<T, F>;
    const llt_sweeps<W, F>& kernels = current_kernels().template sweeps<W, F>();
    const std::vector<column_t>& order = f.parts.order;
    const index_t n = f.about.n;
    const int common = shared_exponent(f, b);
    unfilled<double> words(as_size(n * words_of<W>));
    const auto y = vec<W>::in_memory(words.data(), n);
    f.run.parts(n, [&](index_t begin, index_t end) {
        gather<W>(b, order, f.exponent, common, begin, end, y);
    });
    sweeps(f, y.word(0), y.word(words_of<W> - 1), words_of<W>, kernels.forward, kernels.backward)
        .run();
    f.run.parts(n, [&](index_t begin, index_t end) {
        scatter<W>(vec<const W>(y), n, order, f.exponent, common, begin, end, x);
    });
}

/// Some systems, systems_at_once at most, whose unknowns lie side by side.
template <scalar T, scalar F>
void solve_some(const definite_data<F>& f, index_t systems, vec<const T> b, vec<T> x)
{
    using W = wider<T, F>;
    const llt_sweeps<W, F>& kernels = current_kernels().template sweeps<W, F>();
    const std::vector<column_t>& order = f.parts.order;
    const index_t n = f.about.n;
    std::array<int, systems_at_once> common;
    for (index_t s = 0; s < systems; ++s) common[as_size(s)] = shared_exponent(f, b.part(s * n, n));
    unfilled<double> y(as_size(n * doubles_of_systems<W>));
    f.run.parts(n, [&](index_t begin, index_t end) {
        gather_systems<W>(b, order, f.exponent, common.data(), systems, begin, end, y.data());
    });
    sweeps(f, y.data(), nullptr, words_of<W> * systems, kernels.forward_systems,
           kernels.backward_systems)
        .run();
    f.run.parts(n, [&](index_t begin, index_t end) {
        scatter_systems<W>(y.data(), order, f.exponent, common.data(), systems, begin, end, x);
    });
}

}  // namespace

template <scalar F>
template <scalar V>
definite_factors<F> definite_factors<F>::make(const csr<V>& a, const definite_options& options)
{
    if (a.rows != a.columns)
        throw input_error("a matrix of " + std::to_string(a.rows) + " x " +
                          std::to_string(a.columns) + " has no L L^T");
    const auto begin = std::chrono::steady_clock::now();
    const auto data = std::make_shared<definite_data<F>>();
    data->about.n = a.rows;
    std::atomic<double> done = 0;
    const auto goes_on = [&] {
        const double all = data->about.operations;
        return !options.watch || options.watch(all > 0 ? std::min(done / all, 1.0) : 0);
    };
    if (!completed(goes_on, [&] { fill(a, options, done, *data); }))
        data->about.end = factor_end::stopped;
    data->about.seconds =
        std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
    definite_factors f;
    f.data_ = data;
    return f;
}

template <scalar F>
template <scalar T>
void definite_factors<F>::solve(vec<const T> b, vec<T> x) const
{
    const definite_data<F>& f = *data_;
    require_complete(f.about.end);
    const index_t n = f.about.n;
    if (b.size != x.size || (n == 0 ? b.size != 0 : b.size % n != 0))
        throw input_error("solve: b has " + std::to_string(b.size) + " elements, x " +
                          std::to_string(x.size) + ", and A " + std::to_string(n) + " rows");
    for (index_t first = 0; first < b.size; first += systems_at_once * n) {
        const index_t size = std::min(systems_at_once * n, b.size - first);
        if (size == n)
            solve_one(f, b.part(first, size), x.part(first, size));
        else
            solve_some(f, size / n, b.part(first, size), x.part(first, size));
    }
}

template <scalar F>
double definite_factors<F>::backward_error_bound() const
{
    require_complete(data_->about.end);
    return factor::backward_error_bound(data_->parts, *data_->values);
}

template <scalar F>
const definite_report& definite_factors<F>::about() const
{
    return data_->about;
}
template <scalar F>
const supernodes& definite_factors<F>::parts() const
{
    return data_->parts;
}
template <scalar F>
const std::vector<int>& definite_factors<F>::exponent() const
{
    return data_->exponent;
}
template <scalar F>
F definite_factors<F>::entry(index_t i, index_t j) const
{
    const supernodes& s = data_->parts;
    const column_t q = s.of_column[as_size(j)], first = s.first[as_size(q)];
    const index_t w = s.width(q);
    if (i < first + w) return data_->values->get(s, q, i - first, j - first);
    const column_t *const row = s.rows(q), *const end = row + s.below(q),
                          *const found = std::lower_bound(row, end, static_cast<column_t>(i));
    if (found == end || *found != i) return F(0);
    return data_->values->get(s, q, w + (found - row), j - first);
}

template class definite_factors<double>;
template class definite_factors<dd_real>;
#define DDLA_INSTANTIATE(F, T)                                                                     \
    template definite_factors<F> definite_factors<F>::make(const csr<T>&,                          \
                                                           const definite_options&);               \
    template void definite_factors<F>::solve(vec<const T>, vec<T>) const;
DDLA_INSTANTIATE(double, double)
DDLA_INSTANTIATE(double, dd_real)
DDLA_INSTANTIATE(dd_real, double)
DDLA_INSTANTIATE(dd_real, dd_real)
#undef DDLA_INSTANTIATE

}  // namespace ddla::factor
