// What every solver keeps besides its own scalars: its state, and how it ended.
#pragma once

#include "ddla/dd_math.hpp"
#include "step.hpp"

namespace ddla::steps {

enum class end_of_solve {
    none,            ///< still running
    recurrence_met,  ///< the residual of the recurrence meets the tolerance
    iteration_limit,
    breakdown,
    not_finite,
    stagnated,  ///< a restarted method makes no progress
};

/// The scalars that a solve can end on.
#define DDLA_FOR_NAMED_SCALARS(USE)                                                                \
    USE(none, "")                                                                                  \
    USE(rho, "rho")                                                                                \
    USE(r0_v, "(r0, v)")                                                                           \
    USE(alpha, "alpha")                                                                            \
    USE(omega, "omega")                                                                            \
    USE(p_ap, "(p, A p)")                                                                          \
    USE(residual, "residual")                                                                      \
    USE(h, "h(j+1, j)")                                                                            \
    USE(r_jj, "r(j, j)")                                                                           \
    USE(r_z, "(r, K^-1 r)")                                                                        \
    USE(beta, "beta")                                                                              \
    USE(gamma, "gamma")                                                                            \
    USE(mu, "mu(k, k)")
#define DDLA_NAME(name, text) name,
enum class named_scalar { DDLA_FOR_NAMED_SCALARS(DDLA_NAME) };
#undef DDLA_NAME

/// Lives where the data is; only `finish` functions write it.  Scalars that hold it are copied
/// whole, so they have no padding: a flag beside them is an index_t.
template <class T>
struct control {
    T residual2;  ///< |r|^2 of the recurrence
    T norm2;      ///< |b|^2
    T target2;    ///< (tolerance |b|)^2
    double tolerance;
    index_t iterations;
    index_t max_iterations;
    end_of_solve end;
    named_scalar culprit;
    double* history;  ///< relative residual after iteration k, at k % history_size; or null
    index_t history_size;

    DDLA_HD bool stopped() const { return end != end_of_solve::none; }

    DDLA_HD void stop(end_of_solve how, named_scalar what = named_scalar::none)
    {
        end = how;
        culprit = what;
    }
    /// Ends the solve if x is not finite.
    DDLA_HD void require_finite(T x, named_scalar what)
    {
        using std::isfinite;
        if (!stopped() && !isfinite(x)) stop(end_of_solve::not_finite, what);
    }
    /// Ends the solve if x, a divisor, is zero.
    DDLA_HD void require_nonzero(T x, named_scalar what)
    {
        if (!stopped() && x == T(0)) stop(end_of_solve::breakdown, what);
    }
    /// The residual before the first iteration.
    DDLA_HD void begin(T r2, T b2)
    {
        norm2 = b2;
        target2 = b2 * T(tolerance) * T(tolerance);
        record(r2);
    }
    /// The residual after one more iteration.
    DDLA_HD void advance(T r2)
    {
        ++iterations;
        record(r2);
    }
    /// A solve that has met its tolerance goes on to another one.
    void go_on(double to)
    {
        end = end_of_solve::none;
        tolerance = to;
        target2 = norm2 * T(to) * T(to);
    }
    /// The residual was computed anew, without an iteration.
    DDLA_HD void renew(T r2)
    {
        residual2 = r2;
        require_finite(r2, named_scalar::residual);
        if (!stopped() && r2 <= target2) stop(end_of_solve::recurrence_met);
    }
    /// To be asked last: other ends than this one say more.
    DDLA_HD void respect_limit()
    {
        if (!stopped() && iterations >= max_iterations) stop(end_of_solve::iteration_limit);
    }
    DDLA_HD double relative_residual() const
    {
        return std::sqrt(double(residual2) / double(norm2));
    }

private:
    DDLA_HD void record(T r2)
    {
        renew(r2);
        if (history) history[iterations % history_size] = relative_residual();
    }
};

}  // namespace ddla::steps
