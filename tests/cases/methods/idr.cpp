// IDR(s) by the public call against a serial program over QD; one text for every place.
#include "support/both_ways.hpp"

#include "ddla/generate.hpp"

#include <cstdint>

using dd = ddla::dd_real;  // QD has a ::dd_real
using ddla::method;
using test::both_ways;
using test::every_kind;
using test::kind;

namespace oracle {
namespace {

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

const added_program of_idr(method::idr, []<class Q>(const system<Q>& q) {
    return idr(q.multiply, q.precondition, q.b, q.x, std::size_t(q.options.s), q.iterations());
});

}  // namespace
}  // namespace oracle

TEMPLATE_TEST_CASE("IDR(s), every iterate", "[solvers]", double, dd)
{
    const both_ways<TestType> system{ddla::generate::convection_diffusion(7, 8, 9)};
    for (const kind k : every_kind)
        for (const int s : {1, 2, 4, 9})
            for (int iterations = 1; iterations <= 5; ++iterations)
                system.check(k, {.method = method::idr, .max_iterations = iterations, .s = s});
}
