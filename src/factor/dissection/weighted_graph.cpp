// Merging of columns that are alike, and parts of graphs.
#include "weighted_graph.hpp"

#include "hashing.hpp"

#include "ddla/watched_scope.hpp"

#include <algorithm>
#include <numeric>

namespace ddla::factor {

namespace {

/// Sums of hashes of the neighbours and of the column itself.
std::vector<std::uint64_t> keys_of(const adjacency& a, const std::vector<char>& is_left_out)
{
    std::vector<std::uint64_t> key(as_size(a.size()));
    for (column_t j = 0; j < a.size(); ++j) {
        count_work(5 * (1 + a.degree(j)));
        std::uint64_t sum = hashed(static_cast<std::uint64_t>(j));
        for (const column_t i : a.of(j))
            if (is_left_out[as_size(i)] == 0) sum += hashed(static_cast<std::uint64_t>(i));
        key[as_size(j)] = sum;
    }
    return key;
}

/// Whether i and j, which are neighbours, have the same neighbours; both lists ascend.
bool are_equal(const adjacency& a, const std::vector<char>& is_left_out, column_t i, column_t j)
{
    const auto x = a.of(i), y = a.of(j);
    const auto skipped = [&](column_t k) {
        return k == i || k == j || is_left_out[as_size(k)] != 0;
    };
    std::size_t p = 0, q = 0;
    while (true) {
        while (p < x.size() && skipped(x[p])) ++p;
        while (q < y.size() && skipped(y[q])) ++q;
        if (p == x.size() || q == y.size()) return p == x.size() && q == y.size();
        if (x[p++] != y[q++]) return false;
    }
}

/// The lowest column that has the neighbours of each; -1 where it is left out.
std::vector<column_t> leaders_of(const adjacency& a, const std::vector<char>& is_left_out)
{
    const std::vector<std::uint64_t> key = keys_of(a, is_left_out);
    std::vector<column_t> leader(as_size(a.size()), -1);
    for (column_t j = 0; j < a.size(); ++j) {
        count_work(5 * (1 + a.degree(j)));
        if (is_left_out[as_size(j)] != 0) continue;
        leader[as_size(j)] = j;
        for (const column_t i : a.of(j)) {
            if (i > j) break;
            if (key[as_size(i)] != key[as_size(j)] || leader[as_size(i)] != i) continue;
            if (!are_equal(a, is_left_out, i, j)) continue;
            leader[as_size(j)] = i;
            break;
        }
    }
    return leader;
}

/// Whether i and j, which are neighbours, share more than two thirds of all neighbours that either
/// has, both included: as unknowns of a place do, also where some entries between them are missing.
bool are_alike(const adjacency& a, const std::vector<char>& is_left_out, column_t i, column_t j)
{
    const auto x = a.of(i), y = a.of(j);
    // One is too long: so a long list is walked for others like it alone.
    if (2 * std::max(x.size(), y.size()) > 3 * std::min(x.size(), y.size()) + 1) return false;
    std::size_t shared = 0, either = 0;  // i is in the list of j, and j in that of i
    for (std::size_t p = 0, q = 0; p < x.size() || q < y.size();) {
        const bool in_x = q == y.size() || (p < x.size() && x[p] <= y[q]);
        const bool in_y = p == x.size() || (q < y.size() && y[q] <= x[p]);
        const column_t k = in_x ? x[p] : y[q];
        p += in_x ? 1 : 0;
        q += in_y ? 1 : 0;
        if (is_left_out[as_size(k)] != 0) continue;
        ++either;
        shared += (in_x && in_y) || k == i || k == j ? 1 : 0;
    }
    return 3 * shared > 2 * either;
}

/// Puts a leader under that of the column before it, if these two leaders are alike.
void follow_alike(const adjacency& a, const std::vector<char>& is_left_out,
                  std::vector<column_t>& leader)
{
    for (column_t j = 1; j < a.size(); ++j) {
        column_t& mine = leader[as_size(j)];
        if (mine < 0) continue;
        if (mine < j) {
            mine = leader[as_size(mine)];
            continue;
        }
        const column_t first = leader[as_size(j) - 1];
        const auto neighbours = a.of(j);
        count_work(5 * (1 + a.degree(j)));
        if (first >= 0 && std::binary_search(neighbours.begin(), neighbours.end(), first) &&
            are_alike(a, is_left_out, first, j))
            mine = first;
    }
}

/// Lists the columns of each leader, and gives the leaders numbers, which it returns.
std::vector<column_t> number_leaders(const std::vector<column_t>& leader, merged_graph& m)
{
    std::vector<column_t> number(leader.size(), -1);
    m.first = {0};
    for (std::size_t j = 0; j < leader.size(); ++j) {
        if (leader[j] < 0) continue;
        if (as_size(leader[j]) == j) {
            number[j] = static_cast<column_t>(m.graph.vertex_weight.size());
            m.graph.vertex_weight.push_back(0);
        }
        ++m.graph.vertex_weight[as_size(number[as_size(leader[j])])];
    }
    for (const column_t w : m.graph.vertex_weight) m.first.push_back(m.first.back() + w);
    m.graph.weight = m.first.back();
    m.columns.resize(as_size(m.first.back()));
    std::vector<index_t> next(m.first.begin(), m.first.end() - 1);
    for (std::size_t j = 0; j < leader.size(); ++j) {
        if (leader[j] < 0) continue;
        number[j] = number[as_size(leader[j])];
        m.columns[as_size(next[as_size(number[j])]++)] = static_cast<column_t>(j);
    }
    return number;
}

}  // namespace

merged_graph merge_alike_columns(const adjacency& a, const std::vector<char>& is_left_out)
{
    merged_graph m;
    std::vector<column_t> leader = leaders_of(a, is_left_out);
    follow_alike(a, is_left_out, leader);
    const std::vector<column_t> number = number_leaders(leader, m);
    std::vector<column_t> met(m.graph.vertex_weight.size(), -1);
    weighted_graph& g = m.graph;
    g.neighbour.reserve(as_size(a.entries()));
    for (column_t v = 0; v < g.size(); ++v) {
        met[as_size(v)] = v;
        for (index_t k = m.first[as_size(v)]; k < m.first[as_size(v) + 1]; ++k) {
            const column_t j = m.columns[as_size(k)];
            count_work(5 * (1 + a.degree(j)));
            for (const column_t i : a.of(j)) {
                const column_t u = number[as_size(i)];
                if (u < 0 || met[as_size(u)] == v) continue;
                met[as_size(u)] = v;
                g.neighbour.push_back(u);
            }
        }
        std::sort(g.neighbour.begin() + g.begin.back(), g.neighbour.end());
        g.begin.push_back(g.entries());
    }
    g.edge_weight.assign(g.neighbour.size(), 1);
    return m;
}

connected_parts parts_of(const weighted_graph& g)
{
    std::vector<column_t> part(as_size(g.size()), -1), met;
    connected_parts parts{{}, {0}};
    for (column_t start = 0; start < g.size(); ++start) {
        if (part[as_size(start)] >= 0) continue;
        const auto number = static_cast<column_t>(parts.begin.size() - 1);
        met.assign(1, start);
        part[as_size(start)] = number;
        for (std::size_t k = 0; k < met.size(); ++k) {
            count_work(2 * (1 + g.degree(met[k])));
            for (const column_t u : g.of(met[k])) {
                if (part[as_size(u)] >= 0) continue;
                part[as_size(u)] = number;
                met.push_back(u);
            }
        }
        parts.begin.push_back(parts.begin.back() + static_cast<index_t>(met.size()));
    }
    std::vector<index_t> next(parts.begin.begin(), parts.begin.end() - 1);
    parts.vertex.resize(as_size(g.size()));
    for (column_t v = 0; v < g.size(); ++v)
        parts.vertex[as_size(next[as_size(part[as_size(v)])]++)] = v;
    return parts;
}

weighted_graph induced(const weighted_graph& g, std::span<const column_t> vertices,
                       std::vector<column_t>& place)
{
    weighted_graph part;
    index_t most = 0;
    for (std::size_t k = 0; k < vertices.size(); ++k) {
        place[as_size(vertices[k])] = static_cast<column_t>(k);
        most += g.degree(vertices[k]);
    }
    count_work(3 * most);
    part.begin.reserve(vertices.size() + 1);
    part.vertex_weight.reserve(vertices.size());
    part.neighbour.reserve(as_size(most));
    for (const column_t v : vertices) {
        for (const column_t u : g.of(v))
            if (place[as_size(u)] >= 0) part.neighbour.push_back(place[as_size(u)]);
        part.begin.push_back(part.entries());
        part.vertex_weight.push_back(g.vertex_weight[as_size(v)]);
        part.weight += g.vertex_weight[as_size(v)];
    }
    part.edge_weight.assign(part.neighbour.size(), 1);
    for (const column_t v : vertices) place[as_size(v)] = -1;
    return part;
}

}  // namespace ddla::factor
