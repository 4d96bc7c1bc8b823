// Conversions from and to built-in types, QD, MPFR and binary128, against MPFR.
#include "catch.hpp"
#include "number.hpp"
#include "operands.hpp"

#include <ddla/interop/float128.hpp>
#include <ddla/interop/mpfr.hpp>
#include <ddla/interop/qd.hpp>

namespace ddla::test {
namespace {

constexpr int count = samples(120'000);

/// The dd_real next to a wider number, by definition.
dd_real nearest(const number& x)
{
    const double hi = mpfr_get_d(x.value, MPFR_RNDN);
    if (hi == 0 || !std::isfinite(hi)) return hi;
    number rest(5000);
    mpfr_sub_d(rest.value, x.value, hi, MPFR_RNDN);
    const ddla::exact sum = two_sum(hi, mpfr_get_d(rest.value, MPFR_RNDN));
    return {sum.value, sum.error};
}

}  // namespace

TEST_CASE("integers")
{
    operand_source source(1);
    for (int i = 0; i < count; ++i) {
        const std::uint64_t u = source.random() >> (source.random() % 64);
        const std::int64_t s = static_cast<std::int64_t>(source.random()) >> (source.random() % 64);
        const dd_real x = u, y = s;
        REQUIRE(static_cast<std::uint64_t>(x) == u);
        REQUIRE(static_cast<std::int64_t>(y) == s);
        REQUIRE(x.hi == static_cast<double>(u));
        REQUIRE(y.hi == static_cast<double>(s));
    }
    for (std::int64_t edge : {INT64_MIN, INT64_MIN + 1, INT64_MAX, INT64_MAX - 1, std::int64_t{-1}})
        CHECK(static_cast<std::int64_t>(dd_real(edge)) == edge);
    CHECK(static_cast<std::uint64_t>(dd_real(UINT64_MAX)) == UINT64_MAX);
    CHECK(dd_real(1) + INT64_MAX == dd_real(0x1p63));
    CHECK(static_cast<int>(dd_real(3, -0x1p-60)) == 2);
    CHECK(static_cast<int>(dd_real(-3, 0x1p-60)) == -2);
    CHECK(static_cast<bool>(dd_real(0x1p-1074)));
    CHECK(!static_cast<bool>(dd_real(-0.0)));
}

TEST_CASE("float, double, long double")
{
    operand_source source(2);
    number exact(5000);
    for (int i = 0; i < count; ++i) {
        const auto [x, y] = source.next();
        for (dd_real z : {x, y, dd_real(static_cast<float>(x.hi * 0x1p-24) * 1.5 * 0x1p24, x.lo)}) {
            const ddla::exact sum = two_sum(z.hi, z.lo);
            z = {sum.value, sum.error};
            if (!isfinite(z)) continue;
            to_mpfr(exact.value, z);
            REQUIRE(same(static_cast<float>(z), mpfr_get_flt(exact.value, MPFR_RNDN)));
            REQUIRE(same(static_cast<double>(z), mpfr_get_d(exact.value, MPFR_RNDN)));
            const long double wide = mpfr_get_ld(exact.value, MPFR_RNDN);
            REQUIRE(static_cast<long double>(z) == wide);
            if (std::fabs(z.hi) > 0x1p-1000)
                REQUIRE(static_cast<long double>(dd_real(wide)) == wide);
        }
    }
    CHECK(dd_real(0.1L).lo != 0);
    CHECK(isinf(dd_real(std::numeric_limits<long double>::max())));
}

TEST_CASE("float: ties of the high word are decided by the low word")
{
    const double tie = 1 + 0x1p-24;
    CHECK(static_cast<float>(dd_real(tie)) == 1.0f);
    CHECK(static_cast<float>(dd_real(tie, 0x1p-80)) == 1 + 0x1p-23f);
    CHECK(static_cast<float>(dd_real(tie + 0x1p-23, -0x1p-80)) == 1 + 0x1p-23f);
    CHECK(static_cast<float>(dd_real(-tie, -0x1p-1070)) == -1 - 0x1p-23f);
}

TEST_CASE("QD and MPFR, exact both ways")
{
    operand_source source(3);
    number exact(5000);
    for (int i = 0; i < count; ++i) {
        const dd_real x = source.next().x;
        REQUIRE(same(from_qd(to_qd(x)), x));
        REQUIRE(to_mpfr(exact.value, x) == 0);
        REQUIRE(from_mpfr(exact.value) == x);
    }
    to_mpfr(exact.value, __builtin_huge_val());
    CHECK(isinf(from_mpfr(exact.value)));
    to_mpfr(exact.value, __builtin_nan(""));
    CHECK(isnan(from_mpfr(exact.value)));
    to_mpfr(exact.value, -0.0);
    CHECK(signbit(from_mpfr(exact.value)));
}

TEST_CASE("MPFR: rounded once, at any precision")
{
    operand_source source(4);
    number exact(5000);
    for (int i = 0; i < count; ++i) {
        const dd_real x = source.next().x;
        to_mpfr(exact.value, x);
        const long precision = 2 + static_cast<long>(source.random() % 300);
        number rounded(precision), expected(precision);
        to_mpfr(rounded.value, x);
        mpfr_set(expected.value, exact.value, MPFR_RNDN);
        REQUIRE(mpfr_equal_p(rounded.value, expected.value));
        mpfr_mul_ui(expected.value, expected.value, 3, MPFR_RNDN);
        REQUIRE(same(from_mpfr(expected.value), nearest(expected)));
    }
}

TEST_CASE("MPFR: a rest that rounds to half an ulp")
{
    number x(200);
    mpfr_set_d(x.value, 1 + 0x1p-52, MPFR_RNDN);
    mpfr_add_d(x.value, x.value, 0x1p-53, MPFR_RNDN);
    mpfr_sub_d(x.value, x.value, 0x1p-130, MPFR_RNDN);
    const dd_real y = from_mpfr(x.value);
    CHECK(y.hi + y.lo == y.hi);
    CHECK(y == dd_real(1 + 0x1p-51, -0x1p-53));
}

#if defined(__SIZEOF_FLOAT128__)
namespace {

/// binary128 to MPFR: three doubles hold it, exactly above 2^-900.
template <class F>
void set_wide(number& to, F x)
{
    mpfr_set_zero(to.value, 1);
    for (int part = 0; part < 3; ++part) {
        const double head = static_cast<double>(x);
        mpfr_add_d(to.value, to.value, head, MPFR_RNDN);
        x -= static_cast<F>(head);
    }
}

template <class F>
void check_binary128()
{
    operand_source source(5);
    number exact(5000), expected(113), converted(5000);
    for (int i = 0; i < count; ++i) {
        const dd_real x = source.next().x;
        if (std::fabs(x.hi) < 0x1p-800) continue;
        to_mpfr(exact.value, x);
        mpfr_set(expected.value, exact.value, MPFR_RNDN);
        const F wide = to_float128<F>(x);
        set_wide(converted, wide);
        REQUIRE(mpfr_equal_p(converted.value, expected.value));
        const F third = wide / 3;
        set_wide(converted, third);
        REQUIRE(same(from_float128(third), nearest(converted)));
    }
    CHECK(isinf(from_float128(to_float128<F>(__builtin_huge_val()))));
}

}  // namespace

TEST_CASE("__float128")
{
    check_binary128<__float128>();
}

#if defined(__GNUC__) && !defined(__clang__) && __GNUC__ >= 13
TEST_CASE("_Float128")
{
    check_binary128<_Float128>();
}
#else
TEST_CASE("_Float128")
{
    SKIP_CASE("this compiler has no _Float128 in C++");
}
#endif
#else
TEST_CASE("__float128")
{
    SKIP_CASE("this compiler has no binary128");
}
#endif

}  // namespace ddla::test
