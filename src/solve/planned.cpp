// A plan told before it is carried out.
#include "ddla/plan.hpp"

#include "ddla/fp_mode.hpp"

#include "answer/counted_factors.hpp"
#include "answer/factor_limits.hpp"
#include "calls/place_of.hpp"
#include "checked_system.hpp"
#include "operators/matrix_system.hpp"
#include "plan.hpp"
#include "planned_on_ranks.hpp"
#include "solve_on.hpp"

#include <algorithm>
#include <cmath>
#include <map>

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
    bool has_k = false;  ///< the caller's preconditioner
    matrix_shape shape = {};
    bool may_factor = true;  ///< all of A is, or will be, on one rank
    std::map<factor_work, refine::counted_factors> counted = {};  ///< those that can be

    double work_in_solve() const { return words == 1 ? as_double : refine::work_in_dd; }
    double bytes_of_vectors(double count) const { return count * rows * 8 * words; }
};

/// Of FGMRES.
double length_of_cycle(const sizes& of)
{
    return std::min({static_cast<double>(of.options.restart), of.rows,
                     std::max(1.0, static_cast<double>(of.options.max_iterations))});
}

detail::method_cost cost_of(method m, const sizes& of)
{
    return detail::cost_of(m, {.rows = of.rows,
                               .columns = of.columns,
                               .cycle = length_of_cycle(of),
                               .l = static_cast<double>(of.options.l),
                               .s = static_cast<double>(of.options.s)});
}

/// FGMRES computes the residual anew between two cycles.
double restarts_in(double iterations, const sizes& of)
{
    return std::floor(std::max(iterations - 1, 0.0) / std::max(length_of_cycle(of), 1.0));
}

double most_work(const sizes& of)
{
    return of.options.factorisation.most_work * 1e9;
}

/// `factors`: those that the stage works with.
planned_stage planned(const refine::factor_stage& s, factor_work factors, const sizes& of)
{
    planned_stage p{std::string(s.name), std::string(s.does), std::string(s.follows)};
    const auto most_memory = static_cast<double>(of.options.factorisation.most_memory);
    const double size = of.rows == of.columns ? of.rows : of.rows + of.columns;
    const auto system =
        refine::factored(of.rows, of.columns, of.nonzeros, of.is_four_words ? 4 : 2);
    p.work = {refine::most_work(s.work, factors, system, of.options.factorisation), true};
    p.bytes = {most_memory, true};
    if (const auto found = of.counted.find(s.work); found != of.counted.end()) {
        const refine::counted_factors& counted = found->second;
        p.work = {counted.work};
        p.bytes = {static_cast<double>(counted.bytes)};
        p.entries = counted.entries;
        if (counted.limit) p.limit = counted.limit->text;
    }
    if (s.work == factor_work::refine || s.work == factor_work::gmres) {
        const bool residual = of.options.method == method::refinement;
        p.starts_from = "the guess, or x of the stage before";
        p.judged = residual ? "its recomputed residual" : "the estimated error of its components";
        if (residual && of.rows != of.columns) p.judged = "its recomputed residual, or that of A^T";
        p.bytes = {(of.is_four_words ? 22 : 20) * size * 16, true};
    }
    if (s.work == factor_work::gmres) p.bytes.amount += (60 + 16) * size * 16;
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
    p.starts_from = s.from_better ? "the better x so far" : "the guess";
    p.judged =
        by == method::lsmr ? "its recomputed residual, or that of A^T" : "its recomputed residual";
    p.most_iterations = std::min(of.options.max_iterations, iterations_of(by, s.most_products));
    const detail::method_cost cost = cost_of(by, of);
    const double vectors = s.fuses_jacobi ? cost.memory_with_jacobi
                           : has_k        ? cost.memory_with_k
                                          : cost.memory;
    const double work = in_double ? as_double : of.work_in_solve();
    const auto iterations = static_cast<double>(p.most_iterations);
    double products = iterations * cost.products;
    if (by == method::fgmres) products += restarts_in(iterations, of);
    p.work = {products * of.nonzeros * work, true};
    const double own = in_double ? of.rows * 16 + of.bytes_of_vectors(2) : 0;
    p.bytes.amount = own + (s.from_better ? of.bytes_of_vectors(1) : 0) +
                     (in_double ? vectors * of.rows * 8 : of.bytes_of_vectors(vectors));
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

/// Of a stage that makes other factors than those that were refused.
bool is_refuge(refine::factor_condition when)
{
    return when == refine::factor_condition::refused ||
           when == refine::factor_condition::not_definite ||
           when == refine::factor_condition::has_weak_pivots;
}

bool has_factors(const plan& all)
{
    return std::any_of(all.stages.begin(), all.stages.end(),
                       [](const stage& s) { return s.does == stage_work::factor; });
}

std::vector<refine::factor_stage> factor_stages(const sizes& of)
{
    return refine::factor_plan({of.rows != of.columns, of.options.certify, of.options.factorisation,
                                of.shape.may_be_definite, of.rows});
}

template <scalar T>
void count_factors(const system_map<T>& a, sizes& of)
{
    std::vector<factor_work> making;
    for (const refine::factor_stage& s : factor_stages(of))
        if (s.is_told && refine::makes_factors(s.work)) making.push_back(s.work);
    const auto counted = a.count_factors(making, of.options.factorisation);
    for (std::size_t k = 0; k < making.size(); ++k)
        if (counted[k]) of.counted.emplace(making[k], *counted[k]);
}

std::vector<planned_stage> planned(const plan& all, const sizes& of)
{
    std::vector<planned_stage> stages;
    bool has_k = of.has_k, is_instead = false;
    factor_work factors = factor_work::in_double;
    for (const stage& s : all.stages) {
        if (s.does == stage_work::factor) {
            for (const refine::factor_stage& f : factor_stages(of)) {
                // Of L L^T or L D L^T, and LU where that is refused, a solve by LU takes less.
                if (refine::makes_factors(f.work) && !is_refuge(f.when)) factors = f.work;
                if (f.is_told && of.may_factor) stages.push_back(planned(f, factors, of));
            }
            is_instead = true;
            if (of.is_four_words) break;
            continue;
        }
        has_k = has_k || s.does == stage_work::build;
        stages.push_back(planned(s, has_k, is_instead, of));
    }
    return stages;
}

template <scalar T>
std::vector<planned_stage> planned_of_checked(const system_map<T>& a, const preconditioner<T>& k,
                                              bool is_four_words, const solve_options& options)
{
    sizes of{static_cast<double>(a.rows()),
             static_cast<double>(a.columns()),
             a.has_entries() ? static_cast<double>(a.nonzeros()) : std::nan(""),
             words_of<T>,
             is_four_words,
             options,
             !k.is_none()};
    const plan all = plan_of(
        {a.rows(), a.columns(), a.has_entries(), !k.is_none(), k.is_symmetric_positive()}, options);
    const bool asks_shape = std::any_of(all.stages.begin(), all.stages.end(), [](const stage& s) {
        return s.does == stage_work::factor || (s.does != stage_work::build && !s.by);
    });
    if (a.rows() == a.columns()) {
        if (asks_shape) of.shape = a.shape();
        if (has_factors(all)) count_factors(a, of);
    }
    return planned(all, of);
}

/// Of parts that fit together.
template <scalar T>
std::vector<planned_stage> planned_of(engine& here, const system_map<T>& a,
                                      const preconditioner<T>& k, vec<const T> b, vec<const T> x,
                                      const solve_options& options)
{
    check_system<T>(here, a, k, b, x, options);
    if (!k.is_none() && corrects_by_iterations(true, options)) in_double_of(k);
    return planned_of_checked(a, k, false, options);
}

plan shared_plan(const shared_sizes& all, const solve_options& options)
{
    return plan_of({all.rows, all.columns, true, false, false, true}, options);
}

planned_stage planned_gathering(const shared_sizes& all)
{
    planned_stage p{.name = "gather",
                    .does = "A of " + std::to_string(all.ranks) +
                            (all.ranks == 1 ? " rank" : " ranks") +
                            " goes to rank 0, which factors it",
                    .follows = "always"};
    p.bytes = {static_cast<double>(all.bytes_of_gathering)};
    p.limit = all.limit;
    p.is_reported = false;
    return p;
}

}  // namespace

bool api::begins_with_factors(const shared_sizes& all, const solve_options& options)
{
    return has_factors(shared_plan(all, options));
}

bool api::makes_preconditioner(const shared_sizes& all, const solve_options& options)
{
    const plan stages = shared_plan(all, options);
    return std::any_of(stages.stages.begin(), stages.stages.end(),
                       [](const stage& s) { return s.does == stage_work::build; });
}

template <scalar T>
std::vector<planned_stage> api::planned_on_ranks(const shared_sizes& all,
                                                 const system_map<T>* gathered,
                                                 const solve_options& options)
{
    sizes of{static_cast<double>(all.rows),
             static_cast<double>(all.columns),
             static_cast<double>(all.nonzeros),
             words_of<T>,
             false,
             options};
    const plan stages = shared_plan(all, options);
    if (!has_factors(stages)) return planned(stages, of);
    if (gathered) {
        of.shape = gathered->shape();
        count_factors(*gathered, of);
    }
    of.may_factor = gathered != nullptr;
    std::vector<planned_stage> told = planned(stages, of);
    told.insert(told.begin(), planned_gathering(all));
    return told;
}

template <scalar T, scalar V>
requires acts_on<T, V> std::vector<planned_stage> plan_solve(const csr_matrix<V>& a,
                                                             const vector<T>& b, const vector<T>& x,
                                                             const solve_options& options)
{
    const fp_mode_guard exact;
    return plan_solve(a, preconditioner<T>(), b, x, options);
}

template <scalar T, scalar V>
requires acts_on<T, V> std::vector<planned_stage> plan_solve(const csr_matrix<V>& a,
                                                             const preconditioner<T>& k,
                                                             const vector<T>& b, const vector<T>& x,
                                                             const solve_options& options)
{
    const fp_mode_guard exact;
    require_shape(options, a.rows(), a.columns());
    engine& here = engine_for("solve", a, "x", x, "b", b);
    look_at_values(here, a);
    return planned_of<T>(here, matrix_system<T, V>(a), k, b.view(), x.view(), options);
}

template <scalar T, scalar V>
requires acts_on<T, V> std::vector<planned_stage>
plan_solve(const csr_matrix<V>& a, const preconditioner<T>& k, const std::vector<vector<T>>& b,
           const std::vector<vector<T>>& x, const solve_options& options)
{
    const fp_mode_guard exact;
    require_shape(options, a.rows(), a.columns());
    require_as_many("solve", "b", b.size(), "x", x.size());
    if (b.empty()) throw input_error("solve: there is no b");
    for (std::size_t j = 0; j < b.size(); ++j) engine_for("solve", a, "x", x[j], "b", b[j]);
    engine& here = engine_at(a.where());
    look_at_values(here, a);
    const matrix_system<T, V> system(a);
    for (std::size_t j = 0; j + 1 < b.size(); ++j)
        check_system<T>(here, system, k, b[j].view(), x[j].view(), options);
    return planned_of<T>(here, system, k, b.back().view(), x.back().view(), options);
}

template <scalar T>
std::vector<planned_stage> plan_solve(const linear_operator<T>& a, const vector<T>& b,
                                      const vector<T>& x, const solve_options& options)
{
    const fp_mode_guard exact;
    return plan_solve(a, preconditioner<T>(), b, x, options);
}

template <scalar T>
std::vector<planned_stage> plan_solve(const linear_operator<T>& a, const preconditioner<T>& k,
                                      const vector<T>& b, const vector<T>& x,
                                      const solve_options& options)
{
    const fp_mode_guard exact;
    const auto system = system_of(a, b, x, options);
    return planned_of<T>(engine_at(b.where()), *system, k, b.view(), x.view(), options);
}

template <scalar V>
std::vector<planned_stage> plan_solve(const csr_matrix<V>& a, const vector<dd_real>& b,
                                      const vector<dd_real>& x, const vector<dd_real>& x_low,
                                      const solve_options& options)
{
    const fp_mode_guard exact;
    engine& here = engine_for("solve", a, "x", x, "b", b);
    look_at_values(here, a);
    const matrix_system<dd_real, V> system(a);
    check_low_part(here, x, x_low, options);
    check_system<dd_real>(here, system, {}, b.view(), x.view(), with_low_part(options));
    return planned_of_checked<dd_real>(system, {}, true, options);
}

#define DDLA_INSTANTIATE(T, V)                                                                     \
    template std::vector<planned_stage> plan_solve(const csr_matrix<V>&, const vector<T>&,         \
                                                   const vector<T>&, const solve_options&);        \
    template std::vector<planned_stage> plan_solve(const csr_matrix<V>&, const preconditioner<T>&, \
                                                   const vector<T>&, const vector<T>&,             \
                                                   const solve_options&);                          \
    template std::vector<planned_stage> plan_solve(                                                \
        const csr_matrix<V>&, const preconditioner<T>&, const std::vector<vector<T>>&,             \
        const std::vector<vector<T>>&, const solve_options&);
DDLA_FOR_PRODUCTS(DDLA_INSTANTIATE)
#undef DDLA_INSTANTIATE

#define DDLA_INSTANTIATE(V)                                                                        \
    template std::vector<planned_stage> plan_solve(const csr_matrix<V>&, const vector<dd_real>&,   \
                                                   const vector<dd_real>&, const vector<dd_real>&, \
                                                   const solve_options&);
DDLA_FOR_PRECISIONS(DDLA_INSTANTIATE)
#undef DDLA_INSTANTIATE

#define DDLA_INSTANTIATE(T)                                                                        \
    template std::vector<planned_stage> api::planned_on_ranks(                                     \
        const shared_sizes&, const system_map<T>*, const solve_options&);                          \
    template std::vector<planned_stage> plan_solve(const linear_operator<T>&, const vector<T>&,    \
                                                   const vector<T>&, const solve_options&);        \
    template std::vector<planned_stage> plan_solve(const linear_operator<T>&,                      \
                                                   const preconditioner<T>&, const vector<T>&,     \
                                                   const vector<T>&, const solve_options&);
DDLA_FOR_PRECISIONS(DDLA_INSTANTIATE)
#undef DDLA_INSTANTIATE

}  // namespace ddla
