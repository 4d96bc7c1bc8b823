// How many digits of an x are right, whoever computed it: estimated, in the time of a solve.
//
//     ddla::solution_check found = ddla::check(a, b, x);
//     if (found.worst) std::cout << *found.worst << " digits of every component are right\n";
#pragma once

#include "solve.hpp"

namespace ddla {

struct check_options {
    int digits = 6;  ///< of every component, or, if `normwise`, relative to the largest one
    bool normwise = false;
    factorisation_options factorisation = {};
    bool certify = false;  ///< prove a bound of the error of x, too
    std::function<bool(const solve_progress&)> watch = {};
};

/// Not described: `factorisation`, as in solve_options, and the function.
template <class Visit, class... Like>
void describe(described<check_options>, const Visit& visit, Like&... o)
{
    using namespace about;
    visit(option<whole_numbers>{.name = "digits",
                                .label = "D",
                                .help = "Right digits of every component that are asked for",
                                .values = {0, 60},
                                .in_command = whole_numbers{1, 60}},
          o.digits...);
    visit(option<yes_or_no>{.name = "normwise", .help = "Digits relative to the largest component"},
          o.normwise...);
    visit(option<yes_or_no>{.name = "certify",
                            .help = "Prove a bound of the error of x, if that can be done within "
                                    "the limits of factors"},
          o.certify...);
}

/// One component of x beside the better one.
struct checked_component {
    index_t index;  ///< from 0
    double digits;
    dd_real x, better;
    dd_real x_low = {0, 0}, better_low = {0, 0};  ///< of an x in four words
};

struct solution_check {
    bool passed = false;
    /// Right digits as estimated: of the worst component, the median, relative to the largest
    /// component.  Empty where no better x is known well enough: then `why` says so, unless a
    /// proved bound lets x pass.
    std::optional<double> worst, median, normwise;
    std::string why;
    /// Where `why` is a limit, or a rank: of what.
    limit_subject limited = limit_subject::none;
    /// Components by whole right digits; the last element has all that have 32 or more, of an x in
    /// four words 64 or more.
    std::vector<index_t> histogram = {};
    std::vector<checked_component> worst_five = {};
    /// Of this x: backward errors, and forward errors against the better one plus its own estimate.
    error_estimates errors = {};
    std::optional<error_bound> bound = {};  ///< of the error of x, if it was asked for
    double true_relative_residual = 0;      ///< NaN: after an interruption it would take long
    /// Of an A that is not square: ||A^T r|| / (||A|| ||r||) for r = b - A x.
    std::optional<double> normal_residual = {};
    bool interrupted = false;
    std::optional<rank_report> rank = {};
    std::vector<solve_stage> plan = {};  ///< of the solve for the better x
    double seconds = 0;
};

/// As of solve_report; not described, too, are the histogram and the components, and `why`, which
/// is a part of the verdict.
template <class Visit, class... Like>
void describe(described<solution_check>, const Visit& visit, Like&... c)
{
    using namespace about;
    visit(field{"passed"}, c.passed...);
    visit(field{.name = "worst", .json = "digits_worst"}, c.worst...);
    visit(field{.name = "median", .json = "digits_median"}, c.median...);
    visit(field{.name = "normwise", .json = "digits_normwise"}, c.normwise...);
    visit(field{"true_relative_residual"}, c.true_relative_residual...);
    visit(field{"normal_residual"}, c.normal_residual...);
    visit(field{"interrupted"}, c.interrupted...);
    visit(field{"seconds"}, c.seconds...);
}

/// Compares x with a better one: A x = b solved anew by factors and refinement in double-double,
/// without a look at x.  Every component is compared.  A better value of 0 is known to be 0: then
/// x_i is right if it is 0, and has no digit else.  Where not all of the better x is known to the
/// digits that are asked for, nothing is compared and `why` names the reason, with the first
/// component. x passes, too, if the bound that `certify` proves of it suffices.  The result is
/// computed on the host, wherever the data are. b has the rows of A, x its columns, all at one
/// place, finite but for x.  Where A is not square, x is compared with least squares or, with more
/// columns than rows, the answer of least norm: then errors has no backward errors, there is no
/// rank, and `certify` is refused.  Throws input_error for shapes, places and values;
/// resource_error if factors would pass the limits. Cost: that of solve() with method::automatic.
template <scalar T, scalar V>
requires acts_on<T, V> solution_check check(const csr_matrix<V>& a, const vector<T>& b,
                                            const vector<T>& x, const check_options& options = {});

/// The same of x + x_low, beside a better one in four words: up to 60 digits can be asked for.
template <scalar V>
solution_check check(const csr_matrix<V>& a, const vector<dd_real>& b, const vector<dd_real>& x,
                     const vector<dd_real>& x_low, const check_options& options);

}  // namespace ddla
