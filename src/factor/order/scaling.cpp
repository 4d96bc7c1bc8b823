// Equilibration in exponents.
#include "scaling.hpp"

#include "ddla/watched_scope.hpp"

#include <climits>

namespace ddla::factor {

namespace {

constexpr int none = INT_MIN;  // the largest exponent of a row without entries

/// Half of e, rounded away from zero.
int upper_half(int e)
{
    return e >= 0 ? (e + 1) / 2 : -((1 - e) / 2);
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

exponents equilibrate(index_t rows, index_t columns, const find_largest& find)
{
    constexpr int halving_passes = 5;
    exponents s{std::vector<int>(as_size(rows), 0), std::vector<int>(as_size(columns), 0)};
    largest_exponents most{std::vector<int>(as_size(rows)), std::vector<int>(as_size(columns))};
    const auto look = [&] {
        std::fill(most.of_row.begin(), most.of_row.end(), none);
        std::fill(most.of_column.begin(), most.of_column.end(), none);
        find(s, most);
    };
    bool changes = true;
    for (int pass = 0; pass < halving_passes && changes; ++pass) {
        look();
        const bool rows_change = take_off(s.row, most.of_row, upper_half);
        const bool columns_change = take_off(s.column, most.of_column, [](int e) { return e / 2; });
        changes = rows_change || columns_change;  // else nor would the next pass
    }
    const auto all = [](int e) { return e; };
    if (changes) look();
    if (take_off(s.row, most.of_row, all)) look();
    take_off(s.column, most.of_column, all);
    return s;
}

exponents equilibrate(index_t rows, index_t columns, const std::vector<index_t>& begin,
                      const std::vector<column_t>& row, const std::vector<int>& exponent)
{
    return equilibrate(rows, columns, [&](const exponents& s, largest_exponents& most) {
        for (std::size_t j = 0; j < s.column.size(); ++j) {
            count_work(10 * (begin[j + 1] - begin[j]));
            for (index_t k = begin[j]; k < begin[j + 1]; ++k) {
                const std::size_t i = as_size(row[as_size(k)]);
                const int e = exponent[as_size(k)] + s.row[i] + s.column[j];
                most.of_row[i] = std::max(most.of_row[i], e);
                most.of_column[j] = std::max(most.of_column[j], e);
            }
        }
    });
}

}  // namespace ddla::factor
