// Rows of a 7-point grid, as ranks hand them in.
#pragma once

#include "ddla/views.hpp"

#include <vector>

namespace bench {

struct grid {
    ddla::index_t nx, ny, nz;

    ddla::index_t plane() const { return nx * ny; }
    ddla::index_t points() const { return plane() * nz; }
};

/// Columns are numbered over all ranks.
struct compressed_rows {
    std::vector<ddla::index_t> row_begin{0};
    std::vector<ddla::index_t> column;
    std::vector<double> value;
};

/// Of the points first ... end - 1: 6 on the diagonal, -1 for each neighbour.
compressed_rows rows_of_grid(const grid& of, ddla::index_t first, ddla::index_t end);

}  // namespace bench
