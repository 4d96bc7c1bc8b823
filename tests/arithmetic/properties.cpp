// What docs/arithmetic.md promises beyond QD's bits: commutativity, special values, comparisons,
// rounding to integers, limits, hash, constant evaluation.
#include "catch.hpp"
#include "operands.hpp"

#include <array>
#include <cmath>
#include <unordered_set>

using ddla::dd_real;
using namespace ddla::test;

namespace {

using limits = std::numeric_limits<dd_real>;
constexpr double inf = __builtin_huge_val();
const double quiet = __builtin_nan("");

template <class Check>
void for_special_pairs(Check check)
{
    for (double a : special_words)
        for (double b : special_words) check(dd_real(a), dd_real(b));
}

}  // namespace

TEST_CASE("sums and products are commutative in bits")
{
    operand_source source(3);
    bool all = true;
    const auto check = [&](dd_real x, dd_real y) {
        all = all && same(x + y, y + x) && same(x * y, y * x) && same(x + y.hi, y.hi + x) &&
              same(x * y.hi, y.hi * x);
    };
    for (int i = 0; i < 1'200'000; ++i) {
        const auto [x, y] = source.next();
        check(x, y);
    }
    for_special_pairs(check);
    CHECK(all);
}

TEST_CASE("results do not overlap")
{
    operand_source source(4);
    bool all = true;
    const auto normal = [](dd_real r) {
        return !(std::fabs(r.hi) < 0x1p1020) || same(r.hi, r.hi + r.lo) || r.hi == r.hi + r.lo;
    };
    for (int i = 0; i < 1'200'000; ++i) {
        const auto [x, y] = source.next();
        all = all && normal(x) && normal(y) && normal(x + y) && normal(x - y) && normal(x * y) &&
              normal(x / y) && normal(x * y.hi) && normal(x + y.hi) && normal(sqrt(abs(x)));
    }
    CHECK(all);
}

TEST_CASE("what is not finite stays not finite")
{
    for_special_pairs([](dd_real x, dd_real y) {
        const bool finite = isfinite(x) && isfinite(y);
        for (dd_real r : {x + y, x - y, x * y, x / y, x + y.hi, x.hi - y, x * y.hi, x / y.hi}) {
            if (!finite) CHECK(!isfinite(r));
            if (isfinite(r)) CHECK(finite);
        }
        if (!isfinite(x)) CHECK(!isfinite(sqr(x)));
        CHECK(isfinite(x) + isnan(x) + isinf(x) == 1);
    });
}

TEST_CASE("Inf, overflow and division by zero give NaN, as in QD")
{
    const dd_real infinity = limits::infinity(), largest = limits::max();
    CHECK(isinf(infinity));
    CHECK(isnan(infinity + 1.0));
    CHECK(isnan(largest + largest));
    CHECK(isnan(largest * 2.0));
    CHECK(isnan(dd_real(1) / dd_real(0)));
    CHECK(isnan(dd_real(1) / infinity));
    CHECK(isnan(0.0 * infinity));
    CHECK(same(sqrt(infinity), infinity));
    CHECK(isnan(sqrt(dd_real(-1))));
    CHECK(isnan(sqrt(dd_real(quiet))));
    CHECK(same(sqrt(dd_real(-0.0)).hi, -0.0));
    CHECK(same(abs(-infinity), infinity));
    CHECK(same(floor(infinity), infinity));
    CHECK(same(ceil(-infinity), -infinity));
    CHECK(same(round(infinity), infinity));
    CHECK(isnan(trunc(dd_real(quiet))));
    CHECK(isnan(nint(dd_real(quiet))));
}

TEST_CASE("two_prod: where the fused product and QD's splitting differ is the fused one exact")
{
    // In QD both give NaN or Inf as error: the upper half of the first operand rounds to 2^1024.
    const ddla::exact top = ddla::two_prod(0x1.fffffffffffffp1023, 0x1.8p-3);
    CHECK(top.value == 0x1.7ffffffffffffp1021);
    CHECK(top.error == 0x1p967);
    // The last operand of which QD's product is exact, and the first beyond, with room above.
}

TEST_CASE("subnormals: where error-free ends")
{
    const double x = 0x1.0000000000001p-484, y = 0x1.0000000000001p-484;
    const ddla::exact p = ddla::two_prod(x, y);  // error 2^-1072
    CHECK(p.error == 0x1p-1072);
    const ddla::exact lost = ddla::two_prod(x * 0x1p-10, y);  // error 2^-1082: rounds to 0
    CHECK(lost.error == 0);
    const ddla::exact s = ddla::two_sum(0x1p-1022, 0x1p-1074);  // sums are always exact
    CHECK(s.value == 0x1.0000000000001p-1022);
    CHECK(s.error == 0);
    // The square root is accurate down there all the same.
    CHECK(sqrt(dd_real(0x1p-1074)) == dd_real(0x1p-537));
    CHECK(sqrt(limits::max()) < dd_real(0x1p512));
    CHECK(sqrt(limits::max()) > dd_real(0x1p512, -0x1p458));
}

TEST_CASE("signed zero")
{
    CHECK(dd_real(0.0) == dd_real(-0.0));
    CHECK(signbit(dd_real(-0.0)));
    CHECK(!signbit(abs(dd_real(-0.0))));
    CHECK(std::hash<dd_real>()(dd_real(0.0)) == std::hash<dd_real>()(dd_real(-0.0, -0.0)));
}

TEST_CASE("comparisons: with NaN, with doubles and integers, three-way")
{
    const dd_real above(1, 0x1p-60), below(1, -0x1p-60);
    CHECK(above > 1.0);
    CHECK(1 < above);
    CHECK(below < 1);
    CHECK(below != above);
    CHECK(dd_real(9007199254740993) == 9007199254740993);
    CHECK(dd_real(9007199254740993) > 9007199254740992);
    CHECK((above <=> below) == std::partial_ordering::greater);
    CHECK((below <=> 1.0) == std::partial_ordering::less);
    CHECK((dd_real(2) <=> 2.0) == std::partial_ordering::equivalent);
    const dd_real not_a_number = quiet;
    for (dd_real x : {dd_real(1), not_a_number}) {
        CHECK((x <=> not_a_number) == std::partial_ordering::unordered);
        CHECK(!(x == not_a_number));
        CHECK(x != not_a_number);
        CHECK(!(x < not_a_number || x <= not_a_number || x > not_a_number || x >= not_a_number));
    }
    CHECK(min(above, below) == below);
    CHECK(max(above, 1.0) == above);
    CHECK(copysign(above, -1.0) == -above);
}

TEST_CASE("rounding to integers")
{
    const double tiny = 0x1p-60;
    const struct {
        dd_real x, floor, ceil, trunc, round;
    } rows[] = {
        {{2.5, tiny}, 2, 3, 2, 3},
        {2.5, 2, 3, 2, 3},
        {{2.5, -tiny}, 2, 3, 2, 2},
        {{-2.5, tiny}, -3, -2, -2, -2},
        {-2.5, -3, -2, -2, -3},
        {{-2.5, -tiny}, -3, -2, -2, -3},
        {{3, -tiny}, 2, 3, 2, 3},
        {{3, tiny}, 3, 4, 3, 3},
        {{-3, tiny}, -3, -2, -2, -3},
        {{-3, -tiny}, -4, -3, -3, -3},
        {0.5, 0, 1, 0, 1},
        {-0.5, -1, 0, 0, -1},
        {{0.5, -tiny}, 0, 1, 0, 0},
        {0.49999999999999994, 0, 1, 0, 0},
        {{0x1p53, 0.5}, 0x1p53, {0x1p53, 1}, 0x1p53, {0x1p53, 1}},
        {{0x1p53, -0.5}, 0x1p53 - 1, 0x1p53, 0x1p53 - 1, 0x1p53},
        {{-0x1p53, 0.5}, -0x1p53, 1 - 0x1p53, 1 - 0x1p53, -0x1p53},
        {{0x1p60, 0.25}, 0x1p60, {0x1p60, 1}, 0x1p60, 0x1p60},
        {{0x1p106, 0x1p52},
         {0x1p106, 0x1p52},
         {0x1p106, 0x1p52},
         {0x1p106, 0x1p52},
         {0x1p106, 0x1p52}},
    };
    for (const auto& row : rows) {
        CHECK(floor(row.x) == row.floor);
        CHECK(ceil(row.x) == row.ceil);
        CHECK(trunc(row.x) == row.trunc);
        CHECK(round(row.x) == row.round);
    }
    CHECK(nint(dd_real(0.49999999999999994)) == 1);  // as QD
    CHECK(nint(dd_real(-2.5)) == -2);
}

TEST_CASE("round agrees with the middle between two integers")
{
    operand_source source(6);
    for (int i = 0; i < 240'000; ++i) {
        const dd_real x = source.next().x;
        if (!(abs(x) < 0x1p100)) continue;
        const dd_real f = floor(x), middle = f + 0.5;
        const bool up = f != x && (x.hi > 0 ? x >= middle : x > middle);
        if (round(x) != (up ? f + 1 : f)) FAIL(x.hi << " " << x.lo);
    }
}

TEST_CASE("limits")
{
    STATIC_REQUIRE(limits::is_specialized);
    STATIC_REQUIRE(limits::epsilon().hi == 0x1p-105);
    STATIC_REQUIRE(limits::digits10 == 31);
    CHECK(isfinite(limits::max() + 0.0));
    CHECK(same(limits::max() + 0.0, limits::max()));
    CHECK(limits::max().hi + limits::max().lo == limits::max().hi);
    CHECK(limits::max().hi + std::nextafter(limits::max().lo, inf) == inf);
    CHECK(limits::lowest() == -limits::max());
    CHECK(limits::min().hi * 0x1p-105 == limits::denorm_min().hi);
    CHECK(1 + limits::epsilon() > 1);
    CHECK(std::numeric_limits<const dd_real>::digits == 106);
    CHECK(isinf(limits::infinity()));
    CHECK(isnan(limits::quiet_NaN()));
}

TEST_CASE("hash")
{
    operand_source source(8);
    std::unordered_set<dd_real> numbers;
    std::unordered_set<std::size_t> hashes;
    for (int i = 0; i < 20'000; ++i) {
        const dd_real x = source.next().x;
        numbers.insert(x);
        hashes.insert(std::hash<dd_real>()(x));
    }
    CHECK(hashes.size() > numbers.size() * 99 / 100);
}

TEST_CASE("constant evaluation has the bits of run time")
{
    static constexpr auto evaluate = [](dd_real x, dd_real y) {
        return std::array{x + y,
                          x - y,
                          x * y,
                          x / y,
                          x + y.hi,
                          x.hi - y,
                          x * y.hi,
                          x / y.hi,
                          sqr(x),
                          floor(x),
                          ceil(y),
                          round(x),
                          nint(y),
                          ldexp(x, -7),
                          ldexp(y, 9),
                          abs(x),
                          dd_real::sloppy_add(x, y),
                          dd_real::sloppy_div(x, y)};
    };
    static constexpr dd_real x(-0x1.921fb54442d18p+1, -0x1.1a62633145c07p-53);
    static constexpr dd_real y(0x1.5bf0a8b145769p+1, 0x1.4d57ee2b1013ap-53);
    static constexpr auto expected = evaluate(x, y);
    volatile double words[] = {x.hi, x.lo, y.hi, y.lo};
    const auto computed = evaluate({words[0], words[1]}, {words[2], words[3]});
    for (std::size_t i = 0; i < expected.size(); ++i) CHECK(same(computed[i], expected[i]));
    STATIC_REQUIRE(ldexp(dd_real(1), -1074) == limits::denorm_min());
    STATIC_REQUIRE(ldexp(dd_real(0x1.8p0), -1074) == 0x1p-1073);
    STATIC_REQUIRE(std::is_trivially_default_constructible_v<dd_real>);
    STATIC_REQUIRE(std::is_trivially_copyable_v<dd_real>);
}
