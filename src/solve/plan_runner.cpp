#include "plan_runner.hpp"

#include "ddla/fp_mode.hpp"

#include "calls/place_of.hpp"
#include "calls/stopwatch.hpp"
#include "checked_system.hpp"
#include "direct/answer_request.hpp"
#include "direct/judged_digits.hpp"
#include "inner_solves.hpp"
#include "returned_x.hpp"

#include <algorithm>

namespace ddla::api {
namespace {

/// Entries of incomplete factors over those of A, at most.
constexpr double most_fill = 10;

std::size_t bytes_of_word(index_t n)
{
    return static_cast<std::size_t>(n) * sizeof(double);
}

/// Incomplete factors of an attempt, within the limits of complete ones.
preconditioner_options options_of(const stage& s, const solve_options& all)
{
    preconditioner_options o = all.preconditioner;
    if (s.builds == preconditioning::ilu) o.fill = s.tries->fill;
    o.ordering = s.tries->ordering;
    o.most_fill = std::min(o.most_fill, most_fill);
    o.most_memory = std::min(o.most_memory, all.factorisation.most_memory);
    o.scale = all.factorisation.scale;
    o.match = all.factorisation.match;
    return o;
}

/// The same map under the name of what was tried, "ilu(2)", for reports.
template <scalar T>
preconditioner<T> renamed(std::string name, const preconditioner<T>& k)
{
    preconditioner<T> as(
        std::move(name), k.size(), k.where(), [k](place where) { return k.map_at(where); },
        k.built());
    as.keep_for_double([k] { return k.in_double(); });
    as.set_symmetric_positive(k.is_symmetric_positive());
    return as;
}

}  // namespace

template <scalar T>
plan_runner<T>::plan_runner(engine& here, const system_map<T>& a, const preconditioner<T>& given,
                            std::span<const system_column<T>> all, refine::kept_factors* kept)
    : here_(&here), a_(&a), given_(given), kept_factors_(kept), current_(given)
{
    for (const system_column<T>& one : all) columns_.emplace_back(here, a, one);
}

template <scalar T>
void plan_runner<T>::run(const plan& p)
{
    const stopwatch clock;
    for (const stage& s : p.stages) {
        if (has_ended()) break;
        if (s.does != stage_work::factor) go_where_iterations_are();
        if (follows(s))
            carry_out(s);
        else if (s.does == stage_work::build)
            has_built_ = false;
    }
    if (p.is_of_one) return finish_answer(clock.seconds());
    for (running_column<T>& one : columns_) {
        one.report().seconds = one.seconds();
        if (one.options().certify)
            one.report().bound.emplace().why = "corrections by iterations prove nothing";
    }
}

template <scalar T>
bool plan_runner<T>::has_ended() const
{
    return std::all_of(columns_.begin(), columns_.end(),
                       [](const running_column<T>& one) { return one.has_ended(); });
}

template <scalar T>
bool plan_runner<T>::follows(const stage& s)
{
    switch (s.follows) {
    case stage_condition::always:
        return true;
    case stage_condition::may_be_definite:
        return shape().may_be_definite;
    case stage_condition::built:
        return has_built_;
    case stage_condition::gained:
        return has_built_ && *first().residual() <= residual_before_ / 1024;
    case stage_condition::none_stays:
        return staying_.is_none();
    case stage_condition::begins_again:
        return first().may_begin_again();
    }
    return false;
}

template <scalar T>
void plan_runner<T>::carry_out(const stage& s)
{
    if (s.from_better)
        for (running_column<T>& one : columns_) one.keep_better();
    if (has_ended()) return;
    switch (s.does) {
    case stage_work::factor:
        return factor();
    case stage_work::build:
        return build(s);
    case stage_work::correct:
        return correct(s);
    case stage_work::iterate:
        return iterate(s);
    }
}

template <scalar T>
void plan_runner<T>::factor()
{
    running_column<T>& one = first();
    limit_ =
        a_->solve_by_factors(*here_, one.b(), one.x(), one.options(), one.report(), kept_factors_);
    if (!limit_)
        one.end();
    else if (one.options().method == method::refinement)
        throw limit_->error_of("solve");
}

template <scalar T>
void plan_runner<T>::build(const stage& s)
{
    current_ = {};
    residual_before_ = first().residual().value_or(0);
    if (s.tries)
        try_to_build(s);
    else
        build_as_asked(s);
}

template <scalar T>
void plan_runner<T>::build_as_asked(const stage& s)
{
    const solve_options& asked = first().options();
    const stopwatch clock;
    std::optional<preconditioner<T>> made;
    if (s.builds == preconditioning::jacobi) {
        const auto d = std::make_shared<vector<double>>(a_->rows(), a_->where());
        a_->in_double()->invert_diagonal(*here_, d->view());
        diagonal_ = std::make_shared<const preconditioner<double>>(
            preconditioner<double>::by_inverse_diagonal(d));
        made.emplace();
    } else if (s.builds == preconditioning::lu) {
        made = a_->lu(*here_, asked);
    } else {
        made = a_->make_preconditioner(s.builds, asked.preconditioner, first().watch_of_making());
    }
    for (running_column<T>& one : columns_) one.add_stage(s.name, clock.seconds(), s.is_reported);
    has_built_ = made.has_value();
    was_stopped_ = !made;
    if (made) current_ = std::move(*made);
}

template <scalar T>
void plan_runner<T>::try_to_build(const stage& s)
{
    running_column<T>& one = first();
    std::string outcome;
    std::optional<preconditioner<T>> made;
    const stopwatch clock;
    try {
        made =
            a_->make_preconditioner(s.builds, options_of(s, one.options()), one.watch_of_making());
        was_stopped_ = !made;
    } catch (const limit_error&) {
        outcome = ", too large";
    } catch (const input_error&) {
        outcome = ", not possible";
    }
    one.add_stage(s.name + outcome, clock.seconds(), s.is_reported);
    if (was_stopped_) {
        one.stop();
        return;
    }
    // In the making: A permuted and scaled, the levels of the entries, lists that have room for
    // twice what is in them, and the result.  IC has the entries of A, in lists that do not grow.
    const std::size_t lists = s.builds == preconditioning::ic ? 2 : 3;
    if (made) one.hold(staying_.built().bytes + 2 * a_->bytes() + lists * made->built().bytes);
    has_built_ = made.has_value() || s.tries->or_diagonal;
    if (made)
        made = renamed(s.name, *made);
    else if (s.tries->or_diagonal && a_->has_full_diagonal(*here_))
        if (const auto d = a_->make_preconditioner(preconditioning::polynomial, {.degree = 0}, {}))
            made = renamed("jacobi", *d);
    if (made && s.tries->stays) staying_ = *made;
    current_ = made ? std::move(*made) : staying_;
}

template <scalar T>
void plan_runner<T>::correct(const stage& s)
{
    const method by = method_of(s);
    const auto k = was_stopped_ ? std::make_shared<const preconditioner<double>>() : in_double();
    for (running_column<T>& one : columns_) {
        solve_report now;
        const solve_options options = one.options_of(s, by, was_stopped_);
        correct_in_double<T>(*here_, *a_, *k, by, one.b(), one.x(), options, now,
                             iterations_of(by, s.most_products_of_correction));
        now.interrupted |= was_stopped_;
        if (!was_stopped_ && !diagonal_) now.preconditioner = {current_.name(), current_.built()};
        one.take(s, name_in_double(by), std::move(now), built_bytes());
    }
}

template <scalar T>
void plan_runner<T>::iterate(const stage& s)
{
    const method by = method_of(s);
    std::vector<solve_report> now(columns_.size());
    std::vector<system_column<T>> all;
    for (std::size_t j = 0; j < columns_.size(); ++j)
        all.push_back({columns_[j].b(), columns_[j].x(),
                       columns_[j].options_of(s, by, was_stopped_), now[j]});
    api::iterate<T>(*here_, *a_, current_, all);
    for (std::size_t j = 0; j < columns_.size(); ++j) {
        now[j].interrupted |= was_stopped_;
        columns_[j].take(s, s.name.empty() ? std::string(to_string(by)) : s.name, std::move(now[j]),
                         built_bytes());
    }
}

template <scalar T>
const matrix_shape& plan_runner<T>::shape()
{
    if (!shape_) {
        shape_ = a_->shape();
        first().hold(a_->bytes() + 2 * sizeof(index_t) * static_cast<std::size_t>(a_->rows()));
    }
    return *shape_;
}

template <scalar T>
method plan_runner<T>::method_of(const stage& s)
{
    return s.by ? *s.by : nonsymmetric_method(shape());
}

template <scalar T>
std::shared_ptr<const preconditioner<double>> plan_runner<T>::in_double()
{
    if (diagonal_) return diagonal_;
    auto k = in_double_of(current_);
    if (current_.inverse_diagonal())
        require_same_place("solve", "the preconditioner", current_.where(), "b", a_->where());
    return k;
}

/// Of what the caller has given the bytes are counted elsewhere.
template <scalar T>
std::size_t plan_runner<T>::built_bytes() const
{
    if (!given_.is_none()) return 0;
    return diagonal_ ? diagonal_->built().bytes : current_.built().bytes;
}

template <scalar T>
void plan_runner<T>::go_where_iterations_are()
{
    running_column<T>& one = first();
    const solve_options& options = one.options();
    if (!limit_ || elsewhere_ || !options.place_of_iterations || !given_.is_none()) return;
    const auto asked = [&] {
        const fp_mode_guard as_before;  // should the caller's code leave another mode
        return options.place_of_iterations();
    };
    elsewhere_.emplace(system_elsewhere{here_, a_, one.b(), one.x()});
    const place from = a_->where(), to = asked();
    if (to == from) return;
    here_->wait();
    system_elsewhere& e = *elsewhere_;
    e.there = a_->copy_at(to);
    e.right_hand_side = vector<T>(e.b.size, to);
    e.guess = vector<T>(e.x.size, to);
    for (int w = 0; w < words_of<T>; ++w) {
        copy_bytes(e.right_hand_side.view().word(w), to, e.b.word(w), from,
                   bytes_of_word(e.b.size));
        copy_bytes(e.guess.view().word(w), to, e.x.word(w), from, bytes_of_word(e.x.size));
    }
    here_ = &engine_at(to);
    a_ = e.there.get();
    one.go_on_at(*here_, *a_, std::as_const(e.right_hand_side).view(), e.guess.view());
}

template <scalar T>
void plan_runner<T>::come_back()
{
    if (!elsewhere_ || !elsewhere_->there) return;
    const system_elsewhere& e = *elsewhere_;
    const place from = a_->where();
    for (int w = 0; w < words_of<T>; ++w)
        copy_bytes(e.x.word(w), e.a->where(), e.guess.view().word(w), from,
                   bytes_of_word(e.x.size));
    first().report().where = from;
    here_ = e.here;
    a_ = e.a;
    first().go_on_at(*here_, *a_, e.b, e.x);
}

template <scalar T>
void plan_runner<T>::finish_answer(double seconds)
{
    running_column<T>& one = first();
    const stopwatch clock;
    const solve_options& options = one.options();
    solve_report& report = one.report();
    come_back();
    if (limit_ || !a_->has_entries()) {
        if (report.iterations > 0)
            round_returned(*here_, *a_, one.b(), one.x(),
                           options.tolerance.value_or(usual_tolerance), report);
        if (limit_) note_limit(report, *limit_);
        note_unjudged_digits(report, options);
    }
    if (options.certify && !report.bound)
        report.bound.emplace().why = limit_ ? limit_->text : "A is a function";
    report.seconds = seconds + clock.seconds();
    if (!options.record_history) report.history.clear();
}

template class plan_runner<double>;
template class plan_runner<dd_real>;

}  // namespace ddla::api
