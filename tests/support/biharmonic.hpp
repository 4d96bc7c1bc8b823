// The 1-D biharmonic operator.
#pragma once

#include "ddla/csr_matrix.hpp"

#include <algorithm>

namespace test {

/// The 1-D Laplacian squared: symmetric, of condition about n^4.
inline ddla::csr_matrix<double> biharmonic(ddla::index_t n)
{
    ddla::coordinates<double> c{.rows = n, .columns = n};
    const double band[] = {1, -4, 6, -4, 1};
    for (ddla::index_t i = 0; i < n; ++i)
        for (ddla::index_t j = std::max<ddla::index_t>(0, i - 2); j <= std::min(n - 1, i + 2); ++j)
            c.add(i, j, band[j - i + 2]);
    return ddla::csr_matrix<double>(c);
}

}  // namespace test
