// What a stage by factors takes at most.
#include "factor_limits.hpp"

#include "errors/inverse_bound.hpp"
#include "errors/sharp_errors.hpp"
#include "errors/work_budget.hpp"
#include "refine/factor_stages.hpp"
#include "refine/refinement.hpp"

#include <algorithm>

namespace ddla::refine {
namespace {

/// Times the factors of a proof: the sums of |L| |D| |L|^T, and what D takes, are less than one.
constexpr double factors_of_proof = most_shifts + 1;
constexpr double residuals_of_proof = 9;

double most_factor_work(const factorisation_options& asked)
{
    return asked.most_work * 1e9;
}

/// A step of elimination makes one entry at most.
double most_entries(const factored_system& system, double operations)
{
    return system.nonzeros + system.size + operations;
}

/// By columns, or by supernodes.
template <scalar F>
double most_entries_of_lu(const factored_system& system, double most)
{
    const double by_columns = most / (words_of<F> == 1 ? 1 : work_in_dd);
    const bool may_be_static = !system.is_augmented && may_have_static_pivots(system.size);
    return most_entries(
        system, may_be_static ? std::max(by_columns, most / work_of_supernodes<F>(1)) : by_columns);
}

/// Of one solve by factors that just fit.
double most_work_of_solve(factor_work factors, const factored_system& system, double most)
{
    const double in_dd = most_entries(system, most / work_in_dd);
    switch (factors) {
    case factor_work::definite_in_double:
        return work_of_solve(2 * most_entries(system, most / work_of_supernodes<double>(1)), 1);
    case factor_work::definite_in_double_double:
        return work_of_solve(2 * most_entries(system, most / work_of_supernodes<dd_real>(1)),
                             work_in_dd);
    case factor_work::symmetric_in_double:
        return work_of_solve(2 * most_entries(system, most), 1);
    case factor_work::symmetric_in_double_double:
        return work_of_solve(2 * in_dd, work_in_dd);
    case factor_work::in_double_double:
        return work_of_solve(most_entries_of_lu<dd_real>(system, most), work_in_dd);
    case factor_work::orthogonal:
        // R is used twice, Q twice with four multiplications a rotation, of which each took four.
        return work_in_dd * (2 * in_dd + 2 * most / work_in_dd);
    default:
        return work_of_solve(most_entries_of_lu<double>(system, most), 1);
    }
}

/// Corrections that nothing but their number ends: those of the probe, of two refinements with
/// their probes of components, and of what residuals are wrong by.
double corrections_of_refinement(int words)
{
    return solves_of_probe + 2 * (most_corrections(words) + 1 + solves_of_sharpening) +
           solves_of_residual_errors;
}

}  // namespace

factored_system factored(double rows, double columns, double nonzeros, int words)
{
    if (rows == columns) return {rows, nonzeros, words};
    return {rows + columns, 2 * nonzeros + std::max(rows, columns), words, true};
}

double most_work(factor_work stage, factor_work factors, const factored_system& system,
                 const factorisation_options& asked)
{
    const double most = most_factor_work(asked), budget = work_budget::of(asked).most();
    const double modular_solve = work_of_modular_solve * most_entries(system, most);
    const double residual = work_in_residual * system.nonzeros;
    const double corrections = corrections_of_refinement(system.words);
    switch (stage) {
    case factor_work::refine:
        return budget + corrections * (most_work_of_solve(factors, system, most) + residual);
    case factor_work::gmres:
        return budget + corrections * residual + work_in_dd * most;
    case factor_work::rank:
        // Of a singular A two: modulo the prime, and in double-double with the same pivots.
        return (system.is_augmented ? most : 2 * most) + modular_solve;
    case factor_work::zeros:
        return modular_solve;
    case factor_work::proof:
        return budget + factors_of_proof * most + residuals_of_proof * residual;
    default:
        return most;
    }
}

}  // namespace ddla::refine
