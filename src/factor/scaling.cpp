// Equilibration in exponents.
#include "scaling.hpp"

#include <climits>

namespace ddla::factor {

namespace {

constexpr int none = INT_MIN;  // the largest exponent of a row without entries

/// Half of e, rounded away from zero.
int upper_half(int e)
{
    return e >= 0 ? (e + 1) / 2 : -((1 - e) / 2);
}

struct largest_exponents {
    std::vector<int> of_row, of_column;
};

largest_exponents largest(const std::vector<index_t>& begin, const std::vector<column_t>& row,
                          const std::vector<int>& exponent, const exponents& s)
{
    largest_exponents most{std::vector<int>(s.row.size(), none),
                           std::vector<int>(s.column.size(), none)};
    for (std::size_t j = 0; j < s.column.size(); ++j)
        for (index_t k = begin[j]; k < begin[j + 1]; ++k) {
            const std::size_t i = at(row[at(k)]);
            const int e = exponent[at(k)] + s.row[i] + s.column[j];
            most.of_row[i] = std::max(most.of_row[i], e);
            most.of_column[j] = std::max(most.of_column[j], e);
        }
    return most;
}

/// Whether that changes anything.
template <class Part>
bool take_off(std::vector<int>& from, const std::vector<int>& most, const Part& part)
{
    bool changes = false;
    for (std::size_t i = 0; i < from.size(); ++i)
        if (most[i] != none && part(most[i]) != 0) {
            from[i] -= part(most[i]);
            changes = true;
        }
    return changes;
}

}  // namespace

exponents equilibrate(index_t rows, index_t columns, const std::vector<index_t>& begin,
                      const std::vector<column_t>& row, const std::vector<int>& exponent)
{
    constexpr int halving_passes = 5;
    exponents s{std::vector<int>(at(rows), 0), std::vector<int>(at(columns), 0)};
    for (int pass = 0; pass < halving_passes; ++pass) {
        const largest_exponents most = largest(begin, row, exponent, s);
        const bool rows_change = take_off(s.row, most.of_row, upper_half);
        const bool columns_change = take_off(s.column, most.of_column, [](int e) { return e / 2; });
        if (!rows_change && !columns_change) break;  // nor would the next pass
    }
    const auto all = [](int e) { return e; };
    largest_exponents most = largest(begin, row, exponent, s);
    if (take_off(s.row, most.of_row, all)) most = largest(begin, row, exponent, s);
    take_off(s.column, most.of_column, all);
    return s;
}

}  // namespace ddla::factor
