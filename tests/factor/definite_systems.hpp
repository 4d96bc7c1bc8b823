// Symmetric positive definite matrices on patterns of graphs.
#pragma once

#include "graphs.hpp"

#include "support/random.hpp"

#include "ddla/csr_matrix.hpp"

#include <map>

namespace test {

/// Values of all 32 digits; the diagonal is larger than the rest of its row, but in row `bad`,
/// whose diagonal is smaller than another entry of the row.
inline ddla::csr_matrix<ddla::dd_real> definite_on(const ddla::test::edges& e, std::uint64_t seed,
                                                   ddla::index_t bad = -1)
{
    using ddla::dd_real;
    const auto n = static_cast<ddla::index_t>(e.rows.size());
    random_numbers random(seed);
    std::vector<ddla::index_t> begin = {0};
    std::vector<ddla::column_t> column;
    std::vector<dd_real> value;
    std::map<std::pair<ddla::index_t, ddla::index_t>, dd_real> entries;
    std::vector<dd_real> sum(e.rows.size(), dd_real(0.1));
    for (ddla::index_t i = 0; i < n; ++i)
        for (const ddla::column_t j : e.rows[static_cast<std::size_t>(i)]) {
            if (j >= i) break;
            dd_real v;
            random.make(v, 2);
            entries[{i, j}] = entries[{j, i}] = v;
            sum[static_cast<std::size_t>(i)] += abs(v);
            sum[static_cast<std::size_t>(j)] += abs(v);
        }
    if (bad >= 0) sum[static_cast<std::size_t>(bad)] = dd_real(0x1p-20);
    for (ddla::index_t i = 0; i < n; ++i) {
        for (const ddla::column_t j : e.rows[static_cast<std::size_t>(i)]) {
            column.push_back(j);
            value.push_back(i == j ? sum[static_cast<std::size_t>(i)] : entries[{i, j}]);
        }
        begin.push_back(static_cast<ddla::index_t>(column.size()));
    }
    ddla::vector<dd_real> values(static_cast<ddla::index_t>(value.size()));
    for (std::size_t k = 0; k < value.size(); ++k)
        values.set(static_cast<ddla::index_t>(k), value[k]);
    return {n, n, begin, column, std::move(values)};
}

/// A part in which all touch each other, wider than a panel, and smaller ones that hang on each
/// panel of it, not in the order of the panels.
inline ddla::test::edges full_parts()
{
    constexpr ddla::index_t full = 300, parts = 12, size = 30;
    ddla::test::edges e(full + parts * size);
    const auto join_all = [&](ddla::index_t first, ddla::index_t n) {
        for (ddla::index_t k = 0; k < n * n; ++k) e.add(first + k / n, first + k % n);
    };
    join_all(parts * size, full);
    for (ddla::index_t p = 0; p < parts; ++p) {
        join_all(p * size, size);
        for (const ddla::index_t k : {0, 5})
            e.add((p + 1) * size - 1, parts * size + (p * 97 + k) % full);
    }
    return e;
}

/// Many shapes of supernodes: wide and narrow ones, panels, stars, paths, parts, a dense row.
inline std::vector<ddla::test::edges> graphs_of_all_shapes()
{
    std::vector<ddla::test::edges> all;
    all.push_back(ddla::test::edges(1));
    all.push_back(ddla::test::edges(20));  // diagonal
    all.push_back(ddla::test::star(40));
    all.push_back(ddla::test::path(50));
    all.push_back(ddla::test::grid(9, 8, 1));
    all.push_back(ddla::test::grid(5, 4, 5, true));
    all.push_back(ddla::test::random_graph(60, 60, 1));  // several parts
    all.push_back(ddla::test::random_graph(80, 400, 2));
    all.push_back(ddla::test::complete(143));  // two panels
    all.push_back(ddla::test::with_dense_column(90));
    all.push_back(ddla::test::in_parts(5));
    return all;
}

}  // namespace test
