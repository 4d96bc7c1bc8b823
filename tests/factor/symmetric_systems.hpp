// Symmetric matrices that are not definite, on patterns of graphs.
#pragma once

#include "graphs.hpp"

#include "support/random.hpp"

#include "ddla/csr_matrix.hpp"

#include <map>

namespace test {

/// Values of all 32 digits.  Of the diagonal a part is missing, a part zero or small; most of
/// these rows have a large entry beside it.
inline ddla::csr_matrix<ddla::dd_real> symmetric_on(const ddla::test::edges& e, std::uint64_t seed,
                                                    int spread = 2)
{
    using ddla::dd_real;
    using ddla::index_t;
    const auto n = static_cast<index_t>(e.rows.size());
    random_numbers random(seed);
    std::map<std::pair<index_t, index_t>, dd_real> entries;
    for (index_t i = 0; i < n; ++i)
        for (const ddla::column_t j : e.rows[static_cast<std::size_t>(i)]) {
            if (j > i) break;
            dd_real v;
            random.make(v, spread);
            if (i == j && e.rows[static_cast<std::size_t>(i)].size() > 3) {
                if (i % 5 == 1) continue;
                if (i % 5 == 2) v = v * 0x1p-20;
                if (i % 5 == 3) v = dd_real(0);
            }
            entries[{i, j}] = entries[{j, i}] = v;
        }
    std::vector<index_t> begin(static_cast<std::size_t>(n) + 1, 0);
    std::vector<ddla::column_t> column;
    ddla::vector<dd_real> values(static_cast<index_t>(entries.size()));
    for (const auto& [place, v] : entries) {
        values.set(static_cast<index_t>(column.size()), v);
        column.push_back(static_cast<ddla::column_t>(place.second));
        begin[static_cast<std::size_t>(place.first) + 1] = static_cast<index_t>(column.size());
    }
    for (std::size_t i = 1; i < begin.size(); ++i) begin[i] = std::max(begin[i], begin[i - 1]);
    return {n, n, begin, column, std::move(values)};
}

}  // namespace test
