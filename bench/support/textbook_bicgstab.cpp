#include "textbook_bicgstab.hpp"

namespace bench {

namespace {

constexpr double tolerance = 0;  // as in the solves that this is compared with
constexpr double one = 1;

double* words(ddla::vector<double>& x)
{
    return x.view().word(0);
}

}  // namespace

textbook_bicgstab::textbook_bicgstab(const rivals& by, const cusparse_matrix& a)
    : by_(by), a_(a), n_(a.rows()), r_(n_, there), r0_(n_, there), p_(n_, there), v_(n_, there),
      t_(n_, there)
{
}

void textbook_bicgstab::start(const double* b, double* x)
{
    by_.scalars_on_host();
    x_ = x;
    check(cudaMemsetAsync(x, 0, static_cast<std::size_t>(n_) * sizeof(double), by_.stream()),
          "cudaMemsetAsync");
    by_.copy(n_, b, words(r_));
    by_.copy(n_, b, words(r0_));
    double norm = 0;
    by_.nrm2(n_, words(r_), &norm);
    threshold_ = tolerance * norm;
    first_ = true;
}

/// beta = (rho / old rho) (alpha / omega), p = r + beta (p - omega v)
void textbook_bicgstab::next_direction()
{
    const double old_rho = rho_;
    by_.dot(n_, words(r0_), words(r_), &rho_);
    if (first_) {
        by_.copy(n_, words(r_), words(p_));
        first_ = false;
        return;
    }
    const double beta = (rho_ / old_rho) * (alpha_ / omega_), minus_omega = -omega_;
    by_.axpy(n_, &minus_omega, words(v_), words(p_));
    by_.scal(n_, &beta, words(p_));
    by_.axpy(n_, &one, words(r_), words(p_));
}

/// s takes the place of r: two vectors less to copy than with a vector of its own.
void textbook_bicgstab::iterate(int times)
{
    by_.scalars_on_host();
    for (int k = 0; k < times; ++k) {
        next_direction();
        a_.multiply(words(p_), words(v_));
        double r0_v = 0, t_s = 0, t_t = 0, norm = 0;
        by_.dot(n_, words(r0_), words(v_), &r0_v);
        alpha_ = rho_ / r0_v;
        const double minus_alpha = -alpha_;
        by_.axpy(n_, &alpha_, words(p_), x_);
        by_.axpy(n_, &minus_alpha, words(v_), words(r_));
        by_.nrm2(n_, words(r_), &norm);
        if (norm < threshold_) return;

        a_.multiply(words(r_), words(t_));
        by_.dot(n_, words(t_), words(r_), &t_s);
        by_.dot(n_, words(t_), words(t_), &t_t);
        omega_ = t_s / t_t;
        const double minus_omega = -omega_;
        by_.axpy(n_, &omega_, words(r_), x_);
        by_.axpy(n_, &minus_omega, words(t_), words(r_));
        by_.nrm2(n_, words(r_), &norm);
        if (norm < threshold_) return;
    }
}

}  // namespace bench
