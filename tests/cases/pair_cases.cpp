// One text for the host and the device: arrays of pairs.
#include "support/operands.hpp"
#include "support/sites.hpp"

#include "ddla/error.hpp"

using ddla::dd_pair;
using ddla::dd_real;
using ddla::index_t;
using test::array_there;
using test::numbers;
using test::same_bits;
using test::site;
using test::words;

namespace {

std::vector<dd_pair> pairs_of(const ddla::vector<dd_real>& x)
{
    return {x.begin(), x.end()};
}
bool same_pairs(const std::vector<dd_pair>& a, const std::vector<dd_pair>& b)
{
    return std::equal(a.begin(), a.end(), b.begin(), b.end(), [](dd_real x, dd_real y) {
        return same_bits(x.hi, y.hi) && same_bits(x.lo, y.lo);
    });
}
std::span<dd_pair> span_of(const array_there<dd_pair>& a, index_t n)
{
    return {a.data(), static_cast<std::size_t>(n)};
}

/// Both ways, from one array to another, all the rest untouched.
void check_both_ways(site& at, const ddla::vector<dd_real>& x, words how)
{
    const index_t n = x.size();
    const dd_real other(-7.0, 0x1p-60);
    const numbers<dd_real> x_there(at, x, how);
    const numbers<dd_real> back(at, ddla::vector<dd_real>(n, other), how);
    const array_there<dd_pair> pairs(at, pairs_of(ddla::vector<dd_real>(n, other)));
    ddla::interleave(at.on(), x_there.view(), span_of(pairs, n));
    ddla::split(at.on(), span_of(pairs, n), back.view());
    CHECK(same_pairs(pairs.values(), pairs_of(x)));
    CHECK(same_bits(back.values(), x));
    CHECK(same_bits(x_there.values(), x));
}

}  // namespace

TEST_CASE("pairs on a stream", "[streams][pairs]")
{
    test::at_every_site([](site& at) {
        for (const test::operand kind : test::all_operands)
            for (const index_t n : {0, 1, 2, 255, 256, 257, 65537})
                for (const words how : {words::together, words::apart}) {
                    INFO(test::name_of(kind) << ", n = " << n);
                    check_both_ways(at, test::operands<dd_real>(kind, n, 11), how);
                }
    });
}

TEST_CASE("pairs of vectors", "[streams][pairs]")
{
    test::at_every_site([](site& at) {
        for (const index_t n : {0, 1, 300}) {
            const auto x = test::random_vector<dd_real>(n, 12);
            const auto there = x.to(at.on().where());
            const array_there<dd_pair> pairs(at, std::vector<dd_pair>(std::size_t(n)));
            ddla::interleave(there, span_of(pairs, n));
            CHECK(same_pairs(pairs.values(), pairs_of(x)));
            ddla::vector<dd_real> back(n, at.on().where());
            ddla::split(span_of(pairs, n), back);
            CHECK(same_bits(back, x));
        }
    });
}

TEST_CASE("pairs that are no number keep their words", "[streams][pairs]")
{
    test::at_every_site([](site& at) {
        std::vector<dd_pair> odd(2);
        odd[0].hi = 1.0, odd[0].lo = 8.0;  // not normalised
        odd[1].hi = -0.0, odd[1].lo = std::numeric_limits<double>::infinity();
        const array_there<dd_pair> pairs(at, odd);
        const numbers<dd_real> x(at, ddla::vector<dd_real>(2));
        ddla::split(at.on(), span_of(pairs, 2), x.view());
        CHECK(same_pairs(pairs_of(x.values()), odd));
    });
}

TEST_CASE("pairs that do not fit are refused", "[streams][pairs]")
{
    test::at_every_site([](site& at) {
        const ddla::vector<dd_real> three{1, 2, 3};
        const numbers<dd_real> x(at, three);
        const array_there<dd_pair> pairs(at, pairs_of(three));
        ddla::stream& on = at.on();
        const auto refused = [&](std::span<dd_pair> p, ddla::vec<dd_real> v, std::string why) {
            CHECK_THROWS_AS(ddla::interleave(on, v, p), ddla::input_error);
            CHECK_THROWS_WITH(ddla::interleave(on, v, p), "interleave: " + why);
            CHECK_THROWS_AS(ddla::split(on, p, v), ddla::input_error);
            CHECK_THROWS_WITH(ddla::split(on, p, v), "split: " + why);
        };
        refused(span_of(pairs, 2), x.view(), "x has 3 elements, the array 2 pairs");
        refused({static_cast<dd_pair*>(nullptr), 3}, x.view(),
                "the array of pairs is a null pointer");
        auto* const odd = reinterpret_cast<dd_pair*>(reinterpret_cast<double*>(pairs.data()) + 1);
        refused({odd, 2}, {x.view().word(0), x.view().word(1), 2},
                "the array of pairs is not aligned to 16 bytes");
        auto* const inside = reinterpret_cast<double*>(pairs.data());
        refused(span_of(pairs, 3), {x.view().word(0), inside + 5, 1 + 2},
                "x and the array of pairs overlap");
        refused(span_of(pairs, 3), {x.view().word(0), nullptr, 3}, "x is a null pointer");
        const ddla::vector<dd_real> two(2, at.on().where());
        CHECK_THROWS_WITH(ddla::interleave(two, span_of(pairs, 3)),
                          "interleave: x has 2 elements, the array 3 pairs");
        CHECK(same_bits(x.values(), three));
        CHECK(same_pairs(pairs.values(), pairs_of(three)));
    });
}
