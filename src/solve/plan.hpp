// A solve as a plan: a table of stages, made from the system and the options before any work.
//
// plan_runner.hpp carries it out.  A new strategy is rows here; a new kind of work is a kind of
// stage here and a function of the runner.
#pragma once

#include "ddla/preconditioner.hpp"
#include "ddla/solve_options.hpp"

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace ddla::api {

enum class stage_work {
    factor,   ///< A, and refinement with the factors: all stages of answer/factor_plan.hpp
    build,    ///< a preconditioner, of what the options name or of incomplete factors
    correct,  ///< corrections of x in double, by a method with the preconditioner
    iterate,  ///< the method in the solve's precision
};

/// When a stage is carried out, unless the goal is met, iterations are used up or the watch has
/// ended the solve: then no stage follows.
enum class stage_condition {
    always,
    may_be_definite,  ///< A is symmetric with a positive diagonal
    built,            ///< the last `build` was carried out, and made a preconditioner
    gained,           ///< … and since then the residual fell to 1/1024
    none_stays,       ///< no preconditioner stays for the last stages
    begins_again,     ///< the last stage broke down, or claims what is not true, and it halved the
                      ///< residual or was the first
};

/// What incomplete factors are tried.
struct attempt {
    int fill = 0;
    column_ordering ordering = column_ordering::natural;
    bool stays = true;         ///< for the stages after the next ones
    bool or_diagonal = false;  ///< else the inverse diagonal, if all of it is there, else nothing
};

inline constexpr std::int64_t unlimited = INT64_MAX;

struct stage {
    stage_work does = stage_work::iterate;
    std::string name = {};  ///< in reports, without what happens to it; empty: the method's
    stage_condition follows = stage_condition::always;

    preconditioning builds = preconditioning::none;
    std::optional<attempt> tries = {};  ///< within limits of its own; if it fails, others follow

    std::optional<method> by = {};  ///< empty: by the shape of A, see nonsymmetric_method
    bool fuses_jacobi = false;      ///< into the sweeps of the method
    /// Products with A at most, and of a single correction.
    std::int64_t most_products = unlimited, most_products_of_correction = unlimited;

    /// From the better x so far, the guess among them.  Else from x as it is.
    bool from_better = false;
    bool is_reported = true;  ///< in the plan of reports
};

/// Iterations of a method that so many products pay for, by the list of methods: of BiCGStab two
/// each, of BiCGStab(2) four.
std::int64_t iterations_of(method m, std::int64_t products);

/// What of the system decides about the plan.
struct planned_system {
    index_t rows = 0, columns = 0;
    bool has_entries = true;
    bool has_preconditioner = false;  ///< the caller's object
    bool is_definite = false;         ///< … which is said to be symmetric positive definite
    bool is_shared = false;           ///< rows are shared among ranks: no incomplete factors
};

struct plan {
    std::vector<stage> stages = {};
    /// Each of several systems is solved by itself.  Else all of them stage by stage.
    bool is_of_one = false;
};

plan plan_of(const planned_system& system, const solve_options& options);

/// The name of a method in double: "cg in double".
std::string name_in_double(method m);

/// Whether method::refinement corrects x by iterations, and not by factors of A.
bool corrects_by_iterations(bool has_preconditioner, const solve_options& options);

}  // namespace ddla::api
