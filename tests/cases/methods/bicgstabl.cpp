// BiCGStab(l) by the public call against a serial program over QD; one text for every place.
#include "support/both_ways.hpp"

#include "ddla/generate.hpp"

using dd = ddla::dd_real;  // QD has a ::dd_real
using ddla::method;
using test::both_ways;
using test::every_kind;
using test::kind;

namespace oracle {
namespace {

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

const added_program of_bicgstabl(method::bicgstabl, []<class Q>(const system<Q>& q) {
    return bicgstabl(q.multiply, q.precondition, q.b, q.x, std::size_t(q.options.l),
                     q.iterations());
});

}  // namespace
}  // namespace oracle

TEMPLATE_TEST_CASE("BiCGStab(l), every iterate", "[solvers]", double, dd)
{
    const both_ways<TestType> system{ddla::generate::convection_diffusion(7, 8, 9)};
    for (const kind k : every_kind)
        for (const int l : {1, 2, 4})
            for (int iterations = 1; iterations <= 6; ++iterations)
                system.check(k,
                             {.method = method::bicgstabl, .max_iterations = iterations, .l = l});
}
