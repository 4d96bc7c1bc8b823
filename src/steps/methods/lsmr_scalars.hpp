// The scalars of LSMR: two rotations an iteration, and estimates of |r| and |A^T r|.
#pragma once

#include "claims.hpp"

namespace ddla::steps::lsmr {

template <class T>
struct scalars : checked_scalars<T> {
    T norm_a;                       ///< of A as it is scaled, Frobenius
    T normal2_before;               ///< |A^T r|^2 where the iterations began
    T alpha, beta;                  ///< of the bidiagonalisation
    T inverse_alpha, inverse_beta;  ///< 0 if these are
    // The paper's names: with "bar" and "old".
    T alpha_bar, rho, rho_bar, c_bar, s_bar, zeta, zeta_bar;
    T of_h_bar, of_x, of_h;  ///< of the updates
    // Of the estimate of |r|, section 5.
    T beta_dd, beta_d, rho_d, tau_tilde, theta_tilde, residual2;

    /// Begin, or begin anew, with |r|^2; u = r.
    DDLA_HD void open(T r2)
    {
        this->begin(r2);
        if (!this->control.stopped()) set_beta(r2);
    }
    /// alpha^2 = |A^T u|^2: from there everything is known.
    DDLA_HD void open_normal(T alpha2)
    {
        this->control.require_finite(alpha2, named_scalar::alpha);
        this->check_if_stopped();
        if (this->control.stopped()) return;
        set_alpha(alpha2);
        normal2_before = alpha2 * beta * beta;
        alpha_bar = alpha, zeta_bar = alpha * beta;
        rho = rho_bar = c_bar = T(1), s_bar = zeta = T(0);
        beta_dd = beta, beta_d = T(0), rho_d = T(1);
        tau_tilde = theta_tilde = T(0);
        // b is orthogonal to the range of A: x is the answer.
        if (alpha == T(0)) this->control.stop(end_of_solve::recurrence_met);
        this->check_if_stopped();
    }
    DDLA_HD void next_beta(T beta2)
    {
        this->control.require_finite(beta2, named_scalar::beta);
        this->check_if_stopped();
        set_beta(beta2);
    }
    DDLA_HD void next_alpha(T alpha2)
    {
        this->control.require_finite(alpha2, named_scalar::alpha);
        this->check_if_stopped();
        set_alpha(alpha2);
        rotate();
    }
    /// The end of an iteration: an estimate that meets the tolerance is a claim.
    DDLA_HD void end_iteration()
    {
        this->control.advance(residual2);
        if (!this->control.stopped() && is_least(zeta_bar * zeta_bar, residual2))
            this->control.stop(end_of_solve::recurrence_met);
        this->control.respect_limit();
        this->check_if_stopped();
    }
    /// |r|^2 and |A^T r|^2 of x itself; true: begin anew.
    DDLA_HD bool judge_both(T r2, T normal2)
    {
        this->closing = 0;
        ++this->checks;
        steps::control<T>& now = this->control;
        const bool claimed = now.end == end_of_solve::recurrence_met;
        if (now.stopped() && !claimed) return false;
        now.end = end_of_solve::none;
        now.require_finite(normal2, named_scalar::residual);
        if (!now.stopped() && (r2 <= now.target2 || is_least(normal2, r2)))
            now.stop(end_of_solve::recurrence_met);
        now.respect_limit();
        // As in goes_on(): a false claim must have brought half.
        if (!now.stopped() && T(4) * normal2 > normal2_before)
            now.stop(end_of_solve::recurrence_met);
        return !now.stopped();
    }

private:
    DDLA_HD bool is_least(T normal2, T r2) const
    {
        const T limit = T(this->control.tolerance) * norm_a;
        return normal2 <= limit * limit * r2;
    }
    DDLA_HD static T inverse_of(T x) { return x == T(0) ? T(0) : T(1) / x; }
    DDLA_HD void set_beta(T beta2)
    {
        using std::sqrt;
        beta = sqrt(beta2);
        inverse_beta = inverse_of(beta);
    }
    DDLA_HD void set_alpha(T alpha2)
    {
        using std::sqrt;
        alpha = sqrt(alpha2);
        inverse_alpha = inverse_of(alpha);
    }
    DDLA_HD void rotate()
    {
        using std::sqrt;
        const T rho_old = rho, rho_bar_old = rho_bar, zeta_old = zeta;
        rho = sqrt(alpha_bar * alpha_bar + beta * beta);
        this->control.require_nonzero(rho, named_scalar::rho);
        const T c = alpha_bar / rho, s = beta / rho, theta = s * alpha;
        alpha_bar = c * alpha;
        const T theta_bar = s_bar * rho, rho_temp = c_bar * rho;
        rho_bar = sqrt(rho_temp * rho_temp + theta * theta);
        this->control.require_nonzero(rho_bar, named_scalar::rho);
        this->check_if_stopped();
        c_bar = rho_temp / rho_bar;
        s_bar = theta / rho_bar;
        zeta = c_bar * zeta_bar;
        zeta_bar = -(s_bar * zeta_bar);
        of_h_bar = (theta_bar / rho_old) * (rho / rho_bar_old);
        of_x = (zeta / rho) / rho_bar;
        of_h = theta / rho;
        estimate(c * beta_dd, theta_bar, zeta_old);
        beta_dd = -(s * beta_dd);
        residual2 = residual2 + beta_dd * beta_dd;
    }
    /// All of |r|^2 but for beta_dd.
    DDLA_HD void estimate(T beta_hat, T theta_bar, T zeta_old)
    {
        using std::sqrt;
        const T theta_old = theta_tilde;
        const T rho_tilde = sqrt(rho_d * rho_d + theta_bar * theta_bar);
        const T c = rho_d / rho_tilde, s = theta_bar / rho_tilde;
        theta_tilde = s * rho_bar;
        rho_d = c * rho_bar;
        beta_d = c * beta_hat - s * beta_d;
        tau_tilde = (zeta_old - theta_old * tau_tilde) / rho_tilde;
        const T rest = beta_d - (zeta - theta_tilde * tau_tilde) / rho_d;
        residual2 = rest * rest;
    }
};

}  // namespace ddla::steps::lsmr
