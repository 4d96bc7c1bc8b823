// Vector operations on the device have the bits of the host.
#include "everywhere.hpp"
#include "support/operands.hpp"

#include <limits>

using ddla::dd_real;
using ddla::index_t;
using test::gpu;
using test::operand;
using test::same_bits;

namespace {

/// Every sum over x and y.
template <class T>
void compare_sums(const ddla::vector<T>& x, const ddla::vector<T>& y)
{
    const T dot = ddla::dot(x, y), square = ddla::dot(x, x);
    const T asum = ddla::asum(x), nrm2 = ddla::nrm2(x);
    const auto dx = x.to(gpu), dy = y.to(gpu);
    test::under_every_schedule([&] {
        CHECK(same_bits(ddla::dot(dx, dy), dot));
        CHECK(same_bits(ddla::dot(dx, dx), square));
        CHECK(same_bits(ddla::asum(dx), asum));
        CHECK(same_bits(ddla::nrm2(dx), nrm2));
    });
}

/// Every operation that writes a vector.
template <class T>
void compare_updates(T a, const ddla::vector<T>& x, const ddla::vector<T>& y)
{
    const auto dx = x.to(gpu), dy = y.to(gpu);
    auto axpy = y, xpay = y, axpyz = x, scal = x, self = x;
    ddla::axpy(a, x, axpy);
    ddla::xpay(x, a, xpay);
    ddla::axpyz(a, x, y, axpyz);
    ddla::scal(a, scal);
    ddla::axpy(a, self, self);
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

TEMPLATE_TEST_CASE("vector operations of every size", "[device]", double, dd_real)
{
    const TestType a = test::random_vector<TestType>(1, 4)[0];
    for (const index_t n : test::sizes) {
        INFO("n = " << n);
        const auto x = test::random_vector<TestType>(n, 2), y = test::random_vector<TestType>(n, 3);
        compare_sums(x, y);
        compare_updates(a, x, y);
    }
}

TEMPLATE_TEST_CASE("vector operations on every kind of number", "[device]", double, dd_real)
{
    for (const operand kind : test::all_operands)
        for (const index_t n : {1, 7, 256, 300, 65537}) {
            INFO(test::name_of(kind) << ", n = " << n);
            const auto x = test::operands<TestType>(kind, n, 5);
            const auto y = test::operands<TestType>(kind, n, 6);
            const auto ordinary = test::operands<TestType>(operand::ordinary, n, 7);
            compare_sums(x, y);
            compare_sums(x, ordinary);
            for (const TestType a : {TestType(0.0), TestType(-0.0), ordinary[0], x[0]}) {
                compare_updates(a, x, y);
                compare_updates(a, x, ordinary);
            }
        }
}

TEMPLATE_TEST_CASE("norms at the ends of the range", "[device]", double, dd_real)
{
    for (const index_t n : {1000, 65537}) {
        const auto x = test::random_vector<TestType>(n, 8, 0);
        for (const int e : {1000, 600, 449, 300, -300, -349, -351, -600, -900, -1060}) {
            INFO("n = " << n << ", 2^" << e);
            compare_sums(test::scaled(x, e), x);
        }
        // One number that alone decides on the scale.
        for (const double extreme : {0x1p1023, 0x1p-1074}) {
            auto one = test::scaled(x, -400);
            one.set(n - 1, TestType(extreme));
            compare_sums(one, x);
        }
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
