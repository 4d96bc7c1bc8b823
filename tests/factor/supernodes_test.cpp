// Supernodes: every entry of L has its place, counts are exact, stored zeros are few.
#include "catch.hpp"
#include "definite_systems.hpp"

#include "factor/supernodal/supernodes.hpp"

#include <numeric>

using namespace ddla::factor;
using ddla::column_t;
using ddla::index_t;

namespace {

/// Rows below the diagonal of each column of L, by elimination of the graph itself.
std::vector<std::set<column_t>> eliminated(const ddla::test::edges& e,
                                           const std::vector<column_t>& order)
{
    std::vector<column_t> place(order.size());
    for (std::size_t k = 0; k < order.size(); ++k)
        place[as_size(order[k])] = static_cast<column_t>(k);
    std::vector<std::set<column_t>> rows(order.size());
    for (std::size_t j = 0; j < order.size(); ++j)
        for (const column_t i : e.rows[j]) {
            const column_t x = place[j], y = place[as_size(i)];
            if (x < y) rows[as_size(x)].insert(y);
        }
    for (auto& mine : rows) {
        if (mine.empty()) continue;
        std::set<column_t>& of_parent = rows[as_size(*mine.begin())];
        for (const column_t i : mine)
            if (i != *mine.begin()) of_parent.insert(i);
    }
    return rows;
}

std::vector<column_t> natural(std::size_t n)
{
    std::vector<column_t> order(n);
    std::iota(order.begin(), order.end(), 0);
    return order;
}

/// Entries of `rows` that supernodes have no place for.
int missing(const supernodes& s, const std::vector<std::set<column_t>>& rows)
{
    int count = 0;
    for (column_t q = 0; q < s.size(); ++q) {
        const std::set<column_t> below(s.rows(q), s.rows(q) + s.below(q));
        for (column_t j = s.first[as_size(q)]; j < s.first[as_size(q) + 1]; ++j)
            for (const column_t i : rows[as_size(j)])
                count += i >= s.first[as_size(q) + 1] && below.count(i) == 0 ? 1 : 0;
    }
    return count;
}

}  // namespace

TEST_CASE("supernodes have a place for every entry of L", "[factor][supernodes]")
{
    for (const auto& e : test::graphs_of_all_shapes()) {
        const supernodes s = supernodes_of(e.graph(), natural(e.rows.size()));
        INFO(e.rows.size() << " columns, " << s.size() << " supernodes");
        CHECK(std::set<column_t>(s.order.begin(), s.order.end()).size() == e.rows.size());
        const auto rows = eliminated(e, s.order);
        CHECK(missing(s, rows) == 0);
        index_t entries = 0;
        double operations = 0;
        for (const auto& r : rows) {
            entries += static_cast<index_t>(r.size()) + 1;
            operations += static_cast<double>(r.size()) * static_cast<double>(r.size() + 1) / 2;
        }
        CHECK(s.exact_entries == entries);
        CHECK(s.exact_operations == operations);
        CHECK(s.entries >= entries);
    }
}

TEST_CASE("updates of supernodes are all there, ascending", "[factor][supernodes]")
{
    for (const auto& e : test::graphs_of_all_shapes()) {
        const supernodes s = supernodes_of(e.graph(), natural(e.rows.size()));
        index_t rows = 0;
        for (column_t to = 0; to < s.size(); ++to)
            for (index_t k = s.update_begin[as_size(to)]; k < s.update_begin[as_size(to) + 1];
                 ++k) {
                const supernode_update& u = s.updates[as_size(k)];
                CHECK(u.from < to);
                if (k > s.update_begin[as_size(to)]) CHECK(s.updates[as_size(k) - 1].from < u.from);
                for (column_t r = u.begin; r < u.end; ++r)
                    CHECK(s.of_column[as_size(s.rows(u.from)[r])] == to);
                rows += u.end - u.begin;
            }
        CHECK(rows == s.row_begin.back());
    }
}

TEST_CASE("subtrees of supernodes are one after the other, and hold all that updates them",
          "[factor][supernodes]")
{
    auto graphs = test::graphs_of_all_shapes();
    graphs.push_back(test::full_parts());
    for (const auto& e : graphs) {
        const supernodes s = supernodes_of(e.graph(), natural(e.rows.size()));
        INFO(e.rows.size() << " columns, " << s.size() << " supernodes");
        std::vector<column_t> lowest(as_size(s.size())), count(as_size(s.size()), 1);
        for (column_t q = 0; q < s.size(); ++q) lowest[as_size(q)] = q;
        for (column_t q = 0; q < s.size(); ++q) {
            CHECK(q - lowest[as_size(q)] + 1 == count[as_size(q)]);
            const column_t p = s.parent[as_size(q)];
            if (p < 0) continue;
            CHECK(p > q);
            count[as_size(p)] += count[as_size(q)];
            lowest[as_size(p)] = std::min(lowest[as_size(p)], lowest[as_size(q)]);
        }
        for (column_t to = 0; to < s.size(); ++to)
            for (index_t k = s.update_begin[as_size(to)]; k < s.update_begin[as_size(to) + 1]; ++k)
                CHECK(s.updates[as_size(k)].from >= lowest[as_size(to)]);
    }
}

TEST_CASE("wide supernodes are cut into panels", "[factor][supernodes]")
{
    const supernodes s = supernodes_of(ddla::test::complete(300).graph(), natural(300));
    CHECK(s.size() == 3);
    for (column_t q = 0; q < s.size(); ++q) CHECK(s.width(q) <= most_panel_columns);
    CHECK(s.entries == 300 * 301 / 2);
    CHECK(s.parent == std::vector<column_t>{1, 2, -1});
}

TEST_CASE("few zeros are stored", "[factor][supernodes]")
{
    const auto grid = ddla::test::grid(60, 60, 1).graph();
    const auto n = static_cast<std::size_t>(grid.size());
    const supernodes merged = supernodes_of(grid, natural(n)),
                     exact = supernodes_of(grid, natural(n), {0, {0, 0}, {0, 0, 0}});
    CHECK(exact.entries == exact.exact_entries);
    CHECK(merged.size() < exact.size());
    CHECK(merged.entries < 1.2 * static_cast<double>(exact.entries));
}
