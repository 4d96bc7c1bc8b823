// Graphs with weights of vertices and edges, which nested dissection cuts.
#pragma once

#include "adjacency.hpp"

namespace ddla::factor {

/// Undirected, without loops; each edge is in the lists of both of its ends.
struct weighted_graph {
    std::vector<index_t> begin = {0};
    std::vector<column_t> neighbour;
    std::vector<column_t> edge_weight;
    std::vector<column_t> vertex_weight;
    index_t weight = 0;  ///< of all vertices

    column_t size() const { return static_cast<column_t>(vertex_weight.size()); }
    index_t entries() const { return static_cast<index_t>(neighbour.size()); }
    index_t degree(column_t v) const { return begin[as_size(v) + 1] - begin[as_size(v)]; }
    std::span<const column_t> of(column_t v) const
    {
        return {neighbour.data() + begin[as_size(v)], as_size(degree(v))};
    }
};

/// Vertices with the same neighbours, themselves included, become one, whose weight is their
/// number.  Then a column joins the vertex of the column before it if the first column of that is a
/// neighbour, and shares more than two thirds of all neighbours with it.
struct merged_graph {
    weighted_graph graph;           ///< edges have weight 1
    std::vector<index_t> first;     ///< vertex v stands for columns[first[v]] …
    std::vector<column_t> columns;  ///< … to columns[first[v + 1]], ascending
};

/// Columns with `is_left_out` take no part.  The second step is for unknowns of one place
/// where some entries between places are missing or cancel.  Cost: some passes over the entries.
merged_graph merge_alike_columns(const adjacency& a, const std::vector<char>& is_left_out);

/// The vertices of each connected part, ascending, one part after the other.
struct connected_parts {
    std::vector<column_t> vertex;
    std::vector<index_t> begin;
};

/// Parts by their lowest vertices.  Cost: one pass over the entries.
connected_parts parts_of(const weighted_graph& g);

/// The graph of these vertices; `place` is -1 for all vertices of g, before and after.
weighted_graph induced(const weighted_graph& g, std::span<const column_t> vertices,
                       std::vector<column_t>& place);

}  // namespace ddla::factor
