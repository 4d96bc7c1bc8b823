// Vector operations, one text for every place: every bit as the oracle says or, for numbers that
// QD does not treat, as on the host, however the work is cut.
#include "support/operands.hpp"
#include "support/oracle.hpp"
#include "support/place.hpp"

#include "ddla/error.hpp"

using dd = ddla::dd_real;  // QD has a ::dd_real
using ddla::index_t;
using test::operand;
using test::place_under_test;

namespace {

template <class T>
struct sums {
    T dot, square, asum, nrm2;
};

template <class T>
sums<T> sums_of_oracle(const ddla::vector<T>& x, const ddla::vector<T>& y)
{
    using std::abs;
    using std::sqrt;
    const auto qx = oracle::to(x);
    auto absolute = qx;
    for (auto& v : absolute) v = abs(v);
    const auto square = oracle::dot(qx, qx);
    return {oracle::from(oracle::dot(qx, oracle::to(y))), oracle::from(square),
            oracle::from(oracle::sum(absolute)), oracle::from(sqrt(square))};
}

template <class T>
sums<T> sums_on_host(const ddla::vector<T>& x, const ddla::vector<T>& y)
{
    return {ddla::dot(x, y), ddla::dot(x, x), ddla::asum(x), ddla::nrm2(x)};
}

using cuts = void (*)(const std::function<void()>& check);

/// Every sum over x and y.
template <class T>
void check_sums(const ddla::vector<T>& x_here, const ddla::vector<T>& y_here,
                const sums<T>& expected, cuts under = test::under_every_cut)
{
    const auto x = x_here.to(place_under_test()), y = y_here.to(place_under_test());
    under([&] {
        CHECK(same_bits(ddla::dot(x, y), expected.dot));
        CHECK(same_bits(ddla::dot(x, x), expected.square));
        CHECK(same_bits(ddla::asum(x), expected.asum));
        CHECK(same_bits(ddla::nrm2(x), expected.nrm2));
    });
}

/// What operations write: y + a x, x + a y, a x, x + a x.
template <class T>
struct updates {
    ddla::vector<T> axpy, xpay, scal, self;
};

template <class T>
updates<T> updates_of_oracle(T a, const ddla::vector<T>& x, const ddla::vector<T>& y)
{
    updates<T> all{ddla::vector<T>(x.size()), ddla::vector<T>(x.size()), ddla::vector<T>(x.size()),
                   ddla::vector<T>(x.size())};
    const auto qa = oracle::to(a);
    for (index_t i = 0; i < x.size(); ++i) {
        const auto qx = oracle::to(T(x[i])), qy = oracle::to(T(y[i]));
        all.axpy.set(i, oracle::from(qa * qx + qy));
        all.xpay.set(i, oracle::from(qx + qa * qy));
        all.scal.set(i, oracle::from(qa * qx));
        all.self.set(i, oracle::from(qa * qx + qx));
    }
    return all;
}

template <class T>
updates<T> updates_on_host(T a, const ddla::vector<T>& x, const ddla::vector<T>& y)
{
    updates<T> all{y, y, x, x};
    ddla::axpy(a, x, all.axpy);
    ddla::xpay(x, a, all.xpay);
    ddla::scal(a, all.scal);
    ddla::axpy(a, all.self, all.self);
    return all;
}

/// Every operation that writes a vector.
template <class T>
void check_updates(T a, const ddla::vector<T>& x_here, const ddla::vector<T>& y_here,
                   const updates<T>& expected, cuts under = test::under_every_cut)
{
    const auto x = x_here.to(place_under_test()), y = y_here.to(place_under_test());
    under([&] {
        auto z = y;
        ddla::axpy(a, x, z);
        CHECK(same_bits(z, expected.axpy));
        z = y;
        ddla::xpay(x, a, z);
        CHECK(same_bits(z, expected.xpay));
        ddla::axpyz(a, x, y, z);
        CHECK(same_bits(z, expected.axpy));
        z = x;
        ddla::scal(a, z);
        CHECK(same_bits(z, expected.scal));
        ddla::copy(y, z);
        CHECK(same_bits(z, y_here));
        z = x;
        ddla::axpy(a, z, z);
        CHECK(same_bits(z, expected.self));
    });
}

template <class T>
ddla::vector<T> there(std::initializer_list<T> values)
{
    return ddla::vector<T>(values).to(place_under_test());
}

}  // namespace

TEMPLATE_TEST_CASE("vectors go there and back", "[operations]", double, dd)
{
    const ddla::place at = place_under_test();
    for (const index_t n : {0, 1, 1000}) {
        const auto x = test::random_vector<TestType>(n, 1);
        const auto there = x.to(at);
        CHECK(there.where() == at);
        const auto copy = there;
        CHECK(same_bits(copy.to(ddla::host), x));
        CHECK(same_bits(ddla::vector<TestType>(n, at).to(ddla::host), ddla::vector<TestType>(n)));
        CHECK(same_bits(ddla::vector<TestType>(n, TestType(3), at),
                        ddla::vector<TestType>(n, TestType(3))));
        CHECK(ddla::hash_of(there) == ddla::hash_of(x));
    }
}

TEMPLATE_TEST_CASE("sums follow the rule", "[operations]", double, dd)
{
    for (const index_t n : test::sizes()) {
        INFO("n = " << n);
        const auto x = test::random_vector<TestType>(n, 2), y = test::random_vector<TestType>(n, 3);
        check_sums(x, y, sums_of_oracle(x, y));
    }
}

TEMPLATE_TEST_CASE("element-wise operations", "[operations]", double, dd)
{
    const TestType a = test::random_vector<TestType>(1, 4)[0];
    for (const index_t n : test::sizes()) {
        INFO("n = " << n);
        const auto x = test::random_vector<TestType>(n, 2), y = test::random_vector<TestType>(n, 3);
        check_updates(a, x, y, updates_of_oracle(a, x, y));
    }
}

TEMPLATE_TEST_CASE("vector operations on every kind of number", "[operations][repeats]", double, dd)
{
    for (const operand kind : test::all_operands)
        for (const index_t n :
             {index_t(1), index_t(7), index_t(256), index_t(300), test::three_levels}) {
            INFO(test::name_of(kind) << ", n = " << n);
            const auto x = test::operands<TestType>(kind, n, 5);
            const auto y = test::operands<TestType>(kind, n, 6);
            const auto ordinary = test::operands<TestType>(operand::ordinary, n, 7);
            check_sums(x, y, sums_on_host(x, y), test::under_few_cuts);
            check_sums(x, ordinary, sums_on_host(x, ordinary), test::under_few_cuts);
            for (const TestType& a :
                 {TestType(0.0), TestType(-0.0), TestType(ordinary[0]), TestType(x[0])}) {
                check_updates(a, x, y, updates_on_host(a, x, y), test::under_few_cuts);
                check_updates(a, x, ordinary, updates_on_host(a, x, ordinary),
                              test::under_few_cuts);
            }
        }
}

TEMPLATE_TEST_CASE("norms at the ends of the range", "[operations]", double, dd)
{
    using ddla::ldexp;
    using std::ldexp;
    for (const index_t n : {index_t(1000), test::three_levels}) {
        const auto x = test::random_vector<TestType>(n, 8, 0);
        const TestType norm = ddla::nrm2(x);
        for (const int e : {1000, 600, 449, 300, -300, -349, -351, -490, -600, -900, -1060}) {
            INFO("n = " << n << ", 2^" << e);
            const auto scaled = test::scaled(x, e);
            auto expected = sums_on_host(scaled, x);
            // Scaling is exact where no low word is subnormal.
            if (e >= -900) expected.nrm2 = ldexp(norm, e);
            check_sums(scaled, x, expected);
        }
        // One number that alone decides on the scale.
        for (const double extreme : {0x1p1023, 0x1p-1074}) {
            auto one = test::scaled(x, -400);
            one.set(n - 1, TestType(extreme));
            check_sums(one, x, sums_on_host(one, x));
        }
    }
}

TEMPLATE_TEST_CASE("norms of few numbers at the ends of the range", "[operations]", double, dd)
{
    // 3-4-5 at both ends.
    const double large = 0x1p1020, small = 0x1p-1070;
    CHECK(ddla::nrm2(there<TestType>({3 * large, 4 * large})) == TestType(5 * large));
    CHECK(ddla::nrm2(there<TestType>({3 * small, 4 * small})) == TestType(5 * small));
    CHECK(ddla::nrm2(there<TestType>({0x1p-1074})) == TestType(0x1p-1074));
    CHECK(ddla::nrm2(there<TestType>({0, 0, 0, 0, 0})) == TestType(0));
}

TEMPLATE_TEST_CASE("special values", "[operations]", double, dd)
{
    const double inf = std::numeric_limits<double>::infinity(), nan = std::nan("");
    using list = ddla::vector<TestType>;
    for (const list& x :
         {list{-0.0}, list{-inf}, list{1, -inf, 2}, list{1, nan, 2}, list{inf, nan},
          list{0x1p-1074}, list{-0.0, -0.0}, list(300, TestType(-0.0)), list(257, TestType(inf))}) {
        const list one(x.size(), TestType(1));
        check_sums(x, one, sums_on_host(x, one));
    }
}

TEMPLATE_TEST_CASE("Inf and NaN reach the result", "[operations]", double, dd)
{
    const double inf = std::numeric_limits<double>::infinity(), nan = std::nan("");
    CHECK(double(ddla::nrm2(there<TestType>({1.0, -inf, 2.0}))) == inf);
    CHECK(std::isnan(double(ddla::nrm2(there<TestType>({1.0, nan, 2.0})))));
    CHECK(std::isnan(double(ddla::nrm2(there<TestType>({inf, nan, 2.0})))));
    CHECK(std::isnan(double(ddla::dot(there<TestType>({1.0, nan}), there<TestType>({1.0, 1.0})))));
}

TEMPLATE_TEST_CASE("one term is its own sum: nothing is added to it", "[operations]", double, dd)
{
    const TestType zero = ddla::dot(there<TestType>({-0.0}), there<TestType>({1.0}));
    CHECK(zero == TestType(0));
    if constexpr (std::is_same_v<TestType, double>) CHECK(std::signbit(zero));
    const double inf = std::numeric_limits<double>::infinity();
    CHECK(ddla::asum(there<TestType>({-inf})) == TestType(inf));
}

TEMPLATE_TEST_CASE("vectors that do not fit are refused", "[operations]", double, dd)
{
    ddla::vector<TestType> three(3, place_under_test()), four(4, place_under_test());
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

TEST_CASE("the hash sees every bit", "[operations]")
{
    const auto hash = [](const auto& x) { return ddla::hash_of(x.to(place_under_test())); };
    const auto x = test::random_vector<dd>(100, 8);
    auto y = x;
    y.set(57, {x[57].hi, std::nextafter(x[57].lo, 1)});
    CHECK(hash(y) != hash(x));
    y = x;
    y.set(3, x[4]), y.set(4, x[3]);
    CHECK(hash(y) != hash(x));
    y = x;
    y.set(1, -y[1]), y.set(2, -y[2]);
    CHECK(hash(y) != hash(x));
    using list = ddla::vector<double>;
    CHECK(hash(list{0.0}) != hash(list{-0.0}));
    CHECK(hash(list{0.0}) != hash(list{0.0, 0.0}));
    CHECK(hash(list{std::nan("1")}) == hash(list{-std::nan("2")}));
}
