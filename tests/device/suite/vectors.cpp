// Vector operations on the device have the bits of the host.
#include "everywhere.hpp"

#include <limits>

using ddla::dd_real;
using ddla::index_t;
using test::gpu;
using test::same_bits;

namespace {

const index_t sizes[] = {0,    1,     2,     31,    33,     255,     256,     257,
                         4095, 65535, 65536, 65537, 200001, 1048575, 1048576, 1048577};

}  // namespace

TEMPLATE_TEST_CASE("vectors go there and back", "[device]", double, dd_real)
{
    for (const index_t n : {0, 1, 1000}) {
        const auto x = test::random_vector<TestType>(n, 1);
        const auto there = x.to(gpu);
        CHECK(there.where() == gpu);
        const auto copy = there;
        CHECK(same_bits(copy.to(ddla::host), x));
        CHECK(same_bits(ddla::vector<TestType>(n, gpu).to(ddla::host), ddla::vector<TestType>(n)));
        CHECK(same_bits(ddla::vector<TestType>(n, TestType(3), gpu),
                        ddla::vector<TestType>(n, TestType(3))));
        CHECK(ddla::hash_of(there) == ddla::hash_of(x));
    }
}

TEMPLATE_TEST_CASE("sums", "[device]", double, dd_real)
{
    for (const index_t n : sizes) {
        const auto x = test::random_vector<TestType>(n, 2), y = test::random_vector<TestType>(n, 3);
        const auto dx = x.to(gpu), dy = y.to(gpu);
        const TestType dot = ddla::dot(x, y), asum = ddla::asum(x), nrm2 = ddla::nrm2(x);
        INFO("n = " << n);
        test::under_every_schedule([&] {
            CHECK(same_bits(ddla::dot(dx, dy), dot));
            CHECK(same_bits(ddla::asum(dx), asum));
            CHECK(same_bits(ddla::nrm2(dx), nrm2));
            CHECK(same_bits(ddla::dot(dx, dx), ddla::dot(x, x)));
        });
    }
}

TEMPLATE_TEST_CASE("element-wise operations", "[device]", double, dd_real)
{
    const TestType a = test::random_vector<TestType>(1, 4)[0];
    for (const index_t n : sizes) {
        const auto x = test::random_vector<TestType>(n, 5), y = test::random_vector<TestType>(n, 6);
        const auto dx = x.to(gpu), dy = y.to(gpu);
        auto axpy = y, xpay = y, axpyz = x, scal = x, self = x;
        ddla::axpy(a, x, axpy);
        ddla::xpay(x, a, xpay);
        ddla::axpyz(a, x, y, axpyz);
        ddla::scal(a, scal);
        ddla::axpy(a, self, self);
        INFO("n = " << n);
        test::under_every_schedule([&] {
            auto z = dy;
            ddla::axpy(a, dx, z);
            CHECK(same_bits(z, axpy));
            z = dy;
            ddla::xpay(dx, a, z);
            CHECK(same_bits(z, xpay));
            ddla::axpyz(a, dx, dy, z);
            CHECK(same_bits(z, axpyz));
            z = dx;
            ddla::scal(a, z);
            CHECK(same_bits(z, scal));
            ddla::copy(dy, z);
            CHECK(same_bits(z, y));
            z = dx;
            ddla::axpy(a, z, z);
            CHECK(same_bits(z, self));
        });
    }
}

TEMPLATE_TEST_CASE("norms at the ends of the range", "[device]", double, dd_real)
{
    const auto x = test::random_vector<TestType>(1000, 7, 0);
    for (const int e : {1000, 449, -351, -900}) {
        auto scaled = x;
        for (index_t i = 0; i < x.size(); ++i) {
            using ddla::ldexp;
            using std::ldexp;
            scaled.set(i, ldexp(x[i], e));
        }
        CHECK(same_bits(ddla::nrm2(scaled.to(gpu)), ddla::nrm2(scaled)));
    }
}

TEMPLATE_TEST_CASE("special values", "[device]", double, dd_real)
{
    const double inf = std::numeric_limits<double>::infinity(), nan = std::nan("");
    using list = ddla::vector<TestType>;
    for (const list& x :
         {list{-0.0}, list{-inf}, list{1, -inf, 2}, list{1, nan, 2}, list{inf, nan},
          list{0x1p-1074}, list{-0.0, -0.0}, list(300, TestType(-0.0)), list(257, TestType(inf))}) {
        const list one(x.size(), TestType(1));
        CHECK(same_bits(ddla::dot(x.to(gpu), one.to(gpu)), ddla::dot(x, one)));
        CHECK(same_bits(ddla::asum(x.to(gpu)), ddla::asum(x)));
        CHECK(same_bits(ddla::nrm2(x.to(gpu)), ddla::nrm2(x)));
    }
}
