// The scalars of BiCGStab(l): those of its BiCG steps, and the polynomial of its residual.
#pragma once

#include "claims.hpp"

namespace ddla::steps::bicgstabl {

/// Numbers of the minimal residual part, at the place.  Index 1 of the paper is 0 here.
template <class T>
struct polynomial {
    index_t l;
    T *tau, *sigma;          ///< l x l by columns; l
    T* least;                ///< gamma', by which r_0 becomes smallest; l
    T *gamma, *of_solution;  ///< gamma, and gamma_1 before gamma''; l each

    /// (r_j, r_0) / sigma_j; a vector that vanishes takes no part.
    DDLA_HD void measure(index_t j, T square, T with_residual) const
    {
        sigma[j] = square;
        least[j] = square == T(0) ? T(0) : with_residual / square;
    }
    DDLA_HD T projected(index_t i, T product) const
    {
        return sigma[i] == T(0) ? T(0) : product / sigma[i];
    }
    DDLA_HD T tau_of(index_t i, index_t j) const { return tau[i + j * l]; }

    /// gamma and gamma'' from gamma' and tau; sums in ascending order.
    DDLA_HD void solve() const
    {
        for (index_t j = l; j-- > 0;) {
            T sum = least[j];
            for (index_t i = j + 1; i < l; ++i) sum = sum - tau_of(j, i) * gamma[i];
            gamma[j] = sum;
        }
        of_solution[0] = gamma[0];
        for (index_t j = 0; j + 1 < l; ++j) {
            T sum = gamma[j + 1];
            for (index_t i = j + 1; i + 1 < l; ++i) sum = sum + tau_of(j, i) * gamma[i + 1];
            of_solution[j + 1] = sum;
        }
    }
};

template <class T, class Memory>
polynomial<T> room_for_polynomial(Memory& memory, index_t l)
{
    T* next = memory.template objects<T>(l * l + 4 * l);
    const auto take = [&](index_t count) {
        T* const mine = next;
        next += count;
        return mine;
    };
    return {l, take(l * l), take(l), take(l), take(l), take(l)};
}

/// What a step multiplies by.
enum class factor { alpha, beta, tau };

template <class T>
struct scalars : checked_scalars<T> {
    T rho, alpha, beta, tau;
    index_t l;

    DDLA_HD T operator[](factor which) const
    {
        return which == factor::alpha ? alpha : which == factor::beta ? beta : tau;
    }
    /// Begin, or begin anew, with r = r_0 and |r|^2, unless the solve has ended.
    DDLA_HD void open(T residual2, index_t degree)
    {
        this->begin(residual2);
        l = degree;
        rho = residual2;
        alpha = beta = T(0);
    }
    /// alpha = rho / (r0, v)
    DDLA_HD void set_alpha(T r0_v)
    {
        this->control.require_finite(r0_v, named_scalar::r0_v);
        this->control.require_nonzero(r0_v, named_scalar::r0_v);
        alpha = rho / r0_v;
        this->control.require_finite(alpha, named_scalar::alpha);
        this->check_if_stopped();
    }
    /// beta for (r_j, r0), times `ratio`
    DDLA_HD void set_beta(T next, T ratio)
    {
        this->control.require_finite(next, named_scalar::rho);
        this->control.require_nonzero(next, named_scalar::rho);
        beta = (next / rho) * ratio;
        rho = next;
    }
    /// r_0 = r - alpha v, of |r_0|^2: an answer here ends the iteration.
    DDLA_HD void see_residual(T residual2)
    {
        if (residual2 <= this->control.target2) this->control.advance(residual2);
        this->control.require_finite(residual2, named_scalar::residual);
        this->check_if_stopped();
    }
    /// The end of an iteration; omega is the last gamma.
    DDLA_HD void end_iteration(T residual2, T next, T omega)
    {
        this->control.advance(residual2);
        this->control.require_finite(omega, named_scalar::omega);
        this->control.require_nonzero(omega, named_scalar::omega);
        set_beta(next, -(alpha / omega));
        this->control.respect_limit();
        this->check_if_stopped();
    }
};

}  // namespace ddla::steps::bicgstabl
