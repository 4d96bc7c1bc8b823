// The options of solve(), each with its description (describe.hpp).
//
//     ddla::solve(a, b, x, {.method = ddla::method::cg, .tolerance = 1e-20});
#pragma once

#include "describe.hpp"
#include "factorisation.hpp"
#include "method.hpp"
#include "place.hpp"
#include "preconditioner_options.hpp"

#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <string_view>

namespace ddla {

/// The preconditioner that a solve makes for itself; others are objects (preconditioner.hpp).
enum class preconditioning {
    none,
    jacobi,  ///< the inverse of the diagonal, from the right but in CG
    /// LU factors of A as options.factorisation says (automatic: in double), made on the host, kept
    /// and applied at the place of A.  Each solve factors anew: preconditioner<T>::lu() keeps them.
    lu,
    // See preconditioner_options; in CG ic, or jacobi, or a polynomial.
    ilu,
    ilut,
    ic,
    block_jacobi,
    polynomial,
};

#define DDLA_NAMED(name, text, ...) {text, method::name},
/// As options name them; gmres is FGMRES, too.
inline constexpr named<method> method_names[] = {
    DDLA_FOR_METHODS(DDLA_NAMED){"gmres", method::fgmres}};
#undef DDLA_NAMED
constexpr const auto& names_of(method)
{
    return method_names;
}

inline constexpr named<preconditioning> preconditioning_names[] = {
    {"none", preconditioning::none},
    {"jacobi", preconditioning::jacobi},
    {"lu", preconditioning::lu},
    {"ilu", preconditioning::ilu},
    {"ilut", preconditioning::ilut},
    {"ic", preconditioning::ic},
    {"block_jacobi", preconditioning::block_jacobi},
    {"polynomial", preconditioning::polynomial},
};
constexpr const auto& names_of(preconditioning)
{
    return preconditioning_names;
}

std::string_view to_string(preconditioning p);
/// The name in sentences: "Jacobi", "ILU", "no".
std::string_view title(preconditioning p);
/// What method::automatic asks for where solve_options::digits is empty.
inline constexpr int usual_digits = 12;
/// What others than method::automatic ask for where solve_options::tolerance is empty.
inline constexpr double usual_tolerance = 1e-12;

/// What `watch` sees.
struct solve_progress {
    std::int64_t iterations;
    double relative_residual;  ///< of the recurrence; in refinement the estimated error of x
    /// What is being done; "iterate" in Krylov methods.
    std::string_view stage = "iterate";
    /// The part of the stage that is done, from 0 to 1; negative: not known.
    double done = -1;
    std::size_t column = 0;  ///< which of several systems
};

struct solve_options {
    ddla::method method = method::automatic;
    ddla::preconditioning precond = preconditioning::none;
    /// On ||b - A x|| / ||b||; 0 runs until the residual of the recurrence vanishes or the limit.
    /// Empty: usual_tolerance, or no demand if digits are the goal (method::automatic).
    std::optional<double> tolerance = {};
    /// With method::automatic: converged means that so many digits are estimated right, of each
    /// component, or, if `normwise`, relative to the largest one.  Empty: usual_digits, or no
    /// demand where only a residual can be judged.  A number, or normwise, is never ignored: what
    /// judges only a residual throws input_error, or ends as residual_only if that turns out later.
    std::optional<int> digits = {};
    bool normwise = false;
    /// Of automatic, refinement and preconditioning::lu.
    factorisation_options factorisation = {};
    preconditioner_options preconditioner = {};  ///< how incomplete and other kinds are built
    /// With automatic and refinement: prove a bound of the error of x, see report.bound.  Changes
    /// nothing else.  Cost: some factorisations in double-double of twice the size, each within
    /// the limits of `factorisation`.
    bool certify = false;
    std::int64_t max_iterations = 10000;
    /// FGMRES: a cycle has so many iterations, at most as many as there are rows.  Each takes a
    /// vector more, or two with a preconditioner.
    std::int64_t restart = 50;
    /// BiCGStab(l): the degree of its minimal residual polynomials, 1 to 16.  An iteration has 2 l
    /// products.
    std::int64_t l = 2;
    /// IDR(s): the dimension of its shadow space, 1 to 64.  An iteration has s + 1 products.
    std::int64_t s = 4;
    /// After how many iterations the caller's thread looks at the state of the solve; 0: a default
    /// of the place (on the host 1).  Never changes a bit of the result.  On a device each look
    /// waits for the iterations before it.  In longer intervals the thread waits every 64
    /// iterations, or 512 where many iterations are one kernel, so that the device stops soon after
    /// the end.
    std::int64_t check_every = 0;
    /// Where method::automatic iterates if its factors would be too large; asked only then, and not
    /// with a preconditioner object.  Empty: where A is.  Never changes a bit.
    std::function<place()> place_of_iterations = {};
    /// Where factors by supernodes of so much work are made, kept and solved with, in
    /// multiplications of double; asked only where a device may be worth it.  Empty: where A is.
    /// Never changes a bit.
    std::function<place(double work)> place_of_factors = {};
    bool record_history = false;
    /// Called at each look and in long loops, on the caller's thread; returning false ends the
    /// solve.  On a device that device's primary CUDA context is current meanwhile.
    std::function<bool(const solve_progress&)> watch = {};
};

namespace detail {

/// The help of `method`, with the methods that the list has for each kind of A.
class help_of_methods {
public:
    constexpr help_of_methods()
    {
        add("The method ({}): factors and refines, or iterates if factors are too large.  Others: "
            "refine");
        add_methods(", ", matrix_kind::square);
        add(";");
        add_methods(" ", matrix_kind::positive_definite);
        add(" for symmetric positive definite matrices,");
        add_methods(" ", matrix_kind::symmetric);
        add(" for symmetric ones.  Of any shape, for least squares: auto, refine");
        add_methods(", ", matrix_kind::any_shape);
    }
    constexpr std::string_view text() const { return {text_, size_}; }

private:
    constexpr void add(std::string_view part)
    {
        for (const char c : part) text_[size_++] = c;
    }
    /// Those that iterate; fgmres by its other name.
    constexpr void add_methods(std::string_view before, matrix_kind kind)
    {
        for (const auto& [name, m] : method_names) {
            const bool iterates = m != method::automatic && m != method::refinement;
            if (!iterates || matrix_kind_of(m) != kind || name == "fgmres") continue;
            add(before);
            add(name);
            before = ", ";
        }
    }
    char text_[1024] = {};
    std::size_t size_ = 0;
};
inline constexpr help_of_methods methods_in_help;

}  // namespace detail

/// Not described: `factorisation` and `preconditioner`, which have descriptions of their own, and
/// functions, which each language has in its own way.
template <class Visit, class... Like>
void describe(described<solve_options>, const Visit& visit, Like&... o)
{
    using namespace about;
    visit(option<names<method>>{.name = "method",
                                .label = "METHOD",
                                .help = detail::methods_in_help.text()},
          o.method...);
    visit(
        option<names<preconditioning>>{
            .name = "precond",
            .help = "The preconditioner of iterations but lsmr ({}); auto: ilu of fill 2, ic "
                    "with cg; factors: as the options for them say.  With refine all but lu: "
                    "corrections are solved for in double, by cg with ic, else by bicgstab",
            .taken_by = "krylov, refine"},
        o.precond...);
    visit(option<numbers>{.name = "tolerance",
                          .label = "T",
                          .help = "Stop at ||b - A x|| <= T ||b|| ({})",
                          .values = {.most = 1, .below_most = true},
                          .in_command = numbers{.above_least = true, .most = 1, .below_most = true},
                          .preset = "1e-12; with auto nothing, unless it is given",
                          .command = "tol"},
          o.tolerance...);
    visit(option<whole_numbers>{.name = "max_iterations",
                                .label = "N",
                                .help = "Give up after N iterations",
                                .in_command = whole_numbers{1, 1'000'000'000'000}},
          o.max_iterations...);
    visit(option<whole_numbers>{.name = "restart",
                                .label = "M",
                                .help = "restart after M iterations",
                                .read_by = "gmres",
                                .taken_by = "gmres, auto",
                                .values = {1},
                                .in_command = whole_numbers{1, 1'000'000}},
          o.restart...);
    visit(option<whole_numbers>{.name = "l",
                                .label = "L",
                                .help = "degree of its polynomials",
                                .read_by = "bicgstabl",
                                .values = {1, 16}},
          o.l...);
    visit(option<whole_numbers>{.name = "s",
                                .label = "S",
                                .help = "dimension of its shadow space",
                                .read_by = "idr",
                                .values = {1, 64}},
          o.s...);
    visit(option<whole_numbers>{.name = "check_every",
                                .not_in_command = "it changes neither bits nor what is reported, "
                                                  "and the command looks every hundredth of a "
                                                  "second"},
          o.check_every...);
    visit(option<yes_or_no>{.name = "record_history",
                            .not_in_command = "--history and --plot record it",
                            .not_in_python = "results always have it"},
          o.record_history...);
    visit(option<whole_numbers>{.name = "digits",
                                .label = "D",
                                .help = "With auto: digits of every component that must be right, "
                                        "as estimated",
                                .taken_by = "auto",
                                .values = {0, 60},
                                .in_command = whole_numbers{1, 60},
                                .preset = "12",
                                .not_given = 0},
          o.digits...);
    visit(option<yes_or_no>{.name = "normwise",
                            .help = "Digits relative to the largest component",
                            .taken_by = "auto"},
          o.normwise...);
    visit(option<yes_or_no>{.name = "certify",
                            .help = "Prove a bound of the error of x, if that can be done within "
                                    "the limits of factors",
                            .taken_by = "factors"},
          o.certify...);
}

}  // namespace ddla
