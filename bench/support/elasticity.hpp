// Linear elasticity by finite elements: symmetric positive definite, three unknowns a node.
#pragma once

#include "ddla/csr_matrix.hpp"

namespace bench {

/// A cube of cells x cells x cells trilinear hexahedra, Young's modulus 1, clamped at the face
/// x = 0, free at the others: 3 cells (cells + 1)^2 unknowns, 81 entries in a row inside.  Rows
/// hold their entries in ascending order of the columns.  Throws input_error for cells < 1 and
/// unless 0 <= poisson < 1/2.
ddla::csr_matrix<double> elasticity(ddla::index_t cells, double poisson = 0.3);

}  // namespace bench
