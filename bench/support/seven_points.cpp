#include "seven_points.hpp"

#include <algorithm>
#include <thread>

namespace bench {

using namespace ddla;

namespace {

struct box {
    index_t nx, ny, nz;

    index_t points() const { return nx * ny * nz; }
    /// Entries in the rows before row i: seven each, less what would lie outside of the grid.
    index_t entries_before(index_t i) const
    {
        const index_t plane = nx * ny, z = i / plane, rest = i % plane;
        const index_t outside_x = i / nx + (i + nx - 1) / nx;
        const index_t outside_y =
            2 * z * nx + std::min(rest, nx) + std::max<index_t>(0, rest - (plane - nx));
        const index_t outside_z = std::min(i, plane) + std::max<index_t>(0, i - (points() - plane));
        return 7 * i - outside_x - outside_y - outside_z;
    }
};

struct arrays {
    index_t* row_begin;
    column_t* column;
    double* value;
};

/// Rows first … last - 1.
void fill(const box& g, double convection, const arrays& a, index_t first, index_t last)
{
    const index_t nx = g.nx, plane = g.nx * g.ny;
    index_t x = first % nx, y = first / nx % g.ny, z = first / plane, k = g.entries_before(first);
    const auto add = [&](index_t column, double value) {
        a.column[k] = static_cast<column_t>(column);
        a.value[k++] = value;
    };
    for (index_t i = first; i < last; ++i) {
        a.row_begin[i] = k;
        if (z > 0) add(i - plane, -1);
        if (y > 0) add(i - nx, -1);
        if (x > 0) add(i - 1, -1 - convection);
        add(i, 6);
        if (x < nx - 1) add(i + 1, -1 + convection);
        if (y < g.ny - 1) add(i + nx, -1);
        if (z < g.nz - 1) add(i + plane, -1);
        if (++x < nx) continue;
        x = 0;
        if (++y < g.ny) continue;
        y = 0;
        ++z;
    }
}

}  // namespace

csr_matrix<double> seven_points_in_parallel(index_t nx, index_t ny, index_t nz, double convection,
                                            unsigned threads)
{
    const box g{nx, ny, nz};
    const index_t n = g.points(), entries = g.entries_before(n);
    buffer row_begin(static_cast<std::size_t>(n + 1) * sizeof(index_t), host);
    buffer column(static_cast<std::size_t>(entries) * sizeof(column_t), host);
    vector<double> value(entries);
    const arrays a{static_cast<index_t*>(row_begin.data()), static_cast<column_t*>(column.data()),
                   value.view().word(0)};
    const index_t parts = threads > 0 ? threads : std::max(1u, std::thread::hardware_concurrency());
    std::vector<std::jthread> all;
    for (index_t t = 0; t < parts; ++t)
        all.emplace_back([&, t] { fill(g, convection, a, t * n / parts, (t + 1) * n / parts); });
    all.clear();  // waits
    a.row_begin[n] = entries;
    return {n, n, std::move(row_begin), std::move(column), std::move(value)};
}

}  // namespace bench
