// BiCGStab(l), MINRES, IDR(s) and LSMR as serial programs over QD's dd_real, in the shape of
// serial_fgmres.hpp: no ends, so many iterations from a guess.  Shares no code with ddla.
#pragma once

#include "oracle.hpp"

#include <cstdint>
#include <functional>

namespace oracle {

template <class Q>
using map_of = std::function<std::vector<Q>(const std::vector<Q>&)>;
template <class Q>
using block_of = std::vector<std::vector<Q>>;

/// to = from + c v, by a difference if `minus`.
template <class Q>
std::vector<Q> plus(const std::vector<Q>& from, const Q& c, const std::vector<Q>& v)
{
    std::vector<Q> to = from;
    for (std::size_t i = 0; i < to.size(); ++i) to[i] = from[i] + c * v[i];
    return to;
}
template <class Q>
std::vector<Q> minus(const std::vector<Q>& from, const Q& c, const std::vector<Q>& v)
{
    std::vector<Q> to = from;
    for (std::size_t i = 0; i < to.size(); ++i) to[i] = from[i] - c * v[i];
    return to;
}
template <class Q>
std::vector<Q> times(const std::vector<Q>& v, const Q& c)
{
    std::vector<Q> to = v;
    for (Q& one : to) one = one * c;
    return to;
}
template <class Q>
std::vector<Q> residual(const map_of<Q>& multiply, const std::vector<Q>& b, const std::vector<Q>& x)
{
    std::vector<Q> r = multiply(x);
    for (std::size_t i = 0; i < b.size(); ++i) r[i] = b[i] - r[i];
    return r;
}

/// The minimal residual part of BiCGStab(l): gamma', gamma, gamma''.
template <class Q>
struct residual_polynomial {
    std::vector<Q> least, gamma, of_solution;

    explicit residual_polynomial(block_of<Q>& r)
    {
        const std::size_t l = r.size() - 1;
        std::vector<std::vector<Q>> tau(l + 1, std::vector<Q>(l + 1, Q(0.0)));
        std::vector<Q> sigma(l + 1, Q(0.0));
        least = gamma = of_solution = std::vector<Q>(l + 1, Q(0.0));
        for (std::size_t j = 1; j <= l; ++j) {
            for (std::size_t i = 1; i < j; ++i) {
                tau[i][j] = divide(dot(r[j], r[i]), sigma[i]);
                r[j] = minus(r[j], tau[i][j], r[i]);
            }
            sigma[j] = dot(r[j], r[j]);
            least[j] = divide(dot(r[0], r[j]), sigma[j]);
        }
        for (std::size_t j = l; j >= 1; --j) {
            gamma[j] = least[j];
            for (std::size_t i = j + 1; i <= l; ++i) gamma[j] = gamma[j] - tau[j][i] * gamma[i];
        }
        for (std::size_t j = 1; j < l; ++j) {
            of_solution[j] = gamma[j + 1];
            for (std::size_t i = j + 1; i < l; ++i)
                of_solution[j] = of_solution[j] + tau[j][i] * gamma[i + 1];
        }
    }
};

template <class Q>
std::vector<Q> bicgstabl(const map_of<Q>& multiply, const map_of<Q>& precondition,
                         const std::vector<Q>& b, const std::vector<Q>& x, std::size_t l,
                         int iterations)
{
    block_of<Q> r(l + 1, residual(multiply, b, x)), u(l + 1, std::vector<Q>(x.size(), Q(0.0)));
    const std::vector<Q> shadow = r[0];
    std::vector<Q> y(x.size(), Q(0.0));
    Q rho = dot(r[0], r[0]), alpha(0.0), beta(0.0);
    for (; iterations > 0; --iterations) {
        for (std::size_t j = 0; j < l; ++j) {
            for (std::size_t i = 0; i <= j; ++i) u[i] = minus(r[i], beta, u[i]);
            u[j + 1] = multiply(precondition(u[j]));
            alpha = divide(rho, dot(u[j + 1], shadow));
            for (std::size_t i = 0; i <= j; ++i) r[i] = minus(r[i], alpha, u[i + 1]);
            y = plus(y, alpha, u[0]);
            r[j + 1] = multiply(precondition(r[j]));
            if (j + 1 == l) continue;
            const Q next = dot(r[j + 1], shadow);
            beta = divide(next, rho) * alpha;
            rho = next;
        }
        const residual_polynomial<Q> p(r);
        y = plus(y, p.gamma[1], r[0]);
        for (std::size_t j = 1; j < l; ++j) y = plus(y, p.of_solution[j], r[j]);
        for (std::size_t j = 1; j <= l; ++j) u[0] = minus(u[0], p.gamma[j], u[j]);
        for (std::size_t j = 1; j <= l; ++j) r[0] = minus(r[0], p.least[j], r[j]);
        const Q next = dot(shadow, r[0]);
        beta = divide(next, rho) * (-divide(alpha, p.gamma[l]));
        rho = next;
    }
    return plus(x, Q(1.0), precondition(y));
}

template <class Q>
std::vector<Q> minres(const map_of<Q>& multiply, const map_of<Q>& precondition,
                      const std::vector<Q>& b, std::vector<Q> x, int iterations)
{
    const std::vector<Q> nothing(x.size(), Q(0.0));
    std::vector<Q> r1 = nothing, r2 = residual(multiply, b, x), w1 = nothing, w2 = nothing;
    std::vector<Q> z = precondition(r2);
    Q beta = sqrt(dot(r2, z)), before(0.0), cosine(-1.0), sine(0.0), dbar(0.0), epsilon(0.0);
    Q phibar = beta;
    for (; iterations > 0; --iterations) {
        const std::vector<Q> v = times(z, Q(divide(Q(1.0), beta)));
        std::vector<Q> t = minus(multiply(v), before, r1);
        const Q alpha = dot(v, t);
        t = minus(t, Q(alpha * divide(Q(1.0), beta)), r2);
        r1 = r2;
        r2 = t;
        z = precondition(r2);
        const Q next = sqrt(dot(r2, z));
        before = divide(next, beta);
        beta = next;
        const Q of_w1 = epsilon, of_w2 = cosine * dbar + sine * alpha;
        const Q gbar = sine * dbar - cosine * alpha;
        epsilon = sine * beta;
        dbar = -(cosine * beta);
        const Q gamma = sqrt(gbar * gbar + beta * beta);
        cosine = divide(gbar, gamma);
        sine = divide(beta, gamma);
        const Q phi = cosine * phibar;
        phibar = sine * phibar;
        const std::vector<Q> w =
            times(minus(minus(v, of_w1, w1), of_w2, w2), Q(divide(Q(1.0), gamma)));
        x = plus(x, phi, w);
        w1 = w2;
        w2 = w;
    }
    return x;
}

/// Element `index` of column `column` of the shadow space: splitmix64 of both.
inline double shadow_number(std::uint64_t column, std::uint64_t index)
{
    std::uint64_t z = 0x9e3779b97f4a7c15u * (column + 1) + index;
    z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9u;
    z = (z ^ (z >> 27)) * 0x94d049bb133111ebu;
    z = z ^ (z >> 31);
    return std::ldexp(double(z >> 11), -52) - 1;
}

template <class Q>
struct idr_solve {
    std::size_t s;
    block_of<Q> p, g, u, m;  ///< m[k]: column k
    std::vector<Q> phi, r, x;
    Q omega{1.0};

    void direction(const map_of<Q>& multiply, const map_of<Q>& precondition, std::size_t k)
    {
        std::vector<Q> gamma(s, Q(0.0)), v = r, sum(r.size(), Q(0.0));
        for (std::size_t i = k; i < s; ++i) {
            gamma[i] = phi[i];
            for (std::size_t j = k; j < i; ++j) gamma[i] = gamma[i] - m[j][i] * gamma[j];
            gamma[i] = divide(gamma[i], m[i][i]);
        }
        for (std::size_t i = k; i < s; ++i) v = minus(v, gamma[i], g[i]);
        for (std::size_t i = k; i < s; ++i) sum = plus(sum, gamma[i], u[i]);
        u[k] = plus(sum, omega, precondition(v));
        g[k] = multiply(u[k]);
        std::vector<Q> alpha;
        for (std::size_t i = 0; i < k; ++i) {
            alpha.push_back(dot(p[i], g[k]));
            for (std::size_t j = 0; j < i; ++j) alpha[i] = alpha[i] - m[j][i] * alpha[j];
            alpha[i] = divide(alpha[i], m[i][i]);
        }
        for (std::size_t i = 0; i < k; ++i) g[k] = minus(g[k], alpha[i], g[i]);
        for (std::size_t i = 0; i < k; ++i) u[k] = minus(u[k], alpha[i], u[i]);
        for (std::size_t i = 0; i < s; ++i) m[k][i] = dot(p[i], g[k]);
        const Q beta = divide(phi[k], m[k][k]);
        for (std::size_t i = k + 1; i < s; ++i) phi[i] = phi[i] - beta * m[k][i];
        r = minus(r, beta, g[k]);
        x = plus(x, beta, u[k]);
    }
};

template <class Q>
std::vector<Q> idr(const map_of<Q>& multiply, const map_of<Q>& precondition,
                   const std::vector<Q>& b, const std::vector<Q>& x, std::size_t s, int iterations)
{
    const block_of<Q> nothing(s, std::vector<Q>(x.size(), Q(0.0)));
    idr_solve<Q> now{s, nothing, nothing, nothing, {}, {}, residual(multiply, b, x), x};
    for (std::size_t k = 0; k < s; ++k) {
        for (std::size_t i = 0; i < x.size(); ++i) now.p[k][i] = Q(shadow_number(k, i));
        now.m.emplace_back(s, Q(0.0));
        now.m[k][k] = Q(1.0);
    }
    for (; iterations > 0; --iterations) {
        now.phi.clear();
        for (const auto& one : now.p) now.phi.push_back(dot(one, now.r));
        for (std::size_t k = 0; k < s; ++k) now.direction(multiply, precondition, k);
        const std::vector<Q> hat = precondition(now.r), t = multiply(hat);
        const Q tt = dot(t, t), tr = dot(t, now.r), rr = dot(now.r, now.r);
        now.omega = divide(tr, tt);
        const Q cosine2 = now.omega * tr, least = Q(0.49) * rr;
        if (cosine2 < least) now.omega = now.omega * sqrt(divide(least, cosine2));
        now.r = minus(now.r, now.omega, t);
        now.x = plus(now.x, now.omega, hat);
    }
    return now.x;
}

template <class Q>
std::vector<Q> lsmr(const map_of<Q>& multiply, const map_of<Q>& transposed, const std::vector<Q>& b,
                    std::vector<Q> x, int iterations)
{
    const auto length = [](const std::vector<Q>& v) { return Q(sqrt(dot(v, v))); };
    const auto normalised = [](const std::vector<Q>& v, const Q& norm) {
        return times(v, Q(divide(Q(1.0), norm)));
    };
    std::vector<Q> u = residual(multiply, b, x);
    Q beta = length(u);
    u = normalised(u, beta);
    std::vector<Q> v = transposed(u);
    Q alpha = length(v);
    v = normalised(v, alpha);
    std::vector<Q> h = v, h_bar(x.size(), Q(0.0));
    Q alpha_bar = alpha, zeta_bar = alpha * beta, rho(1.0), rho_bar(1.0), c_bar(1.0), s_bar(0.0);
    for (; iterations > 0; --iterations) {
        u = minus(multiply(v), alpha, u);
        beta = length(u);
        u = normalised(u, beta);
        v = minus(transposed(u), beta, v);
        alpha = length(v);
        v = normalised(v, alpha);
        const Q rho_old = rho, rho_bar_old = rho_bar;
        rho = sqrt(alpha_bar * alpha_bar + beta * beta);
        const Q c = divide(alpha_bar, rho), s = divide(beta, rho), theta = s * alpha;
        alpha_bar = c * alpha;
        const Q theta_bar = s_bar * rho, rho_temp = c_bar * rho;
        rho_bar = sqrt(rho_temp * rho_temp + theta * theta);
        c_bar = divide(rho_temp, rho_bar);
        s_bar = divide(theta, rho_bar);
        const Q zeta = c_bar * zeta_bar;
        zeta_bar = -(s_bar * zeta_bar);
        h_bar = minus(h, Q(divide(theta_bar, rho_old) * divide(rho, rho_bar_old)), h_bar);
        x = plus(x, Q(divide(divide(zeta, rho), rho_bar)), h_bar);
        h = minus(v, Q(divide(theta, rho)), h);
    }
    return x;
}

}  // namespace oracle
