// Plans: docs/hard-systems.md and docs/preconditioners.md have the rules, and what they brought.
#include "plan.hpp"

#include "solve_on.hpp"

namespace ddla::api {
namespace {

/// Products with A of a stage where another one follows.
constexpr std::int64_t patience = 1000;
constexpr int most_restarts = 10;

/// The method in double with incomplete factors, then in the solve's precision.
void add_both(std::vector<stage>& plan)
{
    // A single correction has half of the products, so that a hopeless one ends early.
    plan.push_back({.does = stage_work::correct,
                    .follows = stage_condition::built,
                    .most_products = patience,
                    .most_products_of_correction = patience / 2,
                    .from_better = true});
    plan.push_back(
        {.follows = stage_condition::built, .most_products = patience, .from_better = true});
}

/// CG with incomplete Cholesky factors: in the solve's precision only where the corrections in
/// double have brought three digits, for else ILU is the better stage.
void add_cholesky(std::vector<stage>& plan)
{
    plan.push_back({.does = stage_work::build,
                    .name = "ic",
                    .follows = stage_condition::may_be_definite,
                    .builds = preconditioning::ic,
                    .tries = attempt{.stays = false},
                    .from_better = true});
    // CG loses its directions where another correction begins: one has all products.
    plan.push_back({.does = stage_work::correct,
                    .follows = stage_condition::built,
                    .by = method::cg,
                    .most_products = patience,
                    .most_products_of_correction = patience,
                    .from_better = true});
    plan.push_back({.follows = stage_condition::gained,
                    .by = method::cg,
                    .most_products = patience,
                    .from_better = true});
}

void add_ilu(std::vector<stage>& plan, stage_condition follows, const attempt& tries)
{
    plan.push_back({.does = stage_work::build,
                    .name = "ilu(" + std::to_string(tries.fill) + ")",
                    .follows = follows,
                    .builds = preconditioning::ilu,
                    .tries = tries,
                    .from_better = true});
    add_both(plan);
}

/// Incomplete factors of rising levels of fill and iterations, each from the better x so far; at
/// last FGMRES, and the method again, with the last factors that were made.
void add_incomplete_factors(std::vector<stage>& plan)
{
    add_cholesky(plan);
    add_ilu(plan, stage_condition::always, {.fill = 2});
    add_ilu(plan, stage_condition::built, {.fill = 6, .ordering = column_ordering::amd});
    add_ilu(plan, stage_condition::built, {.fill = 20, .ordering = column_ordering::amd});
    add_ilu(plan, stage_condition::none_stays, {.fill = 0, .or_diagonal = true});
    plan.push_back({.by = method::fgmres, .most_products = patience / 2, .from_better = true});
    plan.push_back({.from_better = true});
}

/// BiCGStab; after a breakdown, or a recurrence that claims what is not true, it begins again from
/// x with the residual recomputed, as long as that halves the residual.
void add_restarts(std::vector<stage>& plan)
{
    const std::string name(to_string(method::bicgstab));
    plan.push_back({.by = method::bicgstab});
    for (int k = 1; k <= most_restarts; ++k)
        plan.push_back({.name = name + ", restart " + std::to_string(k),
                        .follows = stage_condition::begins_again,
                        .by = method::bicgstab,
                        .from_better = true});
}

/// Factors first; iterations where they would be too large, or where A is a function.
std::vector<stage> plan_of_answer(const planned_system& system, const solve_options& options)
{
    std::vector<stage> plan;
    if (system.has_entries) plan.push_back({.does = stage_work::factor});
    if (options.method == method::refinement) return plan;
    if (system.rows != system.columns)
        plan.push_back({.by = method::lsmr});
    else if (system.has_entries && !system.has_preconditioner && !system.is_shared)
        add_incomplete_factors(plan);
    else
        add_restarts(plan);
    return plan;
}

std::vector<stage> plan_of_corrections(const planned_system& system, const solve_options& options)
{
    const bool definite =
        system.has_preconditioner ? system.is_definite : options.precond == preconditioning::ic;
    std::vector<stage> plan;
    if (!system.has_preconditioner)
        plan.push_back({.does = stage_work::build,
                        .name = std::string(to_string(options.precond)),
                        .builds = options.precond});
    plan.push_back({.does = stage_work::correct, .by = definite ? method::cg : method::bicgstab});
    return plan;
}

/// A Krylov method with the preconditioner that the options name.
std::vector<stage> plan_of_method(const solve_options& options)
{
    const bool jacobi = options.precond == preconditioning::jacobi;
    const bool builds = options.precond != preconditioning::none && !jacobi;
    const bool is_reported = builds && options.precond != preconditioning::lu;
    std::vector<stage> plan;
    if (builds)
        plan.push_back({.does = stage_work::build,
                        .name = std::string(to_string(options.precond)),
                        .builds = options.precond,
                        .is_reported = is_reported});
    plan.push_back({.by = options.method, .fuses_jacobi = jacobi, .is_reported = is_reported});
    return plan;
}

}  // namespace

std::int64_t iterations_of(method m, std::int64_t products)
{
    if (products == unlimited) return unlimited;
    return products / static_cast<std::int64_t>(detail::cost_of(m, {}).products);
}

std::string name_in_double(method m)
{
    return std::string(to_string(m)) + " in double";
}

bool corrects_by_iterations(bool has_preconditioner, const solve_options& options)
{
    const bool named =
        options.precond != preconditioning::none && options.precond != preconditioning::lu;
    return options.method == method::refinement && (named || has_preconditioner);
}

plan plan_of(const planned_system& system, const solve_options& options)
{
    if (corrects_by_iterations(system.has_preconditioner, options))
        return {plan_of_corrections(system, options)};
    if (uses_factors(options.method)) return {plan_of_answer(system, options), true};
    return {plan_of_method(options)};
}

}  // namespace ddla::api
