// Matrices that several tests share.
#pragma once

#include "random.hpp"

#include <vector>

namespace test {

/// Shapes that reach every path of a row sum.
template <class V>
std::vector<ddla::csr_matrix<V>> shapes()
{
    const auto constant = [](ddla::index_t n) { return [n](ddla::index_t) { return n; }; };
    std::vector<ddla::csr_matrix<V>> all;
    all.push_back(test::random_matrix<V>(0, 0, 1, constant(0)));
    all.push_back(test::random_matrix<V>(1, 1, 2, constant(1)));
    all.push_back(test::random_matrix<V>(300, 17, 3, constant(0)));
    all.push_back(test::random_matrix<V>(257, 400, 4, constant(7)));
    all.push_back(test::random_matrix<V>(1000, 1000, 5, [](ddla::index_t i) { return i % 5; }));
    all.push_back(test::random_matrix<V>(515, 600, 6, [](ddla::index_t i) { return i % 34; }));
    all.push_back(
        test::random_matrix<V>(64, 70, 7, [](ddla::index_t i) { return i % 9 == 3 ? 600 : 2; }));
    all.push_back(test::random_matrix<V>(12, 900, 8, [](ddla::index_t i) { return 253 + i; }));
    all.push_back(
        test::random_matrix<V>(3, 900, 9, [](ddla::index_t i) { return i == 1 ? 100000 : i; }));
    all.push_back(
        test::random_matrix<V>(20000, 20000, 10, [](ddla::index_t i) { return 1 + i % 4; }));
    all.push_back(test::random_matrix<V>(530, 900, 11, [](ddla::index_t i) { return i; }));
    return all;
}

/// A dense matrix, zeros left out.
inline ddla::csr_matrix<double> matrix_of(const std::vector<std::vector<double>>& rows)
{
    const auto n = static_cast<ddla::index_t>(rows.size());
    ddla::coordinates<double> c{.rows = n, .columns = n};
    for (ddla::index_t i = 0; i < n; ++i)
        for (ddla::index_t j = 0; j < n; ++j)
            if (const double v = rows[std::size_t(i)][std::size_t(j)]; v != 0) c.add(i, j, v);
    return ddla::csr_matrix<double>(c);
}

}  // namespace test
