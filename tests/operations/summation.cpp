// The rule of ddla/summation.hpp by itself: in which order terms are added.
//
// A term here is the text of how it came about, so a test sees every addition, not only a value
// that another order could share.
#include "catch.hpp"

#include "ddla/summation.hpp"

#include <string>
#include <vector>

namespace {

using ddla::index_t;

struct spelt {
    std::string text;
    friend spelt operator+(const spelt& a, const spelt& b)
    {
        return {'(' + a.text + ' ' + b.text + ')'};
    }
};

std::vector<spelt> numbered(index_t n)
{
    std::vector<spelt> terms;
    for (index_t i = 0; i < n; ++i) terms.push_back({std::to_string(i)});
    return terms;
}

/// The rule as docs/design.md states it, for up to 256 terms: the terms that are left, halved from
/// 256 on, and the odd ones kept.
spelt folded(std::vector<spelt> term)
{
    for (std::size_t h = 128; h > 0; h /= 2) {
        std::vector<spelt> left;
        for (std::size_t i = 0; i < term.size() && i < h; ++i)
            left.push_back(i + h < term.size() ? term[i] + term[i + h] : term[i]);
        term = left;
    }
    return term.front();
}

/// For any number of terms: tiles of 256, then their sums.
spelt by_the_rule(const std::vector<spelt>& term)
{
    if (term.size() <= 256) return folded(term);
    std::vector<spelt> of_tile;
    for (std::size_t begin = 0; begin < term.size(); begin += 256) {
        const std::size_t end = std::min(begin + 256, term.size());
        const auto at = [&](std::size_t i) { return term.begin() + static_cast<long>(i); };
        of_tile.push_back(folded({at(begin), at(end)}));
    }
    return by_the_rule(of_tile);
}

}  // namespace

TEST_CASE("the rule, written out", "[summation]")
{
    CHECK(folded(numbered(1)).text == "0");
    CHECK(folded(numbered(2)).text == "(0 1)");
    CHECK(folded(numbered(3)).text == "((0 2) 1)");
    CHECK(folded(numbered(5)).text == "(((0 4) 2) (1 3))");
}

TEST_CASE("terms of a tile are folded in half", "[summation]")
{
    for (int n = 1; n <= 256; ++n) {
        std::vector<spelt> terms = numbered(n);
        ddla::fold_in_half(terms.data(), n);
        INFO(n << " terms");
        CHECK(terms[0].text == folded(numbered(n)).text);
    }
}

TEST_CASE("a running sum has the order of the rule", "[summation]")
{
    constexpr index_t tile = 256;
    for (const index_t n :
         {index_t{1}, index_t{2}, index_t{7}, tile - 1, tile, tile + 1, 2 * tile, 2 * tile + 1,
          3 * tile - 1, tile * tile - 1, tile * tile, tile * tile + 1, tile * (tile + 1) + 3}) {
        ddla::running_sum<spelt> sum;
        for (const spelt& term : numbered(n)) sum.add(term);
        INFO(n << " terms");
        CHECK(sum.sum({"none"}).text == by_the_rule(numbered(n)).text);
    }
    CHECK(ddla::running_sum<spelt>().sum({"none"}).text == "none");
}

TEST_CASE("tiles that terms fill", "[summation]")
{
    CHECK(ddla::tiles(0) == 0);
    CHECK(ddla::tiles(1) == 1);
    CHECK(ddla::tiles(256) == 1);
    CHECK(ddla::tiles(257) == 2);
    CHECK(ddla::tiles(512) == 2);
    CHECK(ddla::tiles(513) == 3);
}

TEST_CASE("sums of several numbers are added number by number", "[summation]")
{
    using three = ddla::sums<double, 3>;
    const three total = three{{1, 2, 3}} + three{{10, 20, 30}};
    for (int k = 0; k < 3; ++k) CHECK(total.value[k] == 11 * (k + 1));
}
