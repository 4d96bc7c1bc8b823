// What travels for a sum.
#include "support/ranks.hpp"

#include "ddla/blas.hpp"

#include "engine/engine.hpp"
#include "host/rank_tiles.hpp"
#include "ranks/rank_sums.hpp"

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

namespace {

/// Cuts at multiples of 256.
ddla::ranks::ranges aligned(index_t n, const cuts& of_tiles)
{
    std::vector<index_t> begin;
    for (const index_t c : of_tiles) begin.push_back(std::min(c * 256, n));
    begin.back() = n;
    return ddla::ranks::ranges(begin);
}

/// Sums where at most so many numbers go to all.
template <class T>
std::string wrong_sums(index_t n, const ddla::ranks::ranges& of, std::size_t most)
{
    const auto x = random_vector<T>(n, 1), y = random_vector<T>(n, 2);
    const T dot = ddla::dot(x, y), norm = ddla::nrm2(x);
    findings all;
    ddla::run_ranks(of.count(), [&](auto among) {
        const index_t first = of.begin(among->rank()), count = of.size(among->rank());
        ddla::ranks::rank_sums sums(among, of, std::make_shared<ddla::ranks::common_answer>(),
                                    std::make_shared<ddla::ranks::traffic>(), most);
        const auto engine = ddla::host_engine_of_rank(sums);
        const auto own_x = part_of(x, first, count), own_y = part_of(y, first, count);
        all.require(same_bits(engine->template vectors<T>().dot(own_x.view(), own_y.view()), dot),
                    "dot");
        all.require(same_bits(engine->template vectors<T>().nrm2(own_x.view()), norm), "nrm2");
    });
    return all.wrong();
}

}  // namespace

TEMPLATE_TEST_CASE("sums whose nodes go to owners first", "[ranks]", double, ddla::dd_real)
{
    for (const index_t n : {1, 300, 70'001, 300'000, 1'000'000})
        for (const int ranks : rank_counts())
            for (const std::size_t most : {0, 1, 3, 100})
                for (const auto& of : {aligned(n, even_cuts((n + 255) / 256, ranks)),
                                       aligned(n, random_cuts((n + 255) / 256, ranks, 13))}) {
                    INFO(n << " elements, " << ranks << " ranks, " << most << " numbers");
                    CHECK(wrong_sums<TestType>(n, of, most) == "");
                }
}

TEST_CASE("several sums whose nodes go to owners first", "[ranks]")
{
    const index_t n = 300'000;
    const auto x = random_vector<double>(n, 1), y = random_vector<double>(n, 2);
    const double wanted[] = {ddla::dot(x, x), ddla::dot(x, y), ddla::dot(y, y)};
    for (const int ranks : rank_counts())
        for (const std::size_t most : {0, 3}) {
            const auto of = aligned(n, random_cuts((n + 255) / 256, ranks, 13));
            findings all;
            ddla::run_ranks(ranks, [&](auto among) {
                ddla::ranks::rank_sums sums(among, of,
                                            std::make_shared<ddla::ranks::common_answer>(),
                                            std::make_shared<ddla::ranks::traffic>(), most);
                const index_t begin = of.begin(among->rank()), end = of.end(among->rank());
                std::vector<ddla::sums<double, 1>> parts[3];
                for (index_t i = begin; i < end; i += 256) {
                    double terms[3][256];
                    const int count = static_cast<int>(std::min<index_t>(256, end - i));
                    for (int k = 0; k < count; ++k)
                        terms[0][k] = x[i + k] * x[i + k], terms[1][k] = x[i + k] * y[i + k],
                        terms[2][k] = y[i + k] * y[i + k];
                    for (int j = 0; j < 3; ++j) {
                        ddla::fold_in_half(terms[j], count);
                        parts[j].push_back({terms[j][0]});
                    }
                }
                std::byte* each[3];
                for (int j = 0; j < 3; ++j) {
                    parts[j].resize(parts[j].size() + 1);
                    each[j] = reinterpret_cast<std::byte*>(parts[j].data());
                }
                const auto kind = ddla::summand_of<ddla::sums<double, 1>>();
                ddla::host_backend::rank_tiles_on_host tiles(each, kind);
                sums.complete(tiles, end - begin, kind);
                for (int j = 0; j < 3; ++j)
                    all.require(same_bits(parts[j].front().value[0], wanted[j]),
                                "sum " + std::to_string(j));
            });
            INFO(ranks << " ranks, " << most << " numbers");
            CHECK(all.wrong() == "");
        }
}

TEST_CASE("few numbers go to all of many ranks")
{
    using namespace ddla::ranks;
    // 8 million elements each on 1024 ranks: the table of docs/ranks.md.
    const ranges of = even_ranges(8'192'000'000, 1024, 256);
    const sum_plan plan(of, 500);
    CHECK(plan.stages().size() == 2);
    CHECK(plan.gathered() == 489);
    std::size_t sent = 0;
    for (const auto& stage : plan.stages())
        for (const auto& part : stage.sends) sent += part.slots.size();
    CHECK(sent <= 2 * 255);
}
