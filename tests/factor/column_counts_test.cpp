// The elimination tree and column counts, against elimination with sets.
#include "catch.hpp"
#include "factor/order/column_counts.hpp"
#include "graphs.hpp"

#include <numeric>

using namespace ddla::factor;
using namespace ddla::test;
using ddla::column_t;
using ddla::index_t;

namespace {

/// The rows of each column of L below its diagonal, by their places in the order.
std::vector<std::set<column_t>> eliminated(const edges& e, const std::vector<column_t>& order)
{
    std::vector<column_t> place(order.size());
    for (std::size_t k = 0; k < order.size(); ++k) place[as_size(order[k])] = column_t(k);
    std::vector<std::set<column_t>> below(order.size());
    for (std::size_t j = 0; j < order.size(); ++j)
        for (const column_t i : e.rows[j]) {
            const column_t x = place[as_size(i)], y = place[j];
            if (x != y) below[as_size(std::min(x, y))].insert(std::max(x, y));
        }
    for (std::set<column_t>& rows : below)
        for (const column_t i : rows) below[as_size(i)].insert(rows.upper_bound(i), rows.end());
    return below;
}

std::vector<column_t> shuffled(std::size_t n)
{
    std::vector<column_t> order(n);
    std::iota(order.begin(), order.end(), column_t{0});
    std::uint64_t x = n;
    for (std::size_t k = n; k > 1; --k) {
        x = x * 6364136223846793005u + 1442695040888963407u;
        std::swap(order[k - 1], order[(x >> 33) % k]);
    }
    return order;
}

void check_counts(const edges& e)
{
    const std::vector<column_t> order = shuffled(e.rows.size());
    const elimination_counts c = count_elimination(e.graph(), order);
    REQUIRE(is_permutation_of(c.order, order.size()));
    const auto below = eliminated(e, c.order);
    index_t entries = 0, before = 0;
    double operations = 0;
    bool same = true;
    for (std::size_t k = 0; k < below.size(); ++k) {
        const auto rows = static_cast<index_t>(below[k].size());
        same = same && c.count[k] == rows + 1;
        same = same && c.parent[k] == (rows == 0 ? -1 : *below[k].begin());
        entries += rows + 1;
        operations += static_cast<double>(rows * (rows + 1) / 2);
    }
    for (const auto& rows : eliminated(e, order)) before += static_cast<index_t>(rows.size()) + 1;
    CHECK(same);
    CHECK(c.entries == entries);
    CHECK(c.entries == before);  // the postorder keeps them
    CHECK(c.operations == operations);
}

/// Whether each subtree is a run of places that ends at its root.
bool is_postordered(const elimination_counts& c)
{
    const std::size_t n = c.order.size();
    std::vector<column_t> size(n, 1);
    for (std::size_t k = 0; k < n; ++k)
        if (c.parent[k] >= 0) size[as_size(c.parent[k])] += size[k];
    // As many vertices as the run has places, and all of them in it.
    for (std::size_t k = 0; k < n; ++k) {
        if (c.parent[k] < 0) continue;
        const auto first = [&](std::size_t v) { return static_cast<column_t>(v) - size[v] + 1; };
        const std::size_t p = as_size(c.parent[k]);
        if (p <= k || first(k) < first(p)) return false;
    }
    return true;
}

}  // namespace

TEST_CASE("columns of L are counted as elimination with sets has them", "[factor]")
{
    check_counts(grid(9, 8, 1));
    check_counts(grid(5, 4, 6));
    check_counts(grid(4, 5, 3, true, 2));
    check_counts(star(60));
    check_counts(path(101));
    check_counts(in_parts(6));
    check_counts(with_dense_column(80));
    for (std::uint64_t seed = 1; seed <= 20; ++seed)
        check_counts(random_graph(90, static_cast<index_t>(20 * seed), seed));
}

TEST_CASE("counts of nothing, of one column, and of a full matrix", "[factor]")
{
    CHECK(count_elimination(edges(0).graph(), {}).entries == 0);
    const elimination_counts one = count_elimination(edges(1).graph(), {0});
    CHECK(one.count == std::vector<column_t>{1});
    CHECK(one.parent == std::vector<column_t>{-1});
    CHECK(one.operations == 0);
    const elimination_counts full = count_elimination(complete(50).graph(), shuffled(50));
    CHECK(full.entries == 50 * 51 / 2);
    CHECK(full.operations == 50 * (50 * 50 - 1) / 6);
}

TEST_CASE("a postorder has subtrees one after the other", "[factor]")
{
    for (const edges& e : {grid(11, 9, 1), in_parts(7), random_graph(120, 150, 3), path(64)})
        CHECK(is_postordered(count_elimination(e.graph(), shuffled(e.rows.size()))));
}

TEST_CASE("a long path is counted without recursion", "[factor]")
{
    constexpr index_t n = 300000;
    const adjacency a = path(n).graph();
    std::vector<column_t> order;
    for (index_t k = 0; k < n; ++k) order.push_back(static_cast<column_t>(k * 7 % n));
    const elimination_counts c = count_elimination(a, order);
    CHECK(c.entries == 2 * n - 1);
    CHECK(c.operations == n - 1);
}
