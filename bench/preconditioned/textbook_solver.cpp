#include "textbook_solver.hpp"

#include "support/data.hpp"

namespace bench {

namespace {

double* words(ddla::vector<double>& x)
{
    return x.view().word(0);
}
const double* words(const ddla::vector<double>& x)
{
    return x.view().word(0);
}

}  // namespace

textbook_solver::textbook_solver(const rivals& by, const cusparse_matrix& a,
                                 const cusparse_factors& k)
    : by_(by), a_(a), k_(k), n_(a.rows()), r_(n_, there), r0_(n_, there), p_(n_, there),
      v_(n_, there), t_(n_, there), p_hat_(n_, there), s_hat_(n_, there)
{
}

double textbook_solver::dot(const ddla::vector<double>& x, const ddla::vector<double>& y) const
{
    double result = 0;
    by_.dot(n_, words(x), words(y), &result);
    return result;
}

double textbook_solver::norm_of_r() const
{
    double result = 0;
    by_.nrm2(n_, words(r_), &result);
    return result;
}

void textbook_solver::axpy(double a, const ddla::vector<double>& x, double* y) const
{
    by_.axpy(n_, &a, words(x), y);
}

bool textbook_solver::ended(double norm, end& why) const
{
    why = !std::isfinite(norm)                          ? end::not_finite
          : norm <= threshold_                          ? end::met
          : iterations_ >= asked_.most_iterations       ? end::iteration_limit
          : seconds_since(begin_) > asked_.most_seconds ? end::time_limit
                                                        : end::breakdown;
    return why != end::breakdown;
}

/// p = r + (rho / old rho) (alpha / omega) (p - omega v)
void textbook_solver::next_direction(double rho, double old_rho, double alpha, double omega,
                                     bool first)
{
    if (first) return by_.copy(n_, words(r_), words(p_));
    const double beta = (rho / old_rho) * (alpha / omega);
    axpy(-omega, v_, words(p_));
    by_.scal(n_, &beta, words(p_));
    axpy(1, r_, words(p_));
}

/// s takes the place of r.
textbook_solver::end textbook_solver::bicgstab()
{
    by_.copy(n_, words(r_), words(r0_));
    double old_rho = 1, alpha = 1, omega = 1;
    for (bool first = true;; first = false) {
        const double rho = dot(r0_, r_);
        if (rho == 0) return end::breakdown;
        next_direction(rho, old_rho, alpha, omega, first);
        old_rho = rho;
        ++iterations_;
        k_.apply(words(p_), words(p_hat_));
        a_.multiply(words(p_hat_), words(v_));
        alpha = rho / dot(r0_, v_);
        axpy(alpha, p_hat_, x_);
        axpy(-alpha, v_, words(r_));
        const double half = norm_of_r();
        if (!std::isfinite(half)) return end::not_finite;
        if (half <= threshold_) return end::met;

        k_.apply(words(r_), words(s_hat_));
        a_.multiply(words(s_hat_), words(t_));
        omega = dot(t_, r_) / dot(t_, t_);
        if (omega == 0) return end::breakdown;
        axpy(omega, s_hat_, x_);
        axpy(-omega, t_, words(r_));
        end why;
        if (ended(norm_of_r(), why)) return why;
    }
}

textbook_solver::end textbook_solver::cg()
{
    k_.apply(words(r_), words(s_hat_));
    by_.copy(n_, words(s_hat_), words(p_));
    double rho = dot(r_, s_hat_);
    while (true) {
        ++iterations_;
        a_.multiply(words(p_), words(v_));
        const double p_v = dot(p_, v_);
        if (p_v == 0 || rho == 0) return end::breakdown;
        const double alpha = rho / p_v;
        axpy(alpha, p_, x_);
        axpy(-alpha, v_, words(r_));
        end why;
        if (ended(norm_of_r(), why)) return why;
        k_.apply(words(r_), words(s_hat_));
        const double next = dot(r_, s_hat_), beta = next / rho;
        rho = next;
        by_.scal(n_, &beta, words(p_));
        axpy(1, s_hat_, words(p_));
    }
}

double textbook_solver::residual(const double* b)
{
    a_.multiply(x_, words(t_));
    by_.copy(n_, b, words(r_));
    axpy(-1, t_, words(r_));
    return norm_of_r();
}

solve_outcome textbook_solver::solve(const demand& d, const double* b, double* x)
{
    by_.scalars_on_host();
    check(cudaStreamSynchronize(by_.stream()), "cudaStreamSynchronize");
    begin_ = bench_clock::now();
    asked_ = d;
    x_ = x;
    iterations_ = 0;
    check(cudaMemsetAsync(x, 0, static_cast<std::size_t>(n_) * sizeof(double), by_.stream()),
          "cudaMemsetAsync");
    by_.copy(n_, b, words(r_));
    double last = norm_of_r();
    threshold_ = d.tolerance * last;
    const auto outcome = [&](bool claims, const char* status) {
        check(cudaStreamSynchronize(by_.stream()), "cudaStreamSynchronize");
        return solve_outcome{claims, status, iterations_, seconds_since(begin_)};
    };
    while (true) {
        switch (d.method == krylov_method::cg ? cg() : bicgstab()) {
        case end::breakdown:
            return outcome(false, "breakdown");
        case end::not_finite:
            return outcome(false, "not finite");
        case end::iteration_limit:
            return outcome(false, "iteration limit");
        case end::time_limit:
            return outcome(false, "time limit");
        case end::met:
            break;
        }
        const double now = residual(b);
        if (now <= threshold_) return outcome(true, "converged");
        if (!(now <= last / 2)) return outcome(false, "stagnated");
        last = now;
    }
}

}  // namespace bench
