// What travels for a sum.
#include "support/ranks.hpp"

#include "ranks/sum_plan.hpp"

using namespace test;

TEST_CASE("few numbers travel for a sum", "[ranks]")
{
    using namespace ddla::ranks;
    const auto gathered = [](const ranges& of) { return sum_plan(of, 0).gathered(); };
    // The table of docs/ranks.md.
    CHECK(gathered(even_ranges(8'000'000, 4, 256)) == 123);
    CHECK(gathered(even_ranges(8'000'000, 1, 256)) == 1);
    // At most 255 at each end and level beside the nodes that are whole.
    const index_t n = 100'000'000;
    for (const int ranks : rank_counts()) {
        const auto cut = random_cuts(n / 256, ranks, 11);
        std::vector<index_t> begin;
        for (const index_t c : cut) begin.push_back(c * 256);
        begin.back() = n;
        INFO("ranks begin at " << text_of(begin));
        CHECK(gathered(ranges(begin)) <= static_cast<std::size_t>(n / 65536 + 510 * ranks));
    }
}
