#include "hyb_layout.hpp"

#include <algorithm>

namespace bench {

using namespace ddla;

namespace {

/// How many of the first entries of a row ELL has.
index_t width_of(const csr<double>& a)
{
    index_t longest = 0;
    for (index_t i = 0; i < a.rows; ++i) longest = std::max(longest, a.row_length(i));
    std::vector<index_t> rows_of_length(static_cast<std::size_t>(longest) + 1, 0);
    for (index_t i = 0; i < a.rows; ++i)
        ++rows_of_length[static_cast<std::size_t>(a.row_length(i))];
    const index_t enough = std::max<index_t>(a.rows / 3, std::min<index_t>(a.rows, 4096));
    index_t as_long = a.rows;  // rows of `width` entries and more
    index_t width = 0;
    while (width < longest) {
        as_long -= rows_of_length[static_cast<std::size_t>(width)];
        if (as_long < enough) break;
        ++width;
    }
    return width;
}

}  // namespace

hyb_layout hyb_layout_of(const csr_matrix<double>& matrix)
{
    const csr<double> a = matrix.view();
    hyb_layout made{.rows = a.rows, .width = width_of(a)};
    made.column.assign(static_cast<std::size_t>(a.rows * made.width), -1);
    made.value.assign(made.column.size(), 0.0);
    for (index_t i = 0; i < a.rows; ++i) {
        const index_t begin = a.row_begin[i], length = a.row_length(i);
        for (index_t k = 0; k < length; ++k) {
            const column_t column = a.column[begin + k];
            const double value = a.value.get(begin + k);
            if (k < made.width) {
                const auto at = static_cast<std::size_t>(k * a.rows + i);
                made.column[at] = column;
                made.value[at] = value;
            } else {
                made.list_row.push_back(static_cast<std::int32_t>(i));
                made.list_column.push_back(column);
                made.list_value.push_back(value);
            }
        }
    }
    return made;
}

}  // namespace bench
