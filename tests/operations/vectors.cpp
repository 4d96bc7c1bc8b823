// Vector operations: every bit as the oracle says, for every thread count and vector width.
#include "catch.hpp"
#include "support/everywhere.hpp"
#include "support/oracle.hpp"
#include "support/random.hpp"

#include "ddla/dd_math.hpp"
#include "ddla/error.hpp"

using dd = ddla::dd_real;  // QD has a ::dd_real
using ddla::index_t;

namespace {

const index_t sizes[] = {0,   1,   2,   3,   31,   127,   128,   129,   255,   256,
                         257, 511, 512, 513, 4095, 65535, 65536, 65537, 200001};

template <class T>
auto absolute(const std::vector<T>& x)
{
    using std::abs;
    std::vector<T> y;
    for (const T& v : x) y.push_back(abs(v));
    return y;
}

}  // namespace

TEMPLATE_TEST_CASE("sums follow the rule", "[operations]", double, dd)
{
    using std::sqrt;
    for (const index_t n : sizes) {
        const auto x = test::random_vector<TestType>(n, 1), y = test::random_vector<TestType>(n, 2);
        const auto qx = oracle::to(x), qy = oracle::to(y);
        const TestType dot = oracle::from(oracle::dot(qx, qy));
        const TestType asum = oracle::from(oracle::sum(absolute(qx)));
        const TestType nrm2 = oracle::from(sqrt(oracle::dot(qx, qx)));
        test::everywhere([&] {
            INFO("n = " << n << ", threads = " << ddla::host_threads());
            CHECK(same_bits(ddla::dot(x, y), dot));
            CHECK(same_bits(ddla::asum(x), asum));
            CHECK(same_bits(ddla::nrm2(x), nrm2));
        });
    }
}

TEMPLATE_TEST_CASE("element-wise operations", "[operations]", double, dd)
{
    for (const index_t n : sizes) {
        const auto x = test::random_vector<TestType>(n, 3), y = test::random_vector<TestType>(n, 4);
        const TestType a = test::random_vector<TestType>(1, 5)[0];
        const auto qx = oracle::to(x), qy = oracle::to(y);
        const auto qa = oracle::to(a);
        std::vector<oracle::type<TestType>> ax_y, x_ay, ax;
        for (std::size_t i = 0; i < qx.size(); ++i) {
            ax_y.push_back(qa * qx[i] + qy[i]);
            x_ay.push_back(qx[i] + qa * qy[i]);
            ax.push_back(qa * qx[i]);
        }
        test::everywhere([&] {
            INFO("n = " << n << ", threads = " << ddla::host_threads());
            auto z = y;
            ddla::axpy(a, x, z);
            CHECK(same_bits(z, ax_y));
            z = y;
            ddla::xpay(x, a, z);
            CHECK(same_bits(z, x_ay));
            ddla::vector<TestType> w(n);
            ddla::axpyz(a, x, y, w);
            CHECK(same_bits(w, ax_y));
            z = x;
            ddla::scal(a, z);
            CHECK(same_bits(z, ax));
            ddla::copy(y, z);
            CHECK(same_bits(z, y));
        });
    }
}

TEMPLATE_TEST_CASE("operations in place and with themselves", "[operations]", double, dd)
{
    auto x = test::random_vector<TestType>(1000, 6);
    const auto q = oracle::to(x);
    const TestType two(2.0);
    CHECK(same_bits(ddla::dot(x, x), oracle::from(oracle::dot(q, q))));
    std::vector<oracle::type<TestType>> three;
    for (const auto& v : q) three.push_back(oracle::to(two) * v + v);
    ddla::axpy(two, x, x);
    CHECK(same_bits(x, three));
}

TEMPLATE_TEST_CASE("scalars convert to the numbers of the vectors", "[operations]", double, dd)
{
    ddla::vector<TestType> x{1.0, 2.0}, y{3.0, 4.0};
    ddla::axpy(2, x, y);
    CHECK(same_bits(y, ddla::vector<TestType>{5.0, 8.0}));
    ddla::xpay(x, x[1], y);
    CHECK(same_bits(y, ddla::vector<TestType>{11.0, 18.0}));
    ddla::axpyz(0.5, x, y, x);
    CHECK(same_bits(x, ddla::vector<TestType>{11.5, 19.0}));
    ddla::scal(x[0], y);
    CHECK(same_bits(y, ddla::vector<TestType>{126.5, 207.0}));
}

TEMPLATE_TEST_CASE("nrm2 neither overflows nor vanishes", "[operations]", double, dd)
{
    const auto x = test::random_vector<TestType>(1000, 7, 0);
    const TestType norm = ddla::nrm2(x);
    for (const int e : {1000, 600, 449, -349, -351, -600, -900}) {
        INFO("2^" << e);
        auto scaled = x;
        for (index_t i = 0; i < x.size(); ++i) {
            using ddla::ldexp;
            using std::ldexp;
            scaled.set(i, ldexp(x[i], e));
        }
        using ddla::ldexp;
        using std::ldexp;
        CHECK(same_bits(ddla::nrm2(scaled), ldexp(norm, e)));
    }
    // 3-4-5 at both ends of the range.
    const double large = 0x1p1020, small = 0x1p-1070;
    CHECK(ddla::nrm2(ddla::vector<TestType>{3 * large, 4 * large}) == TestType(5 * large));
    CHECK(ddla::nrm2(ddla::vector<TestType>{3 * small, 4 * small}) == TestType(5 * small));
    CHECK(ddla::nrm2(ddla::vector<TestType>{0x1p-1074}) == TestType(0x1p-1074));
    CHECK(ddla::nrm2(ddla::vector<TestType>(5)) == TestType(0));
}

TEMPLATE_TEST_CASE("Inf and NaN reach the result", "[operations]", double, dd)
{
    const double inf = std::numeric_limits<double>::infinity(), nan = std::nan("");
    CHECK(double(ddla::nrm2(ddla::vector<TestType>{1.0, -inf, 2.0})) == inf);
    CHECK(std::isnan(double(ddla::nrm2(ddla::vector<TestType>{1.0, nan, 2.0}))));
    CHECK(std::isnan(double(ddla::nrm2(ddla::vector<TestType>{inf, nan, 2.0}))));
    CHECK(std::isnan(
        double(ddla::dot(ddla::vector<TestType>{1.0, nan}, ddla::vector<TestType>{1.0, 1.0}))));
}

TEST_CASE("one term is its own sum: nothing is added to it", "[operations]")
{
    CHECK(same_bits(ddla::dot(ddla::vector<double>{-0.0}, ddla::vector<double>{1.0}), -0.0));
    const double inf = std::numeric_limits<double>::infinity();
    CHECK(ddla::asum(ddla::vector<dd>{-inf}) == dd(inf));
}

TEMPLATE_TEST_CASE("vectors that do not fit are refused", "[operations]", double, dd)
{
    ddla::vector<TestType> three(3), four(4);
    CHECK_THROWS_AS(ddla::dot(three, four), ddla::input_error);
    CHECK_THROWS_WITH(ddla::dot(three, four), "dot: x has 3 elements, y 4");
    CHECK_THROWS_AS(ddla::axpy(TestType(1), three, four), ddla::input_error);
    CHECK_THROWS_AS(ddla::xpay(three, TestType(1), four), ddla::input_error);
    CHECK_THROWS_AS(ddla::axpyz(TestType(1), three, three, four), ddla::input_error);
    CHECK_THROWS_AS(ddla::axpyz(TestType(1), four, three, four), ddla::input_error);
    CHECK_THROWS_AS(ddla::copy(three, four), ddla::input_error);
    CHECK_THROWS_AS(ddla::vector<TestType>(-1), ddla::input_error);
    CHECK_THROWS_AS(ddla::vector<TestType>(index_t(1) << 62), ddla::resource_error);
    CHECK_THROWS_AS(ddla::vector<TestType>(index_t(1) << 55), ddla::resource_error);
    CHECK_THROWS_AS(ddla::vector<TestType>(3, ddla::device(1000)), ddla::resource_error);
}

TEST_CASE("the number of threads is checked", "[operations]")
{
    CHECK_THROWS_AS(ddla::set_host_threads(0), ddla::input_error);
    CHECK_THROWS_AS(ddla::set_host_threads(-3), ddla::input_error);
    const int before = ddla::host_threads();
    ddla::set_host_threads(5);
    CHECK(ddla::host_threads() == 5);
    ddla::set_host_threads(before);
}

TEST_CASE("the hash sees every bit", "[operations]")
{
    const auto x = test::random_vector<dd>(100, 8);
    const std::uint64_t hash = ddla::hash_of(x);
    auto y = x;
    y.set(57, {x[57].hi, std::nextafter(x[57].lo, 1)});
    CHECK(ddla::hash_of(y) != hash);
    y = x;
    y.set(3, x[4]), y.set(4, x[3]);
    CHECK(ddla::hash_of(y) != hash);
    y = x;
    y.set(1, -y[1]), y.set(2, -y[2]);
    CHECK(ddla::hash_of(y) != hash);
    CHECK(ddla::hash_of(ddla::vector<double>{0.0}) != ddla::hash_of(ddla::vector<double>{-0.0}));
    CHECK(ddla::hash_of(ddla::vector<double>{0.0}) !=
          ddla::hash_of(ddla::vector<double>{0.0, 0.0}));
    CHECK(ddla::hash_of(ddla::vector<double>{std::nan("1")}) ==
          ddla::hash_of(ddla::vector<double>{-std::nan("2")}));
}
