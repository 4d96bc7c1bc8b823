// Stencils and finite elements on regular grids.
#include "generators.hpp"
#include "row_builder.hpp"

#include <numeric>

namespace bench {

namespace {

/// Those of the box of 27 that keep(x, y, z) likes, in the order of the numbering.
template <class Keep>
std::vector<grid_step> chosen(const Keep& keep)
{
    std::vector<grid_step> steps;
    for (int z = -1; z <= 1; ++z)
        for (int y = -1; y <= 1; ++y)
            for (int x = -1; x <= 1; ++x)
                if (keep(x, y, z)) steps.push_back({x, y, z});
    return steps;
}

/// Nodes by number and numbers by node; both empty where nodes have their natural numbers.
struct numbering {
    std::vector<ddla::column_t> node, number;

    numbering(index_t nodes, index_t window)
    {
        if (window == 1) return;
        node.resize(static_cast<std::size_t>(nodes));
        number.resize(node.size());
        std::iota(node.begin(), node.end(), 0);
        random_numbers bits(11);
        for (index_t from = 0; from < nodes; from += window)
            for (index_t k = std::min(window, nodes - from); k > 1; --k)
                std::swap(node[static_cast<std::size_t>(from + k - 1)],
                          node[static_cast<std::size_t>(from + bits.below(k))]);
        for (std::size_t k = 0; k < node.size(); ++k)
            number[static_cast<std::size_t>(node[k])] = static_cast<ddla::column_t>(k);
    }
    index_t node_of(index_t k) const
    {
        return node.empty() ? k : node[static_cast<std::size_t>(k)];
    }
    index_t number_of(index_t k) const
    {
        return number.empty() ? k : number[static_cast<std::size_t>(k)];
    }
};

/// A neighbour that exists.
struct neighbour {
    index_t number;
    grid_step step;
};

void find_neighbours(const grid& g, const numbering& names, index_t node,
                     std::vector<neighbour>& found)
{
    found.clear();
    const index_t x = node % g.nx, y = node / g.nx % g.ny, z = node / g.nx / g.ny;
    for (const grid_step& s : g.neighbours) {
        const bool inside = x + s.x >= 0 && x + s.x < g.nx && y + s.y >= 0 && y + s.y < g.ny &&
                            z + s.z >= 0 && z + s.z < g.nz;
        if (inside) found.push_back({names.number_of(node + s.x + g.nx * (s.y + g.ny * s.z)), s});
    }
    if (!names.number.empty())
        std::sort(found.begin(), found.end(),
                  [](const neighbour& a, const neighbour& b) { return a.number < b.number; });
}

double coefficient(const grid& g, const grid_step& s, bool diagonal, random_numbers& bits)
{
    const double constant =
        diagonal ? static_cast<double>(g.neighbours.size()) - 1 : -1 + g.convection * s.x;
    return g.variable ? constant + bits.symmetric() / 2 : constant;
}

}  // namespace

std::vector<grid_step> five_points()
{
    return chosen([](int x, int y, int z) { return z == 0 && x * x + y * y <= 1; });
}

std::vector<grid_step> seven_points()
{
    return chosen([](int x, int y, int z) { return x * x + y * y + z * z <= 1; });
}

std::vector<grid_step> nine_points()
{
    return chosen([](int, int, int z) { return z == 0; });
}

std::vector<grid_step> box_of_27_points()
{
    return chosen([](int, int, int) { return true; });
}

std::vector<grid_step> triangles()
{
    return chosen([](int x, int y, int z) { return z == 0 && x * y >= 0; });
}

csr_matrix<double> on_grid(const grid& g)
{
    const index_t nodes = g.nx * g.ny * g.nz, n = nodes * g.unknowns;
    const numbering names(nodes, g.shuffled);
    row_builder a(n, n, n * g.unknowns * static_cast<index_t>(g.neighbours.size()));
    std::vector<neighbour> found;
    random_numbers bits(12);
    for (index_t k = 0; k < nodes; ++k) {
        find_neighbours(g, names, names.node_of(k), found);
        for (int i = 0; i < g.unknowns; ++i) {
            for (const neighbour& other : found)
                for (int j = 0; j < g.unknowns; ++j)
                    a.add(other.number * g.unknowns + j,
                          coefficient(g, other.step, other.number == k && i == j, bits));
            a.end_row();
        }
    }
    return a.finish();
}

}  // namespace bench
