// Matrices by formula, of the kinds that products are measured on: the same on every machine.  Rows
// hold their entries in ascending order of the columns.
#pragma once

#include "ddla/csr_matrix.hpp"

#include <functional>
#include <vector>

namespace bench {

using ddla::csr_matrix;
using ddla::index_t;

struct grid_step {
    int x, y, z;
};

/// Neighbours in ascending order, the point itself among them.
std::vector<grid_step> five_points();
std::vector<grid_step> seven_points();
std::vector<grid_step> nine_points();
std::vector<grid_step> box_of_27_points();
/// Of a square grid whose squares are cut into two triangles each.
std::vector<grid_step> triangles();

struct grid {
    index_t nx = 1, ny = 1, nz = 1;
    std::vector<grid_step> neighbours = {};
    bool variable = false;  ///< coefficients that do not repeat
    double convection = 0;  ///< makes a difference between west and east
    int unknowns = 1;       ///< of a node: dense blocks of unknowns x unknowns
    index_t shuffled = 1;   ///< nodes are numbered at random within so many in a row
};
csr_matrix<double> on_grid(const grid& g);

/// `width` diagonals around the main one, width odd.
csr_matrix<double> banded(index_t n, index_t width);

struct circuit {
    index_t n = 0;
    index_t dense_rows = 0, dense_length = 0;
    index_t hubs = 0;  ///< columns that one entry in 16 is in
};
/// 2 to 6 entries a row, most of them near the diagonal, and a few dense rows.
csr_matrix<double> circuit_like(const circuit& c);

/// length(i) entries in row i, in columns drawn uniformly without repetition.
csr_matrix<double> random_rows(index_t rows, index_t columns,
                               const std::function<index_t(index_t)>& length);

/// 2^scale vertices and `edges` times as many edges, duplicates merged: Chakrabarti, Zhan and
/// Faloutsos 2004, with the probabilities of Graph500.  `scattered` spreads the hubs, which
/// otherwise have the lowest numbers.
csr_matrix<double> recursive_graph(int scale, index_t edges, bool scattered);

/// `copies` of a along the diagonal, no two with the same values: copy k is multiplied by
/// 1 + k / 1024, so that a format that stores repeated values once gains nothing by them.
csr_matrix<double> replicated(const csr_matrix<double>& a, index_t copies);

}  // namespace bench
