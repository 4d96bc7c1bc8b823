// Nested dissection and what it is made of.
#include "catch.hpp"
#include "engine/host_loops.hpp"
#include "factor/dissection/coarsening.hpp"
#include "factor/dissection/minimum_degree.hpp"
#include "factor/dissection/nested_dissection.hpp"
#include "factor/dissection/separator.hpp"
#include "factor/order/column_counts.hpp"
#include "graphs.hpp"

#include "ddla/host_threads.hpp"
#include "ddla/watched_scope.hpp"

#include <cinttypes>
#include <cstdio>
#include <functional>
#include <map>
#include <numeric>
#include <set>

using namespace ddla::factor;
using namespace ddla::test;
using ddla::column_t;
using ddla::index_t;

namespace {

std::vector<column_t> dissected(const edges& e)
{
    return nested_dissection(e.graph()).order({});
}

weighted_graph unmerged(const edges& e)
{
    weighted_graph g;
    for (std::size_t j = 0; j < e.rows.size(); ++j) {
        for (const column_t i : e.rows[j])
            if (as_size(i) != j) g.neighbour.push_back(i);
        g.begin.push_back(g.entries());
    }
    g.edge_weight.assign(g.neighbour.size(), 1);
    g.vertex_weight.assign(e.rows.size(), 1);
    g.weight = static_cast<index_t>(e.rows.size());
    return g;
}

std::uint64_t fnv_of(const std::vector<column_t>& order)
{
    std::uint64_t hash = 0xcbf29ce484222325u;
    for (const column_t j : order)
        for (int k = 0; k < 4; ++k)
            hash = (hash ^ (static_cast<std::uint32_t>(j) >> 8 * k & 0xff)) * 0x100000001b3u;
    return hash;
}

/// Without every `period`-th edge between different places of three columns.
edges with_missing_entries(const edges& e, index_t period)
{
    edges left(static_cast<index_t>(e.rows.size()));
    index_t k = 0;
    for (std::size_t j = 0; j < e.rows.size(); ++j)
        for (const column_t i : e.rows[j])
            if (as_size(i) < j && (as_size(i) / 3 == j / 3 || ++k % (2 * period) != 0))
                left.add(i, static_cast<index_t>(j));
    return left;
}

/// Judged by the edges alone.
void check_separation(const edges& e, const separation& s)
{
    REQUIRE(s.of.size() == e.rows.size());
    std::array<index_t, 3> weight{};
    index_t across = 0;
    for (std::size_t j = 0; j < e.rows.size(); ++j) {
        ++weight[as_size(static_cast<int>(s.of[j]))];
        for (const column_t i : e.rows[j])
            across += s.of[j] == part::first && s.of[as_size(i)] == part::second;
    }
    CHECK(across == 0);
    CHECK(weight == s.weight);
}

}  // namespace

TEST_CASE("the graph of a pattern has the neighbours in it and in its transpose", "[factor]")
{
    using set = std::set<std::pair<int, int>>;
    const auto check = [](int n, const set& entries, bool jumbled) {
        std::vector<index_t> begin{0};
        std::vector<column_t> row;
        std::vector<std::set<column_t>> wanted(as_size(n));
        for (int j = 0; j < n; ++j) {
            for (int i = 0; i < n; ++i)
                if (entries.count({i, j}) > 0) row.push_back(i);
            if (jumbled) std::reverse(row.begin() + begin.back(), row.end());
            begin.push_back(static_cast<index_t>(row.size()));
        }
        for (const auto& [i, j] : entries)
            if (i != j) {
                wanted[as_size(j)].insert(i);
                wanted[as_size(i)].insert(j);
            }
        const adjacency graph(begin, row);
        REQUIRE(graph.size() == n);
        for (int j = 0; j < n; ++j) {
            const auto found = graph.of(j);
            CHECK(std::vector<column_t>(found.begin(), found.end()) ==
                  std::vector<column_t>(wanted[as_size(j)].begin(), wanted[as_size(j)].end()));
        }
    };
    set symmetric;
    for (int i = 0; i < 6; ++i)
        for (int j = 0; j < 6; ++j)
            if ((i * j) % 3 != 1 && i + j != 4) symmetric.insert({i, j});
    check(0, {}, false);
    check(1, {}, false);
    check(1, {{0, 0}}, false);
    for (const bool jumbled : {false, true}) {
        check(6, symmetric, jumbled);
        for (const auto& one : symmetric) {  // each entry missing once: also the last of a row
            set without = symmetric;
            without.erase(one);
            check(6, without, jumbled);
        }
        set upper, without_diagonal;
        for (const auto& [i, j] : symmetric) {
            if (i <= j) upper.insert({i, j});
            if (i != j) without_diagonal.insert({i, j});
        }
        check(6, upper, jumbled);
        check(6, without_diagonal, jumbled);
    }
}

TEST_CASE("every graph has a dissection", "[factor]")
{
    CHECK(dissected(edges(0)).empty());
    CHECK(dissected(edges(1)) == std::vector<column_t>{0});
    for (const edges& e :
         {edges(3000), star(5000), path(5001), complete(120), complete(2), grid(40, 41, 1),
          grid(11, 12, 13), grid(7, 7, 7, true, 3), in_parts(30), with_dense_column(4000),
          random_graph(2000, 1500, 1), random_graph(1500, 9000, 2)})
        CHECK(is_permutation_of(dissected(e), e.rows.size()));
}

TEST_CASE("orders of dissection keep their bits", "[factor]")
{
    const struct {
        const char* name;
        edges graph;
        std::uint64_t hash;
    } cases[] = {
        {"plane", grid(61, 57, 1), 0xf9f8bcd8ef00e7de},
        {"cube", grid(15, 14, 16), 0xe70ea8839f454f4d},
        {"27 points", grid(10, 11, 9, true), 0xba16679c9c169458},
        {"several columns a place", grid(30, 29, 1, true, 3), 0xba070645ec91152c},
        {"columns alike", with_missing_entries(grid(30, 29, 1, true, 3), 3), 0xb774e7a97f62c1c4},
        {"star", star(3000), 0x8b01316a1dbb6bb5},
        {"path", path(4000), 0x49a2816be145a981},
        {"parts", in_parts(40), 0x5fb389747e4fc908},
        {"dense column", with_dense_column(3000), 0x0955d16a795ae2ac},
        {"random", random_graph(1500, 6000, 5), 0xfc3f6e1b49973525},
    };
    for (const auto& one : cases) {
        INFO(one.name);
        const std::uint64_t hash = fnv_of(dissected(one.graph));
        CHECK(hash == one.hash);
        if (hash != one.hash) std::printf("%s: 0x%016" PRIx64 "\n", one.name, hash);
    }
}

TEST_CASE("a dissection does not depend on the number of threads", "[factor]")
{
    const int before = ddla::host_threads();
    for (const edges& e : {grid(130, 125, 1), grid(24, 23, 22), in_parts(80)}) {
        const adjacency a = e.graph();
        const std::vector<column_t> alone = nested_dissection(a).order({});
        for (const int threads : {1, 2, 5}) {
            ddla::set_host_threads(threads);
            const chunk_runner run(threads, ddla::run_on_host);
            CHECK(nested_dissection(a).order(run) == alone);
            int asked = 0;
            for (const bool goes_on : {true, false}) {
                const auto found =
                    nested_dissection(a).order(run, [&] { return ++asked, goes_on; });
                CHECK(found == (goes_on ? alone : std::vector<column_t>{}));
            }
            CHECK(asked == 2);
        }
    }
    ddla::set_host_threads(before);
}

TEST_CASE("a dissection ends where its watch says so", "[factor]")
{
    const int before = ddla::host_threads();
    const adjacency a = grid(30, 31, 32).graph();
    for (const int threads : {1, 3}) {
        ddla::set_host_threads(threads);
        const chunk_runner run(threads, ddla::run_on_host);
        int looks = 0;
        CHECK(
            ddla::completed([&] { return ++looks > 0; }, [&] { nested_dissection(a).order(run); }));
        CHECK(looks > 50);
        for (const int last : {1, 2, looks / 4, looks / 2}) {
            int seen = 0;
            CHECK_FALSE(ddla::completed([&] { return ++seen < last; },
                                        [&] { nested_dissection(a).order(run); }));
            CHECK(seen <= last + threads);  // it ends soon
        }
    }
    ddla::set_host_threads(before);
}

TEST_CASE("separators separate", "[factor]")
{
    for (const edges& e : {grid(30, 30, 1), grid(12, 12, 12), grid(9, 9, 9, true), star(700),
                           path(901), in_parts(20), random_graph(800, 2000, 4), complete(90)})
        for (std::uint64_t seed = 0; seed < 5; ++seed)
            check_separation(e, separated(unmerged(e), seed));
}

TEST_CASE("separators of grids are about as small as planes", "[factor]")
{
    for (std::uint64_t seed = 0; seed < 10; ++seed) {
        const separation plane = separated(unmerged(grid(40, 40, 1)), seed),
                         cube = separated(unmerged(grid(14, 14, 14)), seed),
                         line = separated(unmerged(path(1000)), seed);
        CHECK(plane.weight[2] <= 42);
        CHECK(cube.weight[2] <= 210);
        CHECK(line.weight[2] == 1);
        for (const separation* s : {&plane, &cube, &line}) {
            const index_t all = s->weight[0] + s->weight[1] + s->weight[2];
            CHECK(std::max(s->weight[0], s->weight[1]) <= all * 13 / 20 + 1);
        }
    }
}

TEST_CASE("passes do not make a separator worse, and mend uneven sides", "[factor]")
{
    const edges e = grid(25, 24, 1);
    const weighted_graph g = unmerged(e);
    for (const index_t column : {1, 5, 12, 20}) {
        separation s;
        for (index_t v = 0; v < g.size(); ++v) {
            const index_t x = v % 25;
            s.of.push_back(x < column ? part::first : x > column ? part::second : part::separator);
            ++s.weight[as_size(static_cast<int>(s.of.back()))];
        }
        const auto before = s.weight;
        refinement(g).refine(s);
        check_separation(e, s);
        CHECK_FALSE(is_better(before, s.weight));
        CHECK(std::max(s.weight[0], s.weight[1]) <= g.weight * 13 / 20 + 1);
    }
}

TEST_CASE("coarser graphs keep weights, and the edges between pairs", "[factor]")
{
    for (const edges& e : {grid(20, 21, 1), star(400), in_parts(12), complete(40),
                           random_graph(500, 1500, 6), with_dense_column(300)}) {
        const weighted_graph g = unmerged(e);
        const coarser_graph c = coarsened(g, 4, 7);
        std::map<std::pair<column_t, column_t>, index_t> between;
        std::vector<index_t> weight(as_size(c.graph.size()), 0);
        for (column_t v = 0; v < g.size(); ++v) {
            ++weight[as_size(c.image[as_size(v)])];
            for (const column_t u : g.of(v))
                if (c.image[as_size(u)] != c.image[as_size(v)])
                    ++between[{c.image[as_size(v)], c.image[as_size(u)]}];
        }
        CHECK(c.graph.weight == g.weight);
        CHECK(std::vector<index_t>(c.graph.vertex_weight.begin(), c.graph.vertex_weight.end()) ==
              weight);
        CHECK(*std::max_element(weight.begin(), weight.end()) <= 2);
        std::map<std::pair<column_t, column_t>, index_t> found;
        for (column_t v = 0; v < c.graph.size(); ++v)
            for (index_t k = c.graph.begin[as_size(v)]; k < c.graph.begin[as_size(v) + 1]; ++k)
                found[{v, c.graph.neighbour[as_size(k)]}] += c.graph.edge_weight[as_size(k)];
        CHECK(found == between);
    }
    CHECK(coarsened(unmerged(star(1001)), 4, 1).graph.size() <= 502);
    CHECK(coarsened(unmerged(grid(40, 40, 1)), 4, 1).graph.size() <= 950);
}

TEST_CASE("equal columns become one", "[factor]")
{
    const edges e = grid(9, 8, 1, false, 3);
    const merged_graph m = merge_alike_columns(e.graph(), std::vector<char>(e.rows.size(), 0));
    REQUIRE(m.graph.size() == 72);
    CHECK(m.graph.entries() == 2 * (8 * 8 + 9 * 7));
    CHECK(m.graph.weight == 216);
    std::vector<column_t> all(216);
    std::iota(all.begin(), all.end(), column_t{0});
    CHECK(m.columns == all);
    for (column_t v = 0; v < 72; ++v) CHECK(m.first[as_size(v)] == 3 * v);
    // Without what is left out: the ends of a star's rays are not neighbours, and stay apart.
    std::vector<char> out(50, 0);
    out[0] = 1;
    CHECK(merge_alike_columns(star(50).graph(), out).graph.size() == 49);
    CHECK(merge_alike_columns(complete(50).graph(), out).graph.size() == 1);
}

TEST_CASE("columns of a place become one where some of their entries are missing", "[factor]")
{
    const edges e = with_missing_entries(grid(9, 8, 1, true, 3), 7);
    const merged_graph m = merge_alike_columns(e.graph(), std::vector<char>(e.rows.size(), 0));
    CHECK(m.graph.size() == 9 * 8);
    CHECK(m.graph.weight == 3 * 9 * 8);
    std::vector<column_t> vertex(e.rows.size(), -1);
    for (column_t v = 0; v < m.graph.size(); ++v)
        for (index_t k = m.first[as_size(v)]; k < m.first[as_size(v) + 1]; ++k)
            vertex[as_size(m.columns[as_size(k)])] = v;
    std::vector<std::set<column_t>> wanted(as_size(m.graph.size()));  // neighbours of any column
    for (std::size_t j = 0; j < e.rows.size(); ++j)
        for (const column_t i : e.rows[j])
            if (vertex[as_size(i)] != vertex[j])
                wanted[as_size(vertex[j])].insert(vertex[as_size(i)]);
    for (column_t v = 0; v < m.graph.size(); ++v)
        CHECK(std::vector<column_t>(wanted[as_size(v)].begin(), wanted[as_size(v)].end()) ==
              std::vector<column_t>(m.graph.of(v).begin(), m.graph.of(v).end()));
    // Dense columns are no neighbours that columns share.
    edges bordered = grid(20, 20, 1);
    bordered.rows.resize(412);
    for (index_t k = 400; k < 412; ++k)
        for (index_t i = 0; i <= k; ++i) bordered.add(i, k);
    std::vector<char> is_dense(412, 0);
    std::fill(is_dense.begin() + 400, is_dense.end(), char{1});
    CHECK(merge_alike_columns(bordered.graph(), is_dense).graph.size() == 400);
    // One column a place: neighbours share half, and less at the edges of the grid than two thirds.
    const edges single = grid(9, 8, 7, true);
    CHECK(merge_alike_columns(single.graph(), std::vector<char>(single.rows.size(), 0))
              .graph.size() == 9 * 8 * 7);
}

TEST_CASE("minimum degree fills no tree", "[factor]")
{
    edges tree(2000);
    for (index_t k = 1; k < 2000; ++k) tree.add(k, (k - 1) / (1 + k % 5));
    for (const edges& e : {tree, star(300), path(1000)}) {
        const auto n = static_cast<column_t>(e.rows.size());
        const std::vector<column_t> order = order_by_minimum_degree(unmerged(e), n);
        REQUIRE(is_permutation_of(order, e.rows.size()));
        CHECK(count_elimination(e.graph(), order).entries == 2 * index_t{n} - 1);
    }
}

TEST_CASE("minimum degree orders the inner part, and sees its surroundings", "[factor]")
{
    const edges e = grid(8, 9, 4);
    const std::vector<column_t> inner = order_by_minimum_degree(unmerged(e), 100);
    CHECK(is_permutation_of(inner, 100));
    // A path 0 - 1 - 2 - 3 - 4 of which 0 has many neighbours outside: it comes last.
    edges around(20);
    for (index_t k = 1; k < 5; ++k) around.add(k, k - 1);
    for (index_t k = 5; k < 20; ++k) around.add(0, k);
    CHECK(order_by_minimum_degree(unmerged(around), 5).back() == 0);
}

TEST_CASE("dissection of grids needs fewer operations than rows in a band", "[factor]")
{
    const auto operations = [](const edges& e, const std::vector<column_t>& order) {
        return count_elimination(e.graph(), order).operations;
    };
    const edges plane = grid(60, 60, 1), cube = grid(16, 16, 16);
    std::vector<column_t> natural(4096);
    std::iota(natural.begin(), natural.end(), column_t{0});
    // Of the band: n^4 / 2 and n^7 / 2; of dissection about 10 n^3 (George) and 6 n^6.
    CHECK(operations(cube, natural) > 1.2e8);
    CHECK(operations(cube, dissected(cube)) < 3e7);
    CHECK(operations(plane, dissected(plane)) < 10 * 60.0 * 60 * 60);
}
