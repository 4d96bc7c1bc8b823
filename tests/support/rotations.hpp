// Matrices whose eigenvalues are far from the real axis.
#pragma once

#include "ddla/csr_matrix.hpp"

namespace test {

/// Blocks [[d, t], [-t, d]]: eigenvalues d + i t and d - i t, t = 1, 1 + step, ...
inline ddla::csr_matrix<double> rotations(ddla::index_t blocks, double d = 0, double step = 0)
{
    ddla::coordinates<double> c{.rows = 2 * blocks, .columns = 2 * blocks};
    for (ddla::index_t k = 0; k < blocks; ++k) {
        const double turn = 1 + step * static_cast<double>(k);
        for (const ddla::index_t i : {2 * k, 2 * k + 1})
            if (d != 0) c.add(i, i, d);
        c.add(2 * k, 2 * k + 1, turn);
        c.add(2 * k + 1, 2 * k, -turn);
    }
    return ddla::csr_matrix<double>(c);
}

}  // namespace test
