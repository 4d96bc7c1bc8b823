// Matrices whose rank is known, with exact integer entries.
#pragma once

#include "support/random.hpp"

namespace test {

using ddla::coordinates;
using ddla::csr_matrix;
using ddla::index_t;

/// A sparse matrix with integers from -9 to 9 and a full diagonal, dominant by rows: nonsingular.
inline coordinates<double> dominant_integers(index_t n, index_t per_row, std::uint64_t seed)
{
    random_numbers random(seed);
    coordinates<double> c{.rows = n, .columns = n};
    for (index_t i = 0; i < n; ++i) {
        for (index_t k = 0; k < per_row; ++k)
            c.add(i, random.below(n), static_cast<double>(random.below(19)) - 9);
        c.add(i, i, static_cast<double>(9 * per_row + 1) * (random.below(2) == 0 ? 1 : -1));
    }
    return c;
}

/// The same with row `to` replaced by the sum of rows `one` and `other`: rank n - 1 (`to` is none
/// of these).
inline csr_matrix<double> with_sum_of_rows(index_t n, std::uint64_t seed, index_t to, index_t one,
                                           index_t other)
{
    const coordinates<double> all = dominant_integers(n, 3, seed);
    coordinates<double> c{.rows = n, .columns = n};
    for (std::size_t k = 0; k < all.value.size(); ++k) {
        const index_t i = all.row[k];
        if (i == to) continue;
        c.add(i, all.column[k], all.value[k]);
        if (i == one || i == other) c.add(to, all.column[k], all.value[k]);
    }
    return csr_matrix<double>(c);
}

/// The Laplacian of `parts` paths of `length` points: rank n - parts; ones on a path are a null
/// vector.
inline csr_matrix<double> laplacian_of_paths(index_t parts, index_t length)
{
    coordinates<double> c{.rows = parts * length, .columns = parts * length};
    for (index_t p = 0; p < parts; ++p)
        for (index_t k = 0; k + 1 < length; ++k) {
            const index_t i = p * length + k;
            c.add(i, i, 1), c.add(i, i + 1, -1), c.add(i + 1, i, -1), c.add(i + 1, i + 1, 1);
        }
    return csr_matrix<double>(c);
}

/// Rows 0 … rows - 1 have entries in the first rows - 1 columns only: structural rank n - 1, while
/// no row or column is empty.
inline csr_matrix<double> structurally_singular(index_t n, index_t rows, std::uint64_t seed)
{
    random_numbers random(seed);
    coordinates<double> c{.rows = n, .columns = n};
    for (index_t i = 0; i < n; ++i) {
        for (int k = 0; k < 4; ++k)
            c.add(i, i < rows ? random.below(rows - 1) : random.below(n), 1 + random.real() / 2);
        c.add(i, i < rows ? std::min(i, rows - 2) : i, 20);
    }
    c.add(n - 1, rows - 1, 20);
    return csr_matrix<double>(c);
}

}  // namespace test
