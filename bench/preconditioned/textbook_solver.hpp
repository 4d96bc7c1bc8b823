// Preconditioned BiCGStab and CG from calls of cuBLAS and cuSPARSE as one writes them down: scalars
// on the host.
#pragma once

#include "cusparse_factors.hpp"
#include "support/cusparse_matrix.hpp"

namespace bench {

class textbook_solver {
public:
    textbook_solver(const rivals& by, const cusparse_matrix& a, const cusparse_factors& k);

    /// From x = 0.  Where the residual of the recurrence meets the tolerance, that of x is computed
    /// in double; if it does not meet it, the method begins again from x, unless the last such
    /// beginning did not halve the residual.  The true residual is left to the caller.
    solve_outcome solve(const demand& d, const double* b, double* x);

private:
    enum class end { met, breakdown, not_finite, iteration_limit, time_limit };

    end bicgstab();
    end cg();
    /// Whether the loop goes on after a norm; else why not.
    bool ended(double norm, end& why) const;
    void next_direction(double rho, double old_rho, double alpha, double omega, bool first);
    /// r = b - A x; its norm.
    double residual(const double* b);
    double dot(const ddla::vector<double>& x, const ddla::vector<double>& y) const;
    double norm_of_r() const;
    void axpy(double a, const ddla::vector<double>& x, double* y) const;

    const rivals& by_;
    const cusparse_matrix& a_;
    const cusparse_factors& k_;
    std::int64_t n_;
    mutable ddla::vector<double> r_, r0_, p_, v_, t_, p_hat_, s_hat_;
    double* x_ = nullptr;
    double threshold_ = 0;
    std::int64_t iterations_ = 0;
    demand asked_{};
    bench_clock::time_point begin_{};
};

}  // namespace bench
