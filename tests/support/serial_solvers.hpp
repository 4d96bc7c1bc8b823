// BiCGStab and CG as serial programs over QD's dd_real: the textbook line by line, with the
// summation rule of the oracle.  Shares no code with ddla.
#pragma once

#include "oracle.hpp"

namespace oracle {

template <class Q>
struct bicgstab {
    std::vector<Q> x, r, r0, p, v, s, t;
    Q rho, alpha, omega, beta, rr, bb;

    template <class V>
    bicgstab(const ddla::csr_matrix<V>& a, const std::vector<Q>& b, std::vector<Q> guess)
        : x(std::move(guess))
    {
        const auto ax = product(a, x);
        for (std::size_t i = 0; i < b.size(); ++i) r.push_back(b[i] - ax[i]);
        r0 = p = r;
        s = t = v = r;
        rho = dot(r, r);
        rr = rho;
        bb = dot(b, b);
    }

    /// One iteration; d is the inverse diagonal of Jacobi, or empty.
    template <class V>
    void iterate(const ddla::csr_matrix<V>& a, const std::vector<Q>& d)
    {
        iterate_with(a, [&](const std::vector<Q>& z) {
            std::vector<Q> y = z;
            for (std::size_t i = 0; i < d.size(); ++i) y[i] = d[i] * z[i];
            return y;
        });
    }
    /// … with K^-1 as a function.
    template <class V, class Precondition>
    void iterate_with(const ddla::csr_matrix<V>& a, const Precondition& precondition)
    {
        const std::vector<Q> p_hat = precondition(p);
        v = product(a, p_hat);
        alpha = divide(rho, dot(r0, v));
        for (std::size_t i = 0; i < x.size(); ++i) s[i] = r[i] - alpha * v[i];
        const std::vector<Q> s_hat = precondition(s);
        t = product(a, s_hat);
        omega = divide(dot(t, s), dot(t, t));
        for (std::size_t i = 0; i < x.size(); ++i) {
            x[i] = x[i] + (alpha * p_hat[i] + omega * s_hat[i]);
            r[i] = s[i] - omega * t[i];
        }
        const Q rho_next = dot(r0, r);
        rr = dot(r, r);
        beta = divide(rho_next, rho) * divide(alpha, omega);
        rho = rho_next;
        for (std::size_t i = 0; i < x.size(); ++i) p[i] = r[i] + beta * (p[i] - omega * v[i]);
    }
};

template <class Q>
struct cg {
    std::vector<Q> x, r, p, v;
    Q rho, alpha, beta, rr;

    template <class V>
    cg(const ddla::csr_matrix<V>& a, const std::vector<Q>& b, std::vector<Q> guess,
       const std::vector<Q>& d)
        : x(std::move(guess))
    {
        const auto ax = product(a, x);
        for (std::size_t i = 0; i < b.size(); ++i) r.push_back(b[i] - ax[i]);
        p = v = r;
        for (std::size_t i = 0; i < d.size(); ++i) p[i] = d[i] * r[i];
        rho = dot(r, p);
        rr = dot(r, r);
    }

    template <class V>
    void iterate(const ddla::csr_matrix<V>& a, const std::vector<Q>& d)
    {
        v = product(a, p);
        alpha = divide(rho, dot(p, v));
        std::vector<Q> z = r;
        for (std::size_t i = 0; i < x.size(); ++i) {
            x[i] = x[i] + alpha * p[i];
            r[i] = r[i] - alpha * v[i];
            z[i] = d.empty() ? r[i] : d[i] * r[i];
        }
        const Q rho_next = dot(r, z);
        rr = dot(r, r);
        beta = divide(rho_next, rho);
        rho = rho_next;
        for (std::size_t i = 0; i < x.size(); ++i) p[i] = z[i] + beta * p[i];
    }
};

/// What Jacobi multiplies by, as ddla's numbers.
template <class T>
ddla::vector<T> inverse_diagonal(const ddla::csr_matrix<double>& a)
{
    const auto d = ddla::diagonal(a);
    ddla::vector<T> inverse(d.size());
    for (ddla::index_t i = 0; i < d.size(); ++i)
        inverse.set(i, from(divide(to(T(1)), to(T(d[i])))));
    return inverse;
}

}  // namespace oracle
