// Linear elasticity of a cube, as finite elements have it: 81 entries a row.
#pragma once

#include "ddla/csr_matrix.hpp"

#include <array>
#include <vector>

namespace bench {

/// The stiffness of a cube of side 1 by trilinear shape functions, Young's modulus 1 and Poisson's
/// ratio 0.3, with 2 x 2 x 2 points of Gauss: entry 24 i + j, unknown 3 v + d of vertex v.
inline std::vector<double> stiffness_of_cube()
{
    constexpr double ratio = 0.3, shear = 1 / (2 * (1 + ratio)),
                     lame = ratio / ((1 + ratio) * (1 - 2 * ratio)), point = 0.21132486540518713;
    std::vector<double> k(24 * 24, 0);
    for (int g = 0; g < 8; ++g) {
        std::array<std::array<double, 3>, 8> gradient{};
        for (int v = 0; v < 8; ++v)
            for (int d = 0; d < 3; ++d) {
                double value = 1;
                for (int e = 0; e < 3; ++e) {
                    const double at = (g >> e & 1) != 0 ? 1 - point : point;
                    const bool upper = (v >> e & 1) != 0;
                    value *= e == d ? (upper ? 1 : -1) : upper ? at : 1 - at;
                }
                gradient[static_cast<std::size_t>(v)][static_cast<std::size_t>(d)] = value;
            }
        for (std::size_t i = 0; i < 24; ++i)
            for (std::size_t j = 0; j <= i; ++j) {
                const auto &a = gradient[i / 3], &b = gradient[j / 3];
                double sum = lame * a[i % 3] * b[j % 3] + shear * a[j % 3] * b[i % 3];
                if (i % 3 == j % 3)
                    for (std::size_t d = 0; d < 3; ++d) sum += shear * a[d] * b[d];
                k[24 * i + j] += sum / 8;
                k[24 * j + i] = k[24 * i + j];
            }
    }
    return k;
}

/// n x n x n vertices; the cube is held at what is before x = 0.  Young's modulus is 1 to 2, linear
/// but for jumps: some entries of blocks cancel, though fewer than if all elements were alike.
inline ddla::csr_matrix<double> elasticity(ddla::index_t n)
{
    const std::vector<double> k = stiffness_of_cube();
    ddla::coordinates<double> a{.rows = 3 * n * n * n, .columns = 3 * n * n * n};
    const auto vertex = [&](ddla::index_t x, ddla::index_t y, ddla::index_t z) {
        return 3 * ((z * n + y) * n + x);
    };
    for (ddla::index_t z = 0; z + 1 < n; ++z)
        for (ddla::index_t y = 0; y + 1 < n; ++y)
            for (ddla::index_t x = -1; x + 1 < n; ++x) {
                const double modulus = 1 + static_cast<double>((7 * x + 13 * y + 29 * z) % 97) / 97;
                for (int i = 0; i < 24; ++i)
                    for (int j = 0; j < 24; ++j) {
                        const int v = i / 3, w = j / 3;
                        if (x + (v & 1) < 0 || x + (w & 1) < 0) continue;
                        a.add(vertex(x + (v & 1), y + (v >> 1 & 1), z + (v >> 2)) + i % 3,
                              vertex(x + (w & 1), y + (w >> 1 & 1), z + (w >> 2)) + j % 3,
                              modulus * k[static_cast<std::size_t>(24 * i + j)]);
                    }
            }
    return ddla::csr_matrix<double>(a);
}

}  // namespace bench
