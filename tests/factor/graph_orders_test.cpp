// Orders of a graph: reversed Cuthill and McKee, colours; and the duals of a matching.
#include "catch.hpp"
#include "factor/order/graph_orders.hpp"
#include "factor/order/scaling.hpp"
#include "support/random.hpp"

#include "ddla/generate.hpp"
#include "ddla/watched_scope.hpp"

#include <set>

using namespace ddla::factor;
using ddla::column_t;
using ddla::csr_matrix;
using ddla::index_t;

namespace {

bool is_permutation(std::vector<column_t> p, index_t n)
{
    std::sort(p.begin(), p.end());
    bool all = static_cast<index_t>(p.size()) == n;
    for (std::size_t k = 0; k < p.size(); ++k) all = all && p[k] == static_cast<column_t>(k);
    return all;
}

index_t bandwidth(const sparse_columns<double>& a, const std::vector<column_t>& order)
{
    std::vector<index_t> place(order.size());
    for (std::size_t k = 0; k < order.size(); ++k)
        place[as_size(order[k])] = static_cast<index_t>(k);
    index_t most = 0;
    for (index_t j = 0; j < a.columns; ++j)
        for (index_t k = a.begin[as_size(j)]; k < a.begin[as_size(j) + 1]; ++k)
            most = std::max(most, std::abs(place[as_size(a.row[as_size(k)])] - place[as_size(j)]));
    return most;
}

/// The line 0 - 1 - … with its nodes renumbered.
csr_matrix<double> shuffled_line(index_t n)
{
    ddla::coordinates<double> c{.rows = n, .columns = n};
    const auto number = [&](index_t i) { return i * 7 % n; };
    for (index_t i = 0; i < n; ++i) {
        c.add(number(i), number(i), 2);
        if (i + 1 < n) c.add(number(i), number(i + 1), -1);  // one half: A + A^T is looked at
    }
    return csr_matrix<double>(c);
}

}  // namespace

TEST_CASE("reversed Cuthill and McKee finds the band of a line, and of a grid", "[factor]")
{
    const auto line = columns_of(shuffled_line(101).view());
    const auto order = reverse_cuthill_mckee(pattern_of(line));
    CHECK(is_permutation(order, 101));
    CHECK(bandwidth(line, order) == 1);
    const auto grid = columns_of(ddla::generate::poisson2d(30, 7).view());
    const auto of_grid = reverse_cuthill_mckee(pattern_of(grid));
    CHECK(is_permutation(of_grid, 210));
    CHECK(bandwidth(grid, of_grid) <= 8);
}

TEST_CASE("reversed Cuthill and McKee of parts, and of nothing", "[factor]")
{
    ddla::coordinates<double> c{.rows = 5, .columns = 5};
    c.add(0, 3, 1);
    const auto a = columns_of(csr_matrix<double>(c).view());
    // Parts by degree, then number: 1, 2, 4, then 0 and 3 from the end that the search finds.
    CHECK(reverse_cuthill_mckee(pattern_of(a)) == std::vector<column_t>{3, 0, 4, 2, 1});
    const auto none = columns_of(csr_matrix<double>(ddla::coordinates<double>{}).view());
    CHECK(reverse_cuthill_mckee(pattern_of(none)).empty());
    CHECK(by_colours(pattern_of(none)).empty());
}

TEST_CASE("neighbours have different colours, a grid has two", "[factor]")
{
    const auto grid = columns_of(ddla::generate::poisson2d(9, 8).view());
    const auto two = colours_of(pattern_of(grid));
    CHECK(std::set<column_t>(two.begin(), two.end()).size() == 2);
    const auto random = columns_of(
        test::random_matrix<double>(200, 200, 5, [](index_t i) { return 1 + i % 6; }).view());
    const auto colour = colours_of(pattern_of(random));
    for (index_t j = 0; j < random.columns; ++j)
        for (index_t k = random.begin[as_size(j)]; k < random.begin[as_size(j) + 1]; ++k)
            if (random.row[as_size(k)] != j)
                CHECK(colour[as_size(random.row[as_size(k)])] != colour[as_size(j)]);
    const auto order = by_colours(pattern_of(random));
    CHECK(is_permutation(order, 200));
    for (std::size_t k = 1; k < order.size(); ++k)
        CHECK(std::pair(colour[as_size(order[k - 1])], order[k - 1]) <
              std::pair(colour[as_size(order[k])], order[k]));
}

TEST_CASE("duals of a matching bound each entry and meet the matched ones", "[factor]")
{
    int deficient = 0;
    const auto check_duals = [&](index_t rows, index_t columns, std::uint64_t seed,
                                 const auto& length) {
        INFO(rows << " x " << columns << ", seed " << seed);
        const auto a = columns_of(test::random_matrix<double>(rows, columns, seed, length).view());
        const matching m = largest_product(a);
        deficient += m.size < std::min(rows, columns);
        int above = 0, not_met = 0;
        for (index_t j = 0; j < a.columns; ++j)
            for (index_t k = a.begin[as_size(j)]; k < a.begin[as_size(j) + 1]; ++k) {
                const column_t i = a.row[as_size(k)];
                const auto left =
                    log2_fixed(a.value.get(k)) + m.row_dual[as_size(i)] + m.column_dual[as_size(j)];
                above += left > 0;
                not_met += m.row_of_column[as_size(j)] == i && left != 0;
            }
        CHECK(above == 0);
        CHECK(not_met == 0);
    };
    check_duals(90, 90, 8, [](index_t i) { return 3 + i % 6; });
    // Of every structural rank: rows and columns that no matching reaches lie among the others.
    for (std::uint64_t seed = 0; seed < 300; ++seed) {
        const auto n = static_cast<index_t>(5 + seed % 40);
        check_duals(n, n, seed, [](index_t i) { return 1 + i % 3; });
        check_duals(n, n, seed, [](index_t i) { return i % 4; });
        check_duals(n, n + 3, seed, [](index_t) { return 2; });
        check_duals(n + 3, n, seed, [](index_t) { return 2; });
    }
    CHECK(deficient > 300);
}

TEST_CASE("orders, symmetry and scaling are work in all their passes", "[factor]")
{
    const auto a = columns_of(ddla::generate::poisson2d(300, 300).view());
    const pattern p = pattern_of(a);
    const index_t n = a.columns, entries = a.entries(), neighbours = entries - n;
    const auto looks_of = [](const auto& work) {
        int looks = 0;
        {
            const ddla::watched_scope scope([&] { return ++looks > 0; });
            work();
        }
        for (const int last : {1, looks / 2, looks}) {
            int seen = 0;
            const ddla::watched_scope scope([&] { return ++seen < last; });
            CHECK_THROWS_AS(work(), ddla::interrupted_error);
            CHECK(seen == last);
        }
        return ddla::operations_between_looks * (looks + 1);
    };
    // Mirror images are met, the diagonal is left out; sorted nodes, a search from each end at
    // least, and the numbers.
    const index_t of_graph = (3 + 2) * entries;
    CHECK(looks_of([&] { reverse_cuthill_mckee(p); }) >=
          of_graph + 10 * n + (2 * 10 + 20) * (n + neighbours));
    CHECK(looks_of([&] { by_colours(p); }) >= of_graph + 10 * (n + neighbours) + 10 * n);
    std::vector<column_t> diagonal(as_size(n));
    for (index_t j = 0; j < n; ++j) diagonal[as_size(j)] = static_cast<column_t>(j);
    CHECK(looks_of([&] { count_symmetry(p, diagonal); }) >=
          10 * entries + 20 * entries + 10 * (entries + n));
    CHECK(looks_of([&] { scaling_of(a, true); }) >= 2 * 10 * entries);
}
