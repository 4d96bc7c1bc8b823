// The scalars of IDR(s): how residuals and their images lie to the shadow space.
#pragma once

#include "claims.hpp"

namespace ddla::steps::idr {

/// Numbers of one solve, at the place.
template <class T>
struct shadow_products {
    index_t s;
    T* mu;     ///< P^T G by columns, lower triangular; s x s
    T* phi;    ///< P^T r; s
    T* gamma;  ///< M gamma = phi; s
    T* image;  ///< P^T A u, then what makes g orthogonal; s

    DDLA_HD T* column(index_t k) const { return mu + k * s; }
    DDLA_HD void reset() const
    {
        for (index_t k = 0; k < s * s; ++k) mu[k] = T(0);
        for (index_t k = 0; k < s; ++k) column(k)[k] = T(1);
    }
    /// gamma_k ... gamma_s-1; sums in ascending order of columns.
    DDLA_HD void solve(index_t k) const
    {
        for (index_t i = k; i < s; ++i) {
            T sum = phi[i];
            for (index_t l = k; l < i; ++l) sum = sum - column(l)[i] * gamma[l];
            gamma[i] = sum / column(i)[i];
        }
    }
    /// image_i = the alpha by which g_k loses g_i, for i < k.
    DDLA_HD void orthogonalise(index_t k) const
    {
        for (index_t i = 0; i < k; ++i) {
            T sum = image[i];
            for (index_t l = 0; l < i; ++l) sum = sum - column(l)[i] * image[l];
            image[i] = sum / column(i)[i];
        }
    }
};

template <class T, class Memory>
shadow_products<T> room_for_products(Memory& memory, index_t s)
{
    T* const all = memory.template objects<T>(s * s + 3 * s);
    return {s, all, all + s * s, all + s * s + s, all + s * s + 2 * s};
}

template <class T>
struct scalars : checked_scalars<T> {
    T omega, beta;
    T residual2;   ///< |r|^2 of the last direction
    index_t s, k;  ///< k: the direction that is made

    /// Begin, or begin anew.
    DDLA_HD void open(T r2, const shadow_products<T>& m)
    {
        this->begin(r2);
        s = m.s, k = 0;
        omega = T(1);
        m.reset();
    }
    /// beta = phi_k / mu_kk, and phi of the residual after that step.
    DDLA_HD void set_beta(const shadow_products<T>& m)
    {
        const T* const mu = m.column(k);
        this->control.require_finite(mu[k], named_scalar::mu);
        this->control.require_nonzero(mu[k], named_scalar::mu);
        this->check_if_stopped();
        beta = m.phi[k] / mu[k];
        for (index_t i = k + 1; i < s; ++i) m.phi[i] = m.phi[i] - beta * mu[i];
    }
    /// Within an iteration: an answer ends it.
    DDLA_HD void see_residual(T r2)
    {
        residual2 = r2;
        if (r2 <= this->control.target2) this->control.advance(r2);
        this->control.require_finite(r2, named_scalar::residual);
        this->check_if_stopped();
    }
    /// omega = (t, r) / (t, t), longer where t and r are nearly orthogonal (Sleijpen and van der
    /// Vorst 1995, kappa = 0.7).
    DDLA_HD void set_omega(T tt, T tr)
    {
        using std::sqrt;
        this->control.require_finite(tt, named_scalar::omega);
        omega = tt == T(0) ? T(0) : tr / tt;
        const T cosine2 = omega * tr, least = T(0.49) * residual2;
        if (cosine2 > T(0) && cosine2 < least) omega = omega * sqrt(least / cosine2);
        this->control.require_finite(omega, named_scalar::omega);
        this->check_if_stopped();
    }
    DDLA_HD void end_iteration(T r2)
    {
        this->control.advance(r2);
        this->control.require_nonzero(omega, named_scalar::omega);
        this->control.respect_limit();
        this->check_if_stopped();
    }
};

}  // namespace ddla::steps::idr
