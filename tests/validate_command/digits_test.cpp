// Right digits and backward errors against exact rationals.
#include "catch.hpp"
#include "measures.hpp"
#include "rationals.hpp"

#include <limits>

using namespace ddla::validate;
using namespace validate_test;
using ddla::index_t;

namespace {

mp_vector numbers(const std::vector<double>& values)
{
    mp_vector x;
    for (const double v : values) x.push_back(mp_number(300, v));
    return x;
}

mpq_class largest(const rational_vector& x)
{
    mpq_class most = 0;
    for (const mpq_class& e : x)
        if (abs(e) > most) most = abs(e);
    return most;
}

}  // namespace

TEST_CASE("digits are counted in each component and in the maximum norm")
{
    const mp_vector reference = numbers({1, -4, 1000, 0x1p-900});
    const ddla::vector<double> x{1 + 0x1p-20, -4, 1000 + 1e-5, 0x1p-900 * (1 + 0x1p-40)};
    const right_digits d = compare(x, reference);
    CHECK(d.worst == Approx(20 * std::log10(2.0)));
    CHECK(d.median == Approx(8).epsilon(1e-3));
    CHECK(d.normwise == Approx(8).epsilon(1e-3));
    CHECK(d.error == Approx(1e-8).epsilon(1e-3));
    CHECK(d.histogram[6] == 1);
    CHECK(d.histogram[12] == 1);
    CHECK(d.histogram[most_digits] == 1);
    CHECK(d.tiny == 0);
    REQUIRE(d.worst_five.size() == 3);
    CHECK(d.worst_five[0].index == 1);
    CHECK(d.worst_five[1].index == 3);
    CHECK(d.worst_five[2].index == 4);
    CHECK(d.worst_five[1].reference == "1.000000000000000000000000000000000e+03");
    CHECK(std::stod(d.worst_five[1].x) == 1000 + 1e-5);
}

TEST_CASE("double-double has the digits of both words")
{
    const mp_vector reference = numbers({3});
    const ddla::vector<ddla::dd_real> x{ddla::dd_real(3, 0x1p-80)};
    CHECK(compare(x, reference).worst == Approx(80 * std::log10(2.0) + std::log10(3.0)));
    CHECK(compare(ddla::vector<ddla::dd_real>{ddla::dd_real(3)}, reference).worst == most_digits);
    const auto printed = [&](ddla::dd_real value) {
        return compare(ddla::vector<ddla::dd_real>{value}, reference).worst_five.at(0).x;
    };
    CHECK(printed(40) == "4.0e+01");
    CHECK(printed(2.75) == "2.75e+00");
    CHECK(printed(ddla::dd_real(3, 0x1p-80)) == "3.0000000000000000000000008271806e+00");
}

TEST_CASE("zeros and tiny components of the reference are judged like others")
{
    const double least = std::numeric_limits<double>::denorm_min();
    mp_vector reference = numbers({0, 0, 0x1p-1060, 0x1p-1060, 1});
    for (const long exponent : {-2000L, -4000L}) {  // no double; and zero, as far as one can know
        reference.push_back(mp_number(64, 1.0));
        mpfr_set_ui_2exp(reference.back().get(), 1, exponent, MPFR_RNDN);
    }
    const ddla::vector<double> x{0, -least, 0x1p-1060, 0x1p-1060 + 4 * least, 1, 0, 0};
    const right_digits d = compare(x, reference);
    CHECK(d.tiny == 6);
    CHECK(d.wrong_tiny == 2);
    CHECK(d.worst == 0);
    REQUIRE(d.worst_five.size() == 3);
    CHECK(d.worst_five[0].index == 2);
    CHECK(d.worst_five[1].index == 6);
    CHECK(d.worst_five[2].index == 4);
    CHECK(d.worst_five[2].digits == Approx(12 * std::log10(2.0)));
    CHECK(d.histogram[0] == 2);
    CHECK(d.histogram[most_digits] == 4);
    CHECK(compare(ddla::vector<double>{least}, numbers({0})).normwise == 0);
    CHECK(compare(ddla::vector<double>{0.0}, numbers({0})).normwise == most_digits);
    CHECK(compare(ddla::vector<double>{0x1p-1060 + 4 * least}, numbers({0x1p-1060})).normwise ==
          Approx(12 * std::log10(2.0)));
}

TEST_CASE("an x that is not finite has no digits and no backward error")
{
    const double inf = std::numeric_limits<double>::infinity();
    for (const double bad : {inf, -inf, std::nan("")}) {
        const ddla::vector<double> x{1, bad};
        const right_digits d = compare(x, numbers({1, 1}));
        CHECK(d.worst == 0);
        CHECK(d.normwise == 0);
        CHECK(d.histogram[0] == 1);
        const auto a = matrix({{1, 0}, {0, 1}});
        CHECK(std::isnan(look_back(a, {1.0, 1.0}, x, 0x1p-52).berr));
        CHECK(std::isnan(look_back(a, {1.0, 1.0}, x, 0x1p-52).eta));
    }
}

TEST_CASE("backward errors are those of exact rationals")
{
    const auto a = matrix({{3, -7, 1}, {0.1, 0.2, 0.3}, {1e-5, 0, 1e5}});
    const ddla::vector<double> b{1, 1, -2}, x{0.7, 0.1, 3};
    const auto exact_a = exact_matrix(a);
    const auto exact_b = exact_vector(b), exact_x = exact_vector(x);
    rational_vector r, norms;
    mpq_class omega = 0;
    for (std::size_t i = 0; i < 3; ++i) {
        mpq_class difference = exact_b[i], size = abs(exact_b[i]), norm = 0;
        for (std::size_t j = 0; j < 3; ++j) {
            difference -= exact_a[i][j] * exact_x[j];
            size += abs(exact_a[i][j] * exact_x[j]);
            norm += abs(exact_a[i][j]);
        }
        r.push_back(difference);
        norms.push_back(norm);
        const mpq_class row = abs(difference) / size;
        if (row > omega) omega = row;
    }
    const mpq_class eta = largest(r) / (largest(norms) * largest(exact_x) + largest(exact_b));
    const backward_errors e = look_back(a, b, x, 0x1p-52);
    CHECK(e.eta == Approx(eta.get_d()).epsilon(1e-14));
    CHECK(e.berr == Approx(omega.get_d()).epsilon(1e-14));
    CHECK(e.omega1 == e.berr);
    CHECK(e.omega2 == 0);
}

TEST_CASE("rows with a tiny denominator count for omega2, with a larger one")
{
    // Row 1: |A| |x| + |b| = 1e-30, far below ||A_1|| ||x|| = 1; its residual is -1e-30.
    const auto a = matrix({{1, 0}, {0, 1}});
    const backward_errors e = look_back(a, {0.0, 1.0}, ddla::vector<double>{1e-30, 1}, 0x1p-52);
    CHECK(e.berr == 1);
    CHECK(e.omega1 == 0);
    CHECK(e.omega2 == Approx(1e-30).epsilon(1e-12));
    CHECK(e.eta == Approx(0.5e-30).epsilon(1e-12));
}

TEST_CASE("in omega2 the norms stand for b, above the threshold it is omega1")
{
    // Row 1: |A| |x| + |b| = 0.1125, |r| = 0.0125, ||A_1||_1 ||x|| = 1; row 2 has no residual.
    const auto a = matrix({{1, 0}, {0, 1}});
    const ddla::vector<double> b{0.0625, 1.0}, x{0.05, 1.0};
    const auto at_threshold = [&](double share) {  // of ||A_i||_1 ||x|| + |b_i| = 1.0625
        return look_back(a, b, x, share / 2000);
    };
    const backward_errors below = at_threshold(0.1125 / 1.0625 * 1.001);
    CHECK(below.omega1 == 0);
    CHECK(below.omega2 == Approx(0.0125 / 1.05).epsilon(1e-14));
    const backward_errors above = at_threshold(0.1125 / 1.0625 * 0.999);
    CHECK(above.omega1 == Approx(0.0125 / 0.1125).epsilon(1e-14));
    CHECK(above.omega2 == 0);
}

TEST_CASE("bound and Skeel's condition are those of the exact inverse")
{
    const auto a = hilbert(5);
    const auto exact_a = exact_matrix(a);
    const ddla::vector<double> b(5, 1.0);
    reference_limits limits;
    limits.bytes = 1 << 20;
    const reference ref =
        make_reference(a, b, "a", limits, [](const reference_progress&) { return true; });
    const auto truth = exact_solution(exact_a, exact_vector(b));
    ddla::vector<double> x(5);
    for (index_t i = 0; i < 5; ++i) x[i] = truth[std::size_t(i)].get_d() * (1.5 + 1e-9 * double(i));
    std::vector<rational_vector> inverse;  // by columns
    for (std::size_t k = 0; k < 5; ++k)
        inverse.push_back(exact_solution(exact_a, unit_vector(5, k)));
    rational_vector bound(5), skeel(5);
    for (std::size_t k = 0; k < 5; ++k) {
        mpq_class r = b[index_t(k)], size = 0;
        for (std::size_t j = 0; j < 5; ++j) {
            r -= exact_a[k][j] * mpq_class(x[index_t(j)]);
            size += abs(exact_a[k][j] * truth[j]);
        }
        for (std::size_t i = 0; i < 5; ++i) {
            bound[i] += abs(inverse[k][i] * r);
            skeel[i] += abs(inverse[k][i]) * size;
        }
    }
    const mpq_class wanted_bound = largest(bound) / largest(exact_vector(x)),
                    wanted_skeel = largest(skeel) / largest(truth);
    const double estimated = error_bound(a, b, x, ref), condition = skeel_condition(a, ref);
    // Lower bounds, exact for matrices as small as this.
    CHECK(estimated == Approx(wanted_bound.get_d()).epsilon(1e-12));
    CHECK(condition == Approx(wanted_skeel.get_d()).epsilon(1e-12));
    CHECK(compare(x, ref.x).error <= estimated);
}
