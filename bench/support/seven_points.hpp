// The grids of the curves of time against size, which reach 10^8 points.
#pragma once

#include "ddla/csr_matrix.hpp"

namespace bench {

/// ddla::generate::convection_diffusion(nx, ny, nz, convection, 0), made by so many threads: 0 for
/// all processors.
ddla::csr_matrix<double> seven_points_in_parallel(ddla::index_t nx, ddla::index_t ny,
                                                  ddla::index_t nz, double convection,
                                                  unsigned threads = 0);

}  // namespace bench
