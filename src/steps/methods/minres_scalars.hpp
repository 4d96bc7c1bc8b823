// The scalars of MINRES: a column of the Lanczos matrix, and the rotation that takes it to R.
#pragma once

#include "claims.hpp"

namespace ddla::steps::minres {

template <class T>
struct scalars : checked_scalars<T> {
    T alpha, beta, beta_before;                              ///< of Lanczos; beta of the vector r2
    T inverse_beta;                                          ///< 0 if beta is
    T before, over_beta;                                     ///< what t loses of r1 and of r2
    T cosine, sine;                                          ///< of the last rotation
    T dbar, epsilon, phibar;                                 ///< as in the paper's successor codes
    T of_w1, of_w2, inverse_gamma, phi, shrink, of_lanczos;  ///< of the update

    /// Begin, or begin anew, with beta^2 = (r2, K^-1 r2), unless the solve has ended.
    DDLA_HD void open(T beta2)
    {
        require_definite(beta2);
        this->control.require_nonzero(beta2, named_scalar::r_z);
        this->check_if_stopped();
        if (this->control.stopped()) return;
        beta_before = before = T(0);
        set_beta(beta2);
        cosine = T(-1), sine = T(0);
        dbar = epsilon = T(0);
        phibar = beta;
    }
    DDLA_HD void set_alpha(T value)
    {
        alpha = value;
        this->control.require_finite(alpha, named_scalar::alpha);
        over_beta = alpha * inverse_beta;
        this->check_if_stopped();
    }
    /// The next beta^2 completes a column; then x can follow.
    DDLA_HD void rotate(T beta2)
    {
        using std::sqrt;
        require_definite(beta2);
        if (this->control.stopped()) return this->check_if_stopped();
        beta_before = beta;
        set_beta(beta2);
        before = inverse_beta == T(0) ? T(0) : beta / beta_before;
        of_w1 = epsilon;
        of_w2 = cosine * dbar + sine * alpha;
        const T gbar = sine * dbar - cosine * alpha;
        epsilon = sine * beta;
        dbar = -(cosine * beta);
        const T gamma = sqrt(gbar * gbar + beta * beta);
        this->control.require_finite(gamma, named_scalar::gamma);
        this->control.require_nonzero(gamma, named_scalar::gamma);
        this->check_if_stopped();
        inverse_gamma = T(1) / gamma;
        cosine = gbar / gamma;
        sine = beta / gamma;
        phi = cosine * phibar;
        phibar = sine * phibar;
        shrink = sine * sine;
        of_lanczos = phibar * cosine * inverse_beta;
    }
    /// The end of an iteration.
    DDLA_HD void end_iteration(T residual2)
    {
        this->control.advance(residual2);
        this->control.respect_limit();
        this->check_if_stopped();
    }

private:
    /// (r, K^-1 r) < 0: K is not positive definite.
    DDLA_HD void require_definite(T beta2)
    {
        this->control.require_finite(beta2, named_scalar::r_z);
        if (!this->control.stopped() && beta2 < T(0))
            this->control.stop(end_of_solve::breakdown, named_scalar::r_z);
    }
    DDLA_HD void set_beta(T beta2)
    {
        using std::sqrt;
        beta = sqrt(beta2);
        inverse_beta = beta == T(0) ? T(0) : T(1) / beta;
    }
};

}  // namespace ddla::steps::minres
