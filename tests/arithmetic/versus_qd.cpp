// Every operation of dd_real against the QD library, bit for bit.
//
// This text is compiled into two programs: against QD as packaged, whose operators + - / are the
// sloppy ones, and with QD_IEEE_ADD (and accurate division), whose operators are ddla's.
#include "catch.hpp"
#include "qd_operations.hpp"

#include <cstdio>
#include <string>

namespace {

using namespace ddla::test;

constexpr int pairs = samples(1'200'000);

std::string text(ddla::dd_real x)
{
    char buffer[80];
    std::snprintf(buffer, sizeof buffer, "(%a, %a)", x.hi, x.lo);
    return buffer;
}

/// The first pair that differs, in words; empty if none does.
std::string first_difference(const operation& op, const operand_pair& pair)
{
    const ddla::dd_real ours = op.ours(pair.x, pair.y), theirs = op.theirs(pair.x, pair.y);
    if (same(ours, theirs)) return {};
    return std::string(op.name) + " of " + text(pair.x) + " and " + text(pair.y) + ": ddla " +
           text(ours) + ", QD " + text(theirs);
}

}  // namespace

TEST_CASE("every operation has QD's bits")
{
    for (const operation& op : operations) {
        operand_source source(2011);
        int compared = 0;
        for (std::int64_t tried = 0; compared < pairs; ++tried) {
            const operand_pair pair = source.next();
            if (!op.domain(pair.x, pair.y)) continue;
            ++compared;
            const std::string difference = first_difference(op, pair);
            if (!difference.empty()) FAIL(difference);
        }
        CHECK(compared == pairs);
    }
}

TEST_CASE("sums have QD's bits for special words, too")
{
    for (const operation& op : operations) {
        if (!op.everywhere) continue;
        for (double xh : special_words)
            for (double yh : special_words) {
                const std::string difference = first_difference(op, {xh, yh});
                CHECK(difference == "");
            }
    }
}

TEST_CASE("compound assignment is the binary operation, not QD's")
{
    operand_source source(7);
    int unlike_qd = 0;
    constexpr int tried = 120'000;
    for (int i = 0; i < tried; ++i) {
        const auto [x, y] = source.next();
        ddla::dd_real z = x;
        REQUIRE(same(z += y, x + y));
        z = x;
        REQUIRE(same(z -= y, x - y));
        z = x;
        REQUIRE(same(z *= y, x * y));
        z = x;
        REQUIRE(same(z /= y, x / y));
        ::dd_real q = ddla::to_qd(x);
        q *= ddla::to_qd(y);
        unlike_qd += product_in_range(x, y) && !same(ddla::from_qd(q), x * y);
    }
    CHECK(unlike_qd > 0);
}

TEST_CASE("two_prod: where QD's splitting ends, and that 2^996 is not the place")
{
    const auto ours = [](double a, double b) { return ddla::dd_real::mul(a, b); };
    const auto theirs = [](double a, double b) { return ddla::from_qd(::dd_real::mul(a, b)); };
    const double b = 0x1.3456789abcdefp-60, first = 0x1.ffffffcp1023;
    for (double a : {0x1.fffffffffffffp995, 0x1p996, 0x1.0000000000001p996, 0x1.789p1000,
                     0x1.ffffffbffffffp1023})
        CHECK(same(ours(a, b), theirs(a, b)));
    CHECK(isfinite(ours(first, b)));
    CHECK(!isfinite(theirs(first, b)));
    // Both upper halves round up, and their product overflows.
    const double x = 0x1.fffffffffffffp511, y = 0x1.ffffffffffffep511;
    CHECK(isfinite(ours(x, y)));
    CHECK(!isfinite(theirs(x, y)));
}
