// MINRES by the public call against a serial program over QD; one text for every place.
#include "support/both_ways.hpp"
#include "support/shapes.hpp"

using dd = ddla::dd_real;  // QD has a ::dd_real
using ddla::method;
using test::both_ways;
using test::every_kind;
using test::kind;

namespace oracle {
namespace {

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

const added_program of_minres(method::minres, []<class Q>(const system<Q>& q) {
    return minres(q.multiply, q.precondition, q.b, q.x, q.iterations());
});

}  // namespace
}  // namespace oracle

TEMPLATE_TEST_CASE("MINRES, every iterate", "[solvers]", double, dd)
{
    const both_ways<TestType> system{test::indefinite_grid(19, 23)};
    for (const kind k : every_kind)
        for (int iterations = 1; iterations <= 14; ++iterations)
            system.check(k, {.method = method::minres, .max_iterations = iterations});
}
