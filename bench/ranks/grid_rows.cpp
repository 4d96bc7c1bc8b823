#include "grid_rows.hpp"

namespace bench {

using ddla::index_t;

compressed_rows rows_of_grid(const grid& of, index_t first, index_t end)
{
    compressed_rows rows;
    const auto points = static_cast<std::size_t>(end - first);
    rows.row_begin.reserve(points + 1);
    rows.column.reserve(7 * points);
    rows.value.reserve(7 * points);
    const auto add = [&](bool is_there, index_t column, double value) {
        if (!is_there) return;
        rows.column.push_back(column);
        rows.value.push_back(value);
    };
    for (index_t i = first; i < end; ++i) {
        const index_t x = i % of.nx, y = i / of.nx % of.ny, z = i / of.plane();
        add(z > 0, i - of.plane(), -1);
        add(y > 0, i - of.nx, -1);
        add(x > 0, i - 1, -1);
        add(true, i, 6);
        add(x + 1 < of.nx, i + 1, -1);
        add(y + 1 < of.ny, i + of.nx, -1);
        add(z + 1 < of.nz, i + of.plane(), -1);
        rows.row_begin.push_back(static_cast<index_t>(rows.column.size()));
    }
    return rows;
}

}  // namespace bench
