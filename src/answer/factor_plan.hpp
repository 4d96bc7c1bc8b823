// The stages of a solve by factors, as a table: what reports call them, what they do, and when they
// follow.  answer.cpp walks it; made_factors.cpp, corrected_x.cpp, exact_findings.cpp and
// orthogonal.cpp have what stages do.
#pragma once

#include "ddla/factorisation.hpp"

#include <string_view>
#include <vector>

namespace ddla::refine {

enum class factor_work {
    definite_in_double,
    symmetric_in_double,
    in_double,
    threshold_in_double,
    refine,
    rank,
    zeros,
    proof,
    gmres,
    definite_in_double_double,
    symmetric_in_double_double,
    in_double_double,
    threshold_in_double_double,
    orthogonal,
    // Parts of a stage that refines: reports have them under its name.
    unreached,
    refine_again,
    judge,
    // What is known of x, before another one is looked for: no stage of a report.
    conclude,
};

/// When a row of the table is carried out.
enum class factor_condition {
    always,
    goes_on,          ///< the goal is not met, no limit was passed, and there may be an x
    is_definite,      ///< … and A is, as far as is known
    not_definite,     ///< … and a pivot of L L^T was not positive
    refused,          ///< the last L D L^T has pivots that are not good enough
    has_weak_pivots,  ///< the goal is not met, and LU replaced pivots, or its numbers have grown
    lacks_pivot,      ///< the last LU has a column without one, and the rank is not known
    has_factors,      ///< new ones are complete, and of full rank, or A is singular
    has_stalled,      ///< corrections by LU in double did not settle, and GMRES is worth its work
    may_hide_zeros,   ///< some components alone do not settle
    has_suspects,     ///< … and b reaches some of them
    is_nonsingular,   ///< … and A has full rank
    was_left,         ///< the stage that refines was left for zeros
    has_refined,      ///< corrections were added, and nobody has judged x yet
    is_doubtful,      ///< the x that was judged may be that of a singular matrix
    is_final,         ///< … is the one that will be returned, as far as is known
    may_tell_more,    ///< QR may find a better x of least squares
};

/// A row: its condition counts where those before it left off.
struct factor_stage {
    factor_work work;
    std::string_view name;     ///< in reports; empty: it belongs to the stage before
    std::string_view does;     ///< for people
    std::string_view follows;  ///< likewise: its condition, if the goal is not met yet
    factor_condition when;
    bool is_told = true;  ///< in a plan that is told; else one like it is
};

inline constexpr factor_stage factor_stages[] = {
    {factor_work::definite_in_double, "factor in double, L L^T",
     "scaling, ordering and L L^T by supernodes, in double",
     "A is symmetric with a positive diagonal", factor_condition::is_definite},
    {factor_work::symmetric_in_double, "factor in double, L D L^T",
     "L D L^T of the augmented matrix of least squares, in double", "always",
     factor_condition::always},
    {factor_work::in_double, "factor in double", "scaling, ordering and sparse LU, in double",
     "always", factor_condition::always},
    {factor_work::threshold_in_double, "factor in double, threshold pivots",
     "sparse LU whose pivots are chosen in whole columns, in double",
     "LU has weak pivots, and the goal was not reached", factor_condition::has_weak_pivots},
    {factor_work::refine, "refine",
     "corrections of x by the factors, from residuals of 265 bits (four words: 477); then "
     "conditions and errors",
     "the factors are within their limits", factor_condition::has_factors},
    {factor_work::rank, "rank modulo a prime",
     "elimination modulo a prime: has A an inverse, has b an x?",
     "a column has no pivot, kappa_1 is above 1e12, or corrections stalled; once",
     factor_condition::is_doubtful},
    {factor_work::zeros, "zeros modulo a prime",
     "finds components that are zero; then x is refined again",
     "some components alone do not settle", factor_condition::is_nonsingular},
    {factor_work::proof, "prove a bound", "factors that prove a bound of the error",
     "x is the one that will be returned, and A is not singular", factor_condition::is_final},
    {factor_work::gmres, "refine by GMRES",
     "corrections by GMRES with the factors, which are applied in double-double",
     "corrections did not become smaller, and factors in double-double are too large, not wanted, "
     "or more work",
     factor_condition::has_stalled},
    {factor_work::definite_in_double_double, "factor in double-double, L L^T",
     "the same L L^T with 32 digits",
     "factors in double did not reach the goal, and A has them as L L^T",
     factor_condition::is_definite},
    {factor_work::symmetric_in_double_double, "factor in double-double, L D L^T",
     "the same L D L^T with 32 digits", "factors in double did not reach the goal",
     factor_condition::goes_on},
    {factor_work::in_double_double, "factor in double-double", "the same LU with 32 digits",
     "factors in double did not reach the goal", factor_condition::goes_on},
    {factor_work::threshold_in_double_double, "factor in double-double, threshold pivots",
     "the same with 32 digits", "LU has weak pivots, and the goal was not reached",
     factor_condition::has_weak_pivots},
    {factor_work::orthogonal, "factor in double-double, QR", "QR of A, or of its transpose",
     "other factors did not reach the goal", factor_condition::may_tell_more},
    {factor_work::unreached, "", "", "", factor_condition::may_hide_zeros, false},
    {factor_work::refine_again, "", "", "", factor_condition::was_left, false},
    {factor_work::judge, "", "", "", factor_condition::has_refined, false},
    {factor_work::conclude, "", "", "", factor_condition::always, false},
};

/// When LU follows L D L^T in the same precision.
inline constexpr std::string_view follows_symmetric = "the pivots of L D L^T are not good enough";

constexpr const factor_stage& stage_of(factor_work work)
{
    return factor_stages[static_cast<int>(work)];
}
static_assert(
    [] {
        for (const factor_stage& s : factor_stages)
            if (&stage_of(s.work) != &s) return false;
        return true;
    }(),
    "the table is not in the order of the enumeration");

/// When LU follows where A may be definite.
inline constexpr std::string_view follows_definite = "a computed pivot of L L^T is not positive";

/// Its name as a string that ends.
constexpr const char* name_of(factor_work work)
{
    return stage_of(work).name.data();
}

struct asked_of_factors {
    bool least_squares = false, certify = false;
    factorisation_options factorisation = {};
    bool may_be_definite = false;  ///< A is symmetric with a positive diagonal
    double size = 0;               ///< rows of A
};

/// L L^T and L D L^T have an order of their own, by AMD or nested dissection.
constexpr bool has_order_of_symmetric(column_ordering order)
{
    return order == column_ordering::automatic || order == column_ordering::amd ||
           order == column_ordering::dissection;
}

/// LU by columns of a full matrix would take as many operations as LU by supernodes begins at.
constexpr bool may_have_static_pivots(double size)
{
    return size * size * size / 3 >= 1e6;
}

/// In the order in which they are carried out.  Told: in the order in which they begin; rank and
/// zeros where they are needed first.
std::vector<factor_stage> factor_plan(const asked_of_factors& asked);

/// Of corrections that are there, without factors.
std::vector<factor_stage> refinement_plan(bool certify);

}  // namespace ddla::refine
