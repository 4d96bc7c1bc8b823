// A singular grid: differences with all neighbours, whose rows and columns add up to 0.
#pragma once

#include "ddla/csr_matrix.hpp"

namespace test {

/// nx ny nz points of rank one less.
inline ddla::csr_matrix<double> insulated_grid(ddla::index_t nx, ddla::index_t ny,
                                               ddla::index_t nz = 1)
{
    const ddla::index_t n = nx * ny * nz;
    ddla::coordinates<double> a{.rows = n, .columns = n};
    for (ddla::index_t k = 0; k < n; ++k) {
        double sum = 0;
        const auto add = [&](bool is_inside, ddla::index_t j) {
            if (!is_inside) return;
            a.add(k, j, -1);
            ++sum;
        };
        add(k % nx > 0, k - 1);
        add(k % nx < nx - 1, k + 1);
        add(k / nx % ny > 0, k - nx);
        add(k / nx % ny < ny - 1, k + nx);
        add(k >= nx * ny, k - nx * ny);
        add(k < n - nx * ny, k + nx * ny);
        a.add(k, k, sum);
    }
    return ddla::csr_matrix<double>(a);
}

/// A x of x_i = i modulo 1000, for A of whole numbers times a power of two by rows: exact.
inline ddla::vector<ddla::dd_real> image_of_integers(const ddla::csr_matrix<double>& a)
{
    ddla::vector<ddla::dd_real> b(a.rows());
    const auto rows = a.view();
    for (ddla::index_t i = 0; i < b.size(); ++i) {
        double sum = 0;
        for (ddla::index_t e = rows.row_begin[i]; e < rows.row_begin[i + 1]; ++e)
            sum += rows.value.get(e) * static_cast<double>(rows.column[e] % 1000);
        b.set(i, ddla::dd_real(sum));
    }
    return b;
}

}  // namespace test
