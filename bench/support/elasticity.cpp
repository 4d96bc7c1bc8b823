#include "elasticity.hpp"

#include "row_builder.hpp"

#include "ddla/error.hpp"

#include <array>
#include <cmath>
#include <string>

namespace bench {

namespace {

using ddla::index_t;

constexpr int corners = 8, unknowns = 3;

/// Corner c of a cell: its bits are x, y, z.
constexpr int side(int corner, int axis)
{
    return corner >> axis & 1;
}

/// Of the stiffness matrix of a cell: by corner and unknown, twice.
using element = std::array<std::array<double, corners * unknowns>, corners * unknowns>;

/// Derivatives of the eight shape functions at a point of [-1, 1]^3, a cell of edge 2.
using gradients = std::array<std::array<double, 3>, corners>;

gradients gradients_at(const std::array<double, 3>& point)
{
    gradients all{};
    for (int c = 0; c < corners; ++c)
        for (int axis = 0; axis < 3; ++axis) {
            double product = 0.125;
            for (int other = 0; other < 3; ++other) {
                const double sign = 2 * side(c, other) - 1;
                product *= other == axis ? sign : 1 + sign * point[static_cast<std::size_t>(other)];
            }
            all[static_cast<std::size_t>(c)][static_cast<std::size_t>(axis)] = product;
        }
    return all;
}

/// Adds the integrand lambda div u div v + mu (grad u + grad u^T) : grad v at one point.
void add_point(element& to, const gradients& g, double lambda, double mu)
{
    for (std::size_t a = 0; a < corners; ++a)
        for (std::size_t b = 0; b < corners; ++b) {
            double dot = 0;
            for (std::size_t k = 0; k < 3; ++k) dot += g[a][k] * g[b][k];
            for (std::size_t i = 0; i < unknowns; ++i)
                for (std::size_t j = 0; j < unknowns; ++j)
                    to[unknowns * a + i][unknowns * b + j] += lambda * g[a][i] * g[b][j] +
                                                              mu * g[a][j] * g[b][i] +
                                                              (i == j ? mu * dot : 0);
        }
}

/// By the rule of Gauss with eight points, which is exact here; symmetric to the last bit.
element stiffness(double poisson)
{
    const double mu = 1 / (2 * (1 + poisson));
    const double lambda = poisson / ((1 + poisson) * (1 - 2 * poisson));
    const double at = std::sqrt(1.0 / 3);
    element all{};
    for (int p = 0; p < corners; ++p) {
        std::array<double, 3> point;
        for (int axis = 0; axis < 3; ++axis)
            point[static_cast<std::size_t>(axis)] = side(p, axis) ? at : -at;
        add_point(all, gradients_at(point), lambda, mu);
    }
    for (std::size_t i = 0; i < all.size(); ++i)
        for (std::size_t j = 0; j < i; ++j) all[j][i] = all[i][j];
    return all;
}

/// The nodes with x > 0, x running fastest.
class node_grid {
public:
    explicit node_grid(index_t cells) : cells_(cells) {}

    index_t nodes() const { return cells_ * (cells_ + 1) * (cells_ + 1); }
    bool has(index_t x, index_t y, index_t z) const
    {
        return x >= 1 && x <= cells_ && y >= 0 && y <= cells_ && z >= 0 && z <= cells_;
    }
    bool has_cell(index_t x, index_t y, index_t z) const
    {
        return std::min({x, y, z}) >= 0 && std::max({x, y, z}) < cells_;
    }
    index_t number(index_t x, index_t y, index_t z) const
    {
        return x - 1 + cells_ * (y + (cells_ + 1) * z);
    }

private:
    index_t cells_;
};

struct point {
    index_t x, y, z;
};

/// Unknown i of node p against unknown j of its neighbour q: the sum over the cells of both, which
/// come in the same order for p and q exchanged.
double entry(const node_grid& grid, const element& of_cell, const point& p, const point& q,
             std::size_t i, std::size_t j)
{
    double sum = 0;
    for (int c = 0; c < corners; ++c) {
        const point cell{p.x - side(c, 0), p.y - side(c, 1), p.z - side(c, 2)};
        const index_t dx = q.x - cell.x, dy = q.y - cell.y, dz = q.z - cell.z;
        const bool both = std::min({dx, dy, dz}) >= 0 && std::max({dx, dy, dz}) <= 1;
        if (!both || !grid.has_cell(cell.x, cell.y, cell.z)) continue;
        const auto other = static_cast<std::size_t>(dx + 2 * dy + 4 * dz);
        sum += of_cell[unknowns * static_cast<std::size_t>(c) + i][unknowns * other + j];
    }
    return sum;
}

void add_rows(row_builder& a, const node_grid& grid, const element& of_cell, const point& p)
{
    for (std::size_t i = 0; i < unknowns; ++i) {
        for (index_t z = p.z - 1; z <= p.z + 1; ++z)
            for (index_t y = p.y - 1; y <= p.y + 1; ++y)
                for (index_t x = p.x - 1; x <= p.x + 1; ++x) {
                    if (!grid.has(x, y, z)) continue;
                    for (std::size_t j = 0; j < unknowns; ++j)
                        a.add(unknowns * grid.number(x, y, z) + static_cast<index_t>(j),
                              entry(grid, of_cell, p, {x, y, z}, i, j));
                }
        a.end_row();
    }
}

}  // namespace

ddla::csr_matrix<double> elasticity(index_t cells, double poisson)
{
    if (cells < 1) throw ddla::input_error("elasticity: " + std::to_string(cells) + " cells");
    if (!(poisson >= 0 && poisson < 0.5))
        throw ddla::input_error("elasticity: Poisson's ratio must be from 0 to below 1/2");
    const node_grid grid(cells);
    const element of_cell = stiffness(poisson);
    const index_t n = unknowns * grid.nodes();
    row_builder a(n, n, 81 * n);
    for (index_t z = 0; z <= cells; ++z)
        for (index_t y = 0; y <= cells; ++y)
            for (index_t x = 1; x <= cells; ++x) add_rows(a, grid, of_cell, {x, y, z});
    return a.finish();
}

}  // namespace bench
