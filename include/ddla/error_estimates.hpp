// What a solve with factors knows of the error of its x: estimates and, if asked for, a bound.
//
//     ddla::solve_report report = ddla::solve(a, b, x);
//     if (report.errors.trusted) std::cout << *report.errors.componentwise << '\n';
#pragma once

#include "describe.hpp"
#include "views.hpp"

#include <cmath>
#include <cstdint>
#include <optional>
#include <string>

namespace ddla {

/// Components of x of which nothing is claimed.
struct unsettled_components {
    std::int64_t count = 0;
    index_t first = -1;  ///< the first of them, from 0; -1 if there is none
    std::string why;     ///< what stands in the way of the first, else empty
};

/// A condition number, estimated: a lower bound, mostly right within a factor of 3.
struct condition_number {
    double value = 0;
    /// A solve stalled on the way: it may be far larger.
    bool at_least = false;

    /// Whether it tells anything: it is finite, and not a lower bound of 0.
    bool is_known() const { return std::isfinite(value) && (value > 0 || !at_least); }
};

/// Empty: not computed, for want of factors or because the solve was interrupted.
struct error_estimates {
    /// ||b - A x|| / (||A|| ||x|| + ||b||), infinity norms (Rigal, Gaches 1967).
    std::optional<double> backward_error;
    /// max |b - A x|_i / (|A| |x| + |b|)_i (Oettli, Prager 1964; LAPACK's BERR).
    std::optional<double> componentwise_backward_error;
    /// The same for the rows where that denominator is not tiny, and for the others with a larger
    /// one (Arioli, Demmel, Duff, SIAM J. Matrix Anal. Appl. 10(2), 1989; MUMPS's RINFOG(7) and
    /// (8)).
    std::optional<double> omega1, omega2;
    /// Skeel's cond(A, x) = || |A^-1| |A| |x| || / ||x||, infinity norms.  Of least squares, for
    /// changes of each entry of A and b, || |A^+| (|A| |x| + |r|) + |(A^T A)^-1| |A^T| |r| || /
    /// ||x|| (Bjorck, Linear Algebra Appl. 150, 1991), or the like of the answer of least norm.
    std::optional<condition_number> condition;
    /// ||A||_1 ||A^-1||_1
    std::optional<condition_number> condition_1;
    /// The relative error of x as returned: max |x - x*| / max |x*|, and max |x_i - x*_i| / |x*_i|
    /// over all components but known zeros.  From the next correction, the rate at which
    /// corrections became smaller, and what rounding x and underflow have changed.
    std::optional<double> normwise, componentwise;
    /// Corrections became smaller by at least a factor of 2 each, no condition stalled, and no
    /// component of x overflows.
    bool trusted = false;
    /// The same for `componentwise`; and no component is unsettled.
    bool componentwise_trusted = false;
    /// Components that are below their error and, by an elimination modulo a prime of 61 bits,
    /// zero; they are +0 in x.  Almost certain: chance could feign one with a probability below
    /// 2^-40.
    std::int64_t certain_zeros = 0;
    /// Components that are zero because the entries of b that are not zero cannot reach them; they
    /// are +0 in x.  Proved by the pattern of A, whatever its values, if A has an inverse.
    std::int64_t proved_zeros = 0;
    /// Components of which not one digit is known: they keep `componentwise` from being trusted.
    unsettled_components unsettled = {};
    /// max |U_ij|, and |L_ij| before its division by pivots, over max |A_ij|, of the scaled matrix.
    std::optional<double> pivot_growth;
    /// Digits of x, relative to its largest component, that survive relative changes of 2^-53 in A
    /// and b: what double data can tell.  -log10(2^-52 cond(A, x)), at least 0.  Empty where the
    /// condition is only a lower bound.
    std::optional<double> data_digits;
};

/// Of the two `trusted` JSON has that of the kind of digits that were asked for.
template <class Visit, class... Like>
void describe(described<error_estimates>, const Visit& visit, Like&... e)
{
    using namespace about;
    visit(field{"backward_error"}, e.backward_error...);
    visit(field{"componentwise_backward_error"}, e.componentwise_backward_error...);
    visit(field{"omega1"}, e.omega1...);
    visit(field{"omega2"}, e.omega2...);
    visit(field{"condition"}, e.condition...);
    visit(field{"condition_1"}, e.condition_1...);
    visit(field{.name = "normwise", .within = "forward_error_estimate"}, e.normwise...);
    visit(field{.name = "componentwise", .within = "forward_error_estimate"}, e.componentwise...);
    visit(field{.name = "trusted", .json = "forward_error_trusted"}, e.trusted...);
    visit(field{.name = "componentwise_trusted", .json = "forward_error_trusted"},
          e.componentwise_trusted...);
    visit(field{"pivot_growth"}, e.pivot_growth...);
    visit(field{"data_digits"}, e.data_digits...);
    visit(field{"certain_zeros"}, e.certain_zeros...);
    visit(field{"proved_zeros"}, e.proved_zeros...);
    visit(field{"unsettled"}, e.unsettled...);
}

/// What is proved of the error of x: docs/certify.md has the proof.
struct error_bound {
    bool certified = false;  ///< A has an inverse, and `normwise` holds
    std::string why;         ///< … why not, else empty
    /// At least max |x - x*| / max |x*|, and max |x_i - x*_i| / |x*_i|; the second is empty where a
    /// component of x* may be zero, but for zeros that b cannot reach.
    std::optional<double> normwise, componentwise;
    /// At least the 2-norm of the inverse of R A C, whose largest entries are about 1; R and C are
    /// powers of two.
    std::optional<double> inverse_norm;
};

template <class Visit, class... Like>
void describe(described<error_bound>, const Visit& visit, Like&... b)
{
    using namespace about;
    visit(field{"certified"}, b.certified...);
    visit(field{.name = "why", .json = "not_certified_because"}, b.why...);
    visit(field{.name = "normwise", .within = "error_bound"}, b.normwise...);
    visit(field{.name = "componentwise", .within = "error_bound"}, b.componentwise...);
    visit(field{.name = "inverse_norm", .json = "scaled_inverse_norm", .within = "error_bound"},
          b.inverse_norm...);
}

}  // namespace ddla
