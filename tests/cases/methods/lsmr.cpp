// LSMR by the public call against a serial program over QD; one text for every place.
#include "support/both_ways.hpp"
#include "support/shapes.hpp"

using dd = ddla::dd_real;  // QD has a ::dd_real
using ddla::index_t;
using ddla::method;
using test::both_ways;
using test::kind;

namespace oracle {
namespace {

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

const added_program of_lsmr(method::lsmr, []<class Q>(const system<Q>& q) {
    return lsmr(q.multiply, q.transposed, q.b, q.x, q.iterations());
});

}  // namespace
}  // namespace oracle

TEMPLATE_TEST_CASE("LSMR, every iterate", "[solvers]", double, dd)
{
    const auto lengths = [](index_t i) { return 1 + i % 6; };
    for (const auto& [rows, columns] :
         {std::pair<index_t, index_t>{900, 400}, {400, 400}, {300, 700}}) {
        const both_ways<TestType> system{test::random_matrix<double>(rows, columns, 153, lengths)};
        for (int iterations = 1; iterations <= 9; ++iterations)
            system.check(kind::none, {.method = method::lsmr, .max_iterations = iterations});
    }
}
