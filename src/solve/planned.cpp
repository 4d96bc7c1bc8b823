// A plan told before it is carried out.
#include "ddla/plan.hpp"

#include "ddla/fp_mode.hpp"

#include "answer/factor_plan.hpp"
#include "calls/place_of.hpp"
#include "checked_system.hpp"
#include "errors/work_budget.hpp"
#include "operators/matrix_system.hpp"
#include "plan.hpp"
#include "solve_on.hpp"

#include <algorithm>
#include <cmath>

namespace ddla {

using namespace api;
using refine::factor_work;

namespace {

constexpr double as_double = 1;  // a multiplication, in those of double

/// What of the system and the options tells what stages take.
struct sizes {
    double rows, columns, nonzeros;
    int words;  ///< of x
    bool is_four_words;
    const solve_options& options;
    matrix_shape shape = {};

    double work_in_solve() const { return words == 1 ? as_double : refine::work_in_dd; }
    double bytes_of_vectors(double count) const { return count * rows * 8 * words; }
};

/// Vectors beside b and x, of rows, and products with A of an iteration: docs/methods.md.
struct method_cost {
    double vectors, products;
};

method_cost cost_of(method m, const sizes& of, bool has_k, bool jacobi)
{
    const auto l = static_cast<double>(of.options.l), s = static_cast<double>(of.options.s);
    const double cycle = std::min({static_cast<double>(of.options.restart), of.rows,
                                   std::max(1.0, static_cast<double>(of.options.max_iterations))});
    switch (m) {
    case method::cg:
        return {has_k || jacobi ? 4.0 : 3.0, 1};
    case method::fgmres:
        return {has_k || jacobi ? 2 * cycle + 3 : cycle + 2, 1};
    case method::bicgstabl:
        return {2 * l + (jacobi ? 6 : has_k ? 5 : 4), 2 * l};
    case method::minres:
        return {jacobi ? 9.0 : has_k ? 8.0 : 6.0, 1};
    case method::idr:
        return {3 * s + (jacobi ? 5 : has_k ? 4 : 3), s + 1};
    case method::lsmr:
        return {2 + 4 * of.columns / of.rows, 2};
    case method::automatic:
    case method::refinement:
    case method::bicgstab:
        break;
    }
    return {jacobi ? 9.0 : has_k ? 8.0 : 6.0, 2};
}

double most_work(const sizes& of)
{
    return of.options.factorisation.most_work * 1e9;
}

/// Corrections by factors: at most what refinement adds twice, and what conditions may take.
double most_work_of_refinement(const sizes& of)
{
    constexpr double corrections = 2 * 40, in_residual = 10;
    // A step of elimination makes one entry at most.
    const double entries = of.nonzeros + most_work(of);
    return refine::work_budget::of(of.options.factorisation).most() +
           corrections * (of.is_four_words ? 2 : 1) * (2 * entries + in_residual * of.nonzeros);
}

planned_stage planned(const refine::factor_stage& s, const sizes& of)
{
    planned_stage p{std::string(s.name), std::string(s.does), std::string(s.follows)};
    const auto most_memory = static_cast<double>(of.options.factorisation.most_memory);
    const double size = of.rows == of.columns ? of.rows : of.rows + of.columns;
    p.work = {most_work(of), true};
    p.bytes = {most_memory, true};
    if (s.work == factor_work::refine || s.work == factor_work::gmres) {
        const bool residual = of.options.method == method::refinement;
        p.from = "the guess, or x of the stage before";
        p.judged = residual ? "its recomputed residual" : "the estimated error of its components";
        if (residual && of.rows != of.columns) p.judged = "its recomputed residual, or that of A^T";
        p.work.amount = most_work_of_refinement(of);
        p.bytes = {(of.is_four_words ? 22 : 20) * size * 16, true};
    }
    if (s.work == factor_work::gmres) {
        p.work.amount += refine::work_in_dd * most_work(of);
        p.bytes.amount += (60 + 16) * size * 16;
    }
    if (s.work == factor_work::proof) p.work.amount *= 4 + refine::estimates_over_factors;
    return p;
}

std::string text_of(stage_condition c)
{
    switch (c) {
    case stage_condition::always:
        break;
    case stage_condition::may_be_definite:
        return "A is symmetric with a positive diagonal";
    case stage_condition::built:
        return "the last preconditioner was made";
    case stage_condition::gained:
        return "corrections in double brought three digits";
    case stage_condition::none_stays:
        return "ilu(2) is too large or not possible";
    case stage_condition::begins_again:
        return "the last run broke down or claims what is not true, and halved the residual";
    }
    return "always";
}

std::string text_of_building(const stage& s)
{
    if (!s.tries) return "the preconditioner that was asked for";
    if (s.builds == preconditioning::ic) return "incomplete Cholesky factors";
    const std::string text =
        "incomplete LU factors, " + std::to_string(s.tries->fill) + " levels of fill";
    return text + (s.tries->or_diagonal ? "; else the inverse diagonal" : "");
}

void plan_building(const stage& s, const sizes& of, planned_stage& p)
{
    const preconditioner_options& o = of.options.preconditioner;
    p.does = text_of_building(s);
    p.work = {o.most_work * 1e9, true};
    p.bytes = {static_cast<double>(o.most_memory), true};
    if (s.tries)
        p.bytes.amount =
            std::min(p.bytes.amount, static_cast<double>(of.options.factorisation.most_memory));
    if (s.builds == preconditioning::lu) {
        p.work.amount = most_work(of);
        p.bytes.amount = static_cast<double>(of.options.factorisation.most_memory);
    }
    if (s.builds == preconditioning::jacobi) {
        p.work = {of.rows};
        p.bytes = {of.rows * 8};
    }
    if (s.builds == preconditioning::polynomial) {
        p.work = {of.nonzeros + of.rows, true};
        p.bytes = {of.bytes_of_vectors(4), true};
    }
}

void plan_iterations(const stage& s, bool has_k, const sizes& of, planned_stage& p)
{
    const method by = s.by ? *s.by : nonsymmetric_method(of.shape);
    const bool in_double = s.does == stage_work::correct;
    if (p.name.empty()) p.name = in_double ? name_in_double(by) : std::string(to_string(by));
    p.does = in_double ? std::string(to_string(by)) + " in double finds corrections of x"
                       : std::string(to_string(by)) +
                             (of.words == 1 ? " in double" : " in double-double");
    p.from = s.from_better ? "the better x so far" : "the guess";
    p.judged =
        by == method::lsmr ? "its recomputed residual, or that of A^T" : "its recomputed residual";
    p.most_iterations = std::min(of.options.max_iterations, iterations_of(by, s.most_products));
    const method_cost cost = cost_of(by, of, has_k, s.fuses_jacobi);
    const double work = in_double ? as_double : of.work_in_solve();
    p.work = {static_cast<double>(p.most_iterations) * cost.products * of.nonzeros * work, true};
    const double own = in_double ? of.rows * 16 + of.bytes_of_vectors(2) : 0;
    p.bytes.amount = own + (s.from_better ? of.bytes_of_vectors(1) : 0) +
                     (in_double ? cost.vectors * of.rows * 8 : of.bytes_of_vectors(cost.vectors));
}

planned_stage planned(const stage& s, bool has_k, bool is_instead, const sizes& of)
{
    planned_stage p;
    p.name = s.name;
    p.is_reported = s.is_reported;
    p.follows = text_of(s.follows);
    if (is_instead && s.follows == stage_condition::always)
        p.follows = "factors of A are too large";
    if (is_instead && s.by == method::lsmr) p.follows += ", or A has not full rank";
    if (is_instead && s.follows == stage_condition::may_be_definite)
        p.follows = "factors of A are too large, and " + p.follows;
    if (s.does == stage_work::build)
        plan_building(s, of, p);
    else
        plan_iterations(s, has_k, of, p);
    return p;
}

std::vector<planned_stage> planned(const plan& all, const sizes& of)
{
    std::vector<planned_stage> stages;
    bool has_k = false, is_instead = false;
    for (const stage& s : all.stages) {
        if (s.does == stage_work::factor) {
            for (const refine::factor_stage& f : refine::factor_plan(
                     {of.rows != of.columns, of.options.certify, of.options.factorisation}))
                if (f.is_told) stages.push_back(planned(f, of));
            is_instead = true;
            if (of.is_four_words) break;
            continue;
        }
        has_k = has_k || s.does == stage_work::build;
        stages.push_back(planned(s, has_k, is_instead, of));
    }
    return stages;
}

template <scalar T, scalar V>
std::vector<planned_stage> planned_of(const csr_matrix<V>& a, const vector<T>& b, vec<const T> x,
                                      bool is_four_words, const solve_options& checked,
                                      const solve_options& options)
{
    engine& here = engine_at(a.where());
    look_at_values(here, a);
    const matrix_system<T, V> system(a);
    check_system<T>(here, system, preconditioner<T>(), b.view(), x, checked);
    sizes of{static_cast<double>(a.rows()),
             static_cast<double>(a.columns()),
             static_cast<double>(a.nonzeros()),
             words_of<T>,
             is_four_words,
             options};
    const plan all = plan_of({a.rows(), a.columns()}, options);
    const bool asks_shape = std::any_of(all.stages.begin(), all.stages.end(), [](const stage& s) {
        return s.does != stage_work::factor && s.does != stage_work::build && !s.by;
    });
    if (asks_shape) of.shape = system.shape();
    return planned(all, of);
}

}  // namespace

template <scalar T, scalar V>
requires acts_on<T, V> std::vector<planned_stage> plan_solve(const csr_matrix<V>& a,
                                                             const vector<T>& b, const vector<T>& x,
                                                             const solve_options& options)
{
    const fp_mode_guard exact;
    require_shape(options, a.rows(), a.columns());
    engine_for("solve", a, "x", x, "b", b);
    return planned_of<T>(a, b, x.view(), false, options, options);
}

template <scalar V>
std::vector<planned_stage> plan_solve(const csr_matrix<V>& a, const vector<dd_real>& b,
                                      const vector<dd_real>& x, const vector<dd_real>& x_low,
                                      const solve_options& options)
{
    const fp_mode_guard exact;
    engine& here = engine_for("solve", a, "x", x, "b", b);
    check_low_part(here, x, x_low, options);
    return planned_of<dd_real>(a, b, x.view(), true, with_low_part(options), options);
}

#define DDLA_INSTANTIATE(T, V)                                                                     \
    template std::vector<planned_stage> plan_solve(const csr_matrix<V>&, const vector<T>&,         \
                                                   const vector<T>&, const solve_options&);
DDLA_FOR_PRODUCTS(DDLA_INSTANTIATE)
#undef DDLA_INSTANTIATE

#define DDLA_INSTANTIATE(V)                                                                        \
    template std::vector<planned_stage> plan_solve(const csr_matrix<V>&, const vector<dd_real>&,   \
                                                   const vector<dd_real>&, const vector<dd_real>&, \
                                                   const solve_options&);
DDLA_FOR_PRECISIONS(DDLA_INSTANTIATE)
#undef DDLA_INSTANTIATE

}  // namespace ddla
