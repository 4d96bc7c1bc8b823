// Patterns of graphs for tests of orders, made edge by edge.
#pragma once

#include "factor/dissection/adjacency.hpp"

#include <algorithm>
#include <set>

namespace ddla::test {

using factor::as_size;

/// The pattern of a graph by columns, with the diagonal.
struct edges {
    explicit edges(index_t n) : rows(as_size(n))
    {
        for (index_t j = 0; j < n; ++j) rows[as_size(j)].insert(static_cast<column_t>(j));
    }
    void add(index_t i, index_t j)
    {
        rows[as_size(i)].insert(static_cast<column_t>(j));
        rows[as_size(j)].insert(static_cast<column_t>(i));
    }
    factor::adjacency graph() const
    {
        std::vector<index_t> begin = {0};
        std::vector<column_t> row;
        for (const auto& r : rows) {
            row.insert(row.end(), r.begin(), r.end());
            begin.push_back(static_cast<index_t>(row.size()));
        }
        return {begin, row};
    }

    std::vector<std::set<column_t>> rows;
};

/// A grid in which `of_vertex` columns stand at each place; with diagonals those of 27 points.
inline edges grid(index_t nx, index_t ny, index_t nz, bool diagonals = false, index_t of_vertex = 1)
{
    edges e(nx * ny * nz * of_vertex);
    const auto number = [&](index_t x, index_t y, index_t z) { return x + nx * (y + ny * z); };
    for (index_t v = 0; v < nx * ny * nz; ++v)
        for (index_t s = 0; s < 27; ++s) {
            const index_t dx = s % 3 - 1, dy = s / 3 % 3 - 1, dz = s / 9 - 1;
            const index_t x = v % nx + dx, y = v / nx % ny + dy, z = v / (nx * ny) + dz;
            if (x < 0 || y < 0 || z < 0 || x >= nx || y >= ny || z >= nz) continue;
            if (!diagonals && dx * dx + dy * dy + dz * dz > 1) continue;
            for (index_t k = 0; k < of_vertex * of_vertex; ++k)
                e.add(v * of_vertex + k / of_vertex, number(x, y, z) * of_vertex + k % of_vertex);
        }
    return e;
}

inline edges star(index_t n)
{
    edges e(n);
    for (index_t k = 1; k < n; ++k) e.add(0, k);
    return e;
}

inline edges path(index_t n)
{
    edges e(n);
    for (index_t k = 1; k < n; ++k) e.add(k * 7 % n, (k - 1) * 7 % n);
    return e;
}

inline edges complete(index_t n)
{
    edges e(n);
    for (index_t k = 0; k < n * n; ++k) e.add(k / n, k % n);
    return e;
}

/// A path of four columns a place beside a column that all touch, and columns without neighbours.
inline edges with_dense_column(index_t n)
{
    edges e(n + 50);
    for (index_t k = 1; k < n; ++k) e.add(0, k);
    for (index_t k = 5; k < n; ++k) e.add(k, k - 4);
    return e;
}

/// Two grids and single columns, their numbers mixed.
inline edges in_parts(index_t n)
{
    const edges one = grid(n, n, 1), other = grid(n, 2 * n, 1);
    const auto size = static_cast<index_t>(one.rows.size() + other.rows.size()) + 101;
    edges e(size);
    const auto number = [&](index_t k) { return k * 13 % size; };
    index_t first = 0;
    for (const edges* part : {&one, &other}) {
        for (std::size_t j = 0; j < part->rows.size(); ++j)
            for (const column_t i : part->rows[j])
                e.add(number(first + static_cast<index_t>(j)), number(first + i));
        first += static_cast<index_t>(part->rows.size());
    }
    return e;
}

inline edges random_graph(index_t n, index_t count, std::uint64_t seed)
{
    edges e(n);
    std::uint64_t x = seed;
    const auto next = [&] {
        x = x * 6364136223846793005u + 1442695040888963407u;
        return static_cast<index_t>((x >> 33) % static_cast<std::uint64_t>(n));
    };
    for (index_t k = 0; k < count; ++k) {
        const index_t i = next(), j = next();
        e.add(i, j);
    }
    return e;
}

inline bool is_permutation_of(std::vector<column_t> p, std::size_t n)
{
    std::sort(p.begin(), p.end());
    bool all = p.size() == n;
    for (std::size_t k = 0; k < p.size(); ++k) all = all && as_size(p[k]) == k;
    return all;
}

}  // namespace ddla::test
