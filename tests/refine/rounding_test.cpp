// x as it is returned: so many bits, to nearest, in the range of doubles; against exact integers.
#include "catch.hpp"
#include "support/exact_numbers.hpp"
#include "support/random.hpp"

#include "refine/rounding.hpp"

#include "ddla/eft.hpp"

#include <array>

using namespace ddla::refine;
using ddla::dd_real;
using ddla::index_t;
using ddla::vector;

namespace {

using words = std::array<double, 4>;

/// One component in four words.
struct long_number {
    vector<dd_real> high = vector<dd_real>(1), low = vector<dd_real>(1);

    explicit long_number(const words& w)
    {
        high.set(0, dd_real(w[0], w[1]));
        low.set(0, dd_real(w[2], w[3]));
    }
    solution_view view() { return {high.view(), low.view()}; }
    words all() const { return {high[0].hi, high[0].lo, low[0].hi, low[0].lo}; }
};

mpq_class exact(const words& w)
{
    mpq_class sum = 0;
    for (const double x : w) sum += test::exact_number(x).rational();
    return sum;
}

mpq_class power_of_two(long e)
{
    return test::exact_number::power_of_two(e).rational();
}

/// The multiple of 2^q next to x, the even one of two.
mpq_class nearest_multiple(const mpq_class& x, long q)
{
    const mpq_class t = x / power_of_two(q);
    mpz_class below;
    mpz_fdiv_q(below.get_mpz_t(), t.get_num_mpz_t(), t.get_den_mpz_t());
    const mpq_class part = t - below, half(1, 2);
    if (part > half || (part == half && mpz_odd_p(below.get_mpz_t()))) below += 1;
    return below * power_of_two(q);
}

/// From the first bit to the last that is set.
std::size_t bits_of(const mpq_class& x)
{
    if (x == 0) return 0;
    const mpz_class n = abs(x.get_num());
    return mpz_sizeinbase(n.get_mpz_t(), 2) - mpz_scan1(n.get_mpz_t(), 0);
}

/// Words that do not overlap, of random gaps; a few end in zeros.
words random_words(test::random_numbers& random, double size)
{
    words w{};
    double next = size;
    for (std::size_t k = 0; k < 4 && random.below(8) > 0; ++k) {
        // Few bits at times, so that ties are met.
        const double x = random.below(2) ? random.real() : (1 + double(random.below(2))) / 4;
        w[k] = next * (random.below(2) ? x : -x);
        if (w[k] == 0) break;
        next = std::ldexp(1, std::ilogb(w[k]) - 53 - (random.below(3) ? 0 : int(random.below(60))));
    }
    for (int pass = 0; pass < 4; ++pass)
        for (std::size_t k = 3; k > 0; --k) {
            const ddla::exact s = ddla::two_sum(w[k - 1], w[k]);
            w[k - 1] = s.value;
            w[k] = s.error;
        }
    return w;
}

words rounded(const words& w, returned_form form)
{
    long_number x(w);
    round_to(x.view(), {0, 1}, form);
    return x.all();
}

void check_one(const words& w, returned_form form)
{
    long_number x(w);
    const std::vector<double> change = round_to(x.view(), {0, 1}, form);
    const words found = x.all();
    const long of_bits = std::ilogb(w[0]) - significant_bits(form.words) + 1;
    const long q = std::max<long>({of_bits, -1074, -1074L - form.exponent});
    INFO(w[0] << " " << w[1] << " " << w[2] << " " << w[3] << ", " << form.words << " words, 2^"
              << form.exponent);
    CHECK((exact(found) == nearest_multiple(exact(w), q)));
    CHECK(bits_of(exact(found)) <= static_cast<std::size_t>(significant_bits(form.words)));
    const mpq_class told = test::exact_number(change[0]).rational() * (1 + power_of_two(-50));
    CHECK((told >= abs(exact(found) - exact(w))));
    if (exact(found) == exact(w)) CHECK(change[0] == 0);
    for (const double v : found) CHECK_FALSE((v == 0 && std::signbit(v)));
    for (std::size_t k = 1; k < 4; ++k) CHECK(found[k - 1] + found[k] == found[k - 1]);
    for (std::size_t k = static_cast<std::size_t>(form.words); k < 4; ++k) CHECK(found[k] == 0);
    multiply_by_power(x.view(), form.exponent);
    CHECK((exact(x.all()) == exact(found) * power_of_two(form.exponent)));
}

}  // namespace

TEST_CASE("x is rounded to nearest, halves to even, to 53, 107 or 213 bits", "[rounding]")
{
    test::random_numbers random(46);
    for (int k = 0; k < 4000; ++k) {
        const words w =
            random_words(random, std::ldexp(1, static_cast<int>(random.below(600)) - 300));
        if (w[0] == 0) continue;
        for (const int n : {1, 2, 4}) check_one(w, {.words = n});
    }
}

TEST_CASE("where x becomes subnormal it is rounded once, and the product is exact",
          "[rounding][repeats]")
{
    test::random_numbers random(47);
    for (int k = 0; k < 2000; ++k) {
        const words w = random_words(random, 1);
        if (w[0] == 0) continue;
        for (const int exponent : {-700, -900, -1000, -1040, -1072, -1080, 300})
            for (const int n : {1, 2, 4}) check_one(w, {.words = n, .exponent = exponent});
    }
}

TEST_CASE("halves are decided by lower words, however small", "[rounding]")
{
    const double half = 0x1p-53, odd = 1 + 0x1p-52;
    CHECK(rounded({1, half, 0, 0}, {.words = 1}) == words{1, 0, 0, 0});
    CHECK(rounded({1, half, 0x1p-300, 0}, {.words = 1}) == words{odd, 0, 0, 0});
    CHECK(rounded({1, half, 0x1p-120, 0x1p-1074}, {.words = 1}) == words{odd, 0, 0, 0});
    CHECK(rounded({odd, half, -0x1p-300, 0}, {.words = 1}) == words{odd, 0, 0, 0});
    CHECK(rounded({1 + 0x1p-51, -half, 0, 0}, {.words = 1}) == words{1 + 0x1p-51, 0, 0, 0});
    CHECK(rounded({1 + 0x1p-51, -half, -0x1p-300, 0}, {.words = 1}) == words{odd, 0, 0, 0});
    CHECK(rounded({-1, -half, -0x1p-300, 0}, {.words = 1}) == words{-odd, 0, 0, 0});
    CHECK(rounded({1, 0x1p-107, 0, 0}, {.words = 2}) == words{1, 0, 0, 0});
    CHECK(rounded({1, 0x1p-107, 0x1p-1074, 0}, {.words = 2}) == words{1, 0x1p-106, 0, 0});
    CHECK(rounded({1, 3 * 0x1p-107, 0, 0}, {.words = 2}) == words{1, 0x1p-105, 0, 0});
    CHECK(rounded({1, 0x1p-80, 0x1p-213, 0}, {.words = 4}) == words{1, 0x1p-80, 0, 0});
    CHECK(rounded({1, 0x1p-80, 0x1p-213, 0x1p-900}, {.words = 4}) ==
          words{1, 0x1p-80, 0x1p-212, 0});
}

TEST_CASE("rounding carries into higher words", "[rounding]")
{
    // To multiples of 2^-60: halfway between two doubles, the even one of which is the next.
    CHECK(rounded({1 + 0x1p-52, 0x1p-53 - 0x1p-80, 0, 0}, {.words = 2, .exponent = -1014}) ==
          words{1 + 0x1p-51, -0x1p-53, 0, 0});
    // The fourth word becomes half a unit of the third one, which is odd.
    CHECK(rounded({1, 0x1p-54, 0x1p-110 + 0x1p-162, 0x1p-163 - 0x1p-213}, {.words = 4}) ==
          words{1, 0x1p-54, 0x1p-110 + 0x1p-161, -0x1p-163});
    CHECK(rounded({1, 0x1p-54, 0x1p-109 - 0x1p-162, 0x1p-163 - 0x1p-214}, {.words = 4}) ==
          words{1, 0x1p-54, 0x1p-109, -0x1p-163});
}

TEST_CASE("a gap of hundreds of bits is none of x", "[rounding]")
{
    CHECK(rounded({-1, 0x1p-1000, 0, 0}, {.words = 2}) == words{-1, 0, 0, 0});
    CHECK(rounded({-1, 0x1p-1000, 0, 0}, {.words = 4}) == words{-1, 0, 0, 0});
}

TEST_CASE("what is rounded to zero is +0", "[rounding]")
{
    for (const double x : {0x1p-100, -0x1p-100})
        for (const int n : {1, 2, 4}) {
            const words w = rounded({x, 0, 0, 0}, {.words = n, .exponent = -1000});
            for (const double v : w) CHECK((v == 0 && !std::signbit(v)));
        }
    // Half of the smallest subnormal is a tie.
    CHECK(rounded({-0x1p-75, 0, 0, 0}, {.words = 2, .exponent = -1000}) == words{});
    CHECK(rounded({-0x1p-75, -0x1p-200, 0, 0}, {.words = 2, .exponent = -1000}) ==
          words{-0x1p-74, 0, 0, 0});
}

TEST_CASE("components out of the range are left alone", "[rounding]")
{
    const dd_real uneven(1, 0x1p-900);
    vector<dd_real> x{uneven, uneven, uneven};
    const std::vector<double> change = round_to(solution_view(x.view()), {1, 2}, {.words = 2});
    CHECK((x[0] == uneven && x[2] == uneven));
    CHECK((x[1] == dd_real(1)));
    CHECK(change[0] == 0);
    CHECK(change[1] >= 0x1p-900);
    CHECK(change[2] == 0);
}

TEST_CASE("the first component that overflows is named", "[rounding]")
{
    vector<dd_real> x{dd_real(1), dd_real(-0x1p+1000), dd_real(INFINITY), dd_real(NAN)};
    const const_solution_view v(std::as_const(x).view());
    CHECK(first_overflow(v, {0, 4}, 23) == 2);
    CHECK(first_overflow(v, {0, 4}, 24) == 1);
    CHECK(first_overflow(v, {0, 4}, 1024) == 0);
    CHECK(first_overflow(v, {0, 2}, 23) == -1);
    CHECK(first_overflow(v, {0, 1}, 1023) == -1);
    CHECK(first_overflow(v, {3, 4}, -2000) == 3);
}

TEST_CASE("no less is told than what rounding changes", "[rounding]")
{
    long_number x({1, 0x1p-64, 0x1p-118, 0});
    const std::vector<double> change = round_to(x.view(), {0, 1}, {.words = 1});
    CHECK((test::exact_number(change[0]).rational() >= power_of_two(-64) + power_of_two(-118)));
}
