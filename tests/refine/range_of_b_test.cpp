// The power of two by which b is multiplied while x is computed: powers by hand.
#include "catch.hpp"
#include "support/shapes.hpp"

#include "answer/range_of_b.hpp"

#include "ddla/solve.hpp"

#include <cmath>
#include <vector>

using namespace ddla::api;
using ddla::dd_real;
using ddla::vector;
using ddla::refine::solution_view;

namespace {

/// The two steps down of a b, of which only the first may be there.
std::vector<int> powers_of(vector<dd_real>& b)
{
    scaled_right_hand_side scaled(b, exponent_of_b);
    std::vector<int> powers{scaled.power()};
    while (scaled.move_down()) powers.push_back(scaled.power());
    return powers;
}

constexpr double odd = 1 + 0x1p-52;

}  // namespace

TEST_CASE("b near the lower end is scaled up, and back first where x overflows", "[range]")
{
    vector<dd_real> b{dd_real(0x1p-900), dd_real(0)};
    CHECK(powers_of(b) == std::vector<int>{1200, 0});
    CHECK((b[0] == dd_real(0x1p-900)));
}

TEST_CASE("a large b is scaled down so that its largest entry is 2^-200", "[range]")
{
    vector<dd_real> b{dd_real(0x1p400), dd_real(1)};
    CHECK(powers_of(b) == std::vector<int>{0, -600});
    CHECK((b[0] == dd_real(0x1p-200) && b[1] == dd_real(0x1p-600)));
}

TEST_CASE("b is not scaled down so far that it loses bits", "[range]")
{
    // The last bit of (1 + 2^-52) 2^-700 is 2^-752: 322 powers above the least one.
    vector<dd_real> b{dd_real(0x1p400), dd_real(odd * 0x1p-700)};
    CHECK(powers_of(b) == std::vector<int>{0, -322});
    CHECK((b[0] == dd_real(0x1p78) && b[1] == dd_real(odd * 0x1p-1022)));
    // Of low words, too: 1 + 2^-700.
    vector<dd_real> two_words{dd_real(0x1p400), dd_real(1, 0x1p-700)};
    CHECK(powers_of(two_words) == std::vector<int>{0, -322});
    CHECK((two_words[1] == dd_real(0x1p-322, 0x1p-1022)));
    vector<dd_real> subnormal{dd_real(0x1p400), dd_real(0x1p-1074)};
    CHECK(powers_of(subnormal) == std::vector<int>{0});
}

TEST_CASE("a guess is scaled as b is, and forgotten where that overflows", "[range]")
{
    vector<dd_real> b{dd_real(0x1p-900)};
    const scaled_right_hand_side scaled(b, exponent_of_b);
    vector<dd_real> near{dd_real(0x1p-900, 0x1p-960), dd_real(0)};
    scaled.take_in(solution_view(near.view()));
    CHECK((near[0] == dd_real(0x1p300, 0x1p240)));
    vector<dd_real> far{dd_real(0x1p-900), dd_real(0x1p-100)};
    scaled.take_in(solution_view(far.view()));
    CHECK((far[0] == dd_real(0) && far[1] == dd_real(0)));
}

TEST_CASE("each time that b is made smaller the guess is made anew before", "[range]")
{
    vector<dd_real> b{dd_real(0x1p-900)};
    scaled_right_hand_side scaled(b, exponent_of_b);
    std::vector<int> found;
    constexpr int guess = 9999;
    const auto find = [&](int exponent) {
        found.push_back(exponent);
        ddla::refine::answer a;
        a.overflowed_inside = true;
        return a;
    };
    find_in_range(scaled, find, [&] { found.push_back(guess); });
    CHECK(found == std::vector<int>{-1200, guess, 0});
}

TEST_CASE("components 2^1620 and 2^2020 below one that overflows keep their bits", "[range]")
{
    // The residual of x_2, once x_1 is there, is 2^-1100 or less of b: below all doubles.
    const auto a = test::matrix_of({{0x1p-620, 0}, {0, 1}});
    for (const double last : {0x1p-600, 0x1p-700, odd * 0x1p-700, 0x1p-1000, odd * 0x1p-1000}) {
        const vector<dd_real> b{dd_real(0x1p400), dd_real(last)};
        vector<dd_real> x(2);
        const auto report = ddla::solve(a, b, x);
        INFO("b_2 = " << last);
        CHECK((x[0] == dd_real(0x1p1020) && x[1] == dd_real(last)));
        CHECK(report.status == ddla::solve_status::converged);
        REQUIRE(report.digits.has_value());
        CHECK(*report.digits >= (last < 0x1p-900 ? 12 : 31));
    }
}
