// What an iteration of BiCGStab from cuBLAS and cuSPARSE takes.
#pragma once

#include "cusparse_matrix.hpp"

#include <vector>

namespace bench {

struct rival_solve {
    const cusparse_matrix& products;
    const ddla::csr_matrix<double>& a;
    const ddla::vector<double>& b;
    int iterations;  ///< of a solve that is timed; all graph_lengths divide it
    int samples;
    int compared;  ///< iterations after which the residual is looked at
};

struct rival_time {
    int iterations_per_graph = 0;  ///< 0 where there is no graph
    double microseconds = 0;       ///< an iteration, without the start of the solve
    bool compared = false;         ///< else graphs have more iterations than are to be compared
    double residual = 0;           ///< true and relative, after as many iterations as are compared
};

/// Graphs that are tried.
inline constexpr int graph_lengths[] = {1, 8};

rival_time time_of_textbook(const rivals& by, const rival_solve& s);
/// For each of graph_lengths.
std::vector<rival_time> times_of_graphs(const rivals& by, const rival_solve& s);

/// The one with the least time.
const rival_time& fastest(const std::vector<rival_time>& times);

}  // namespace bench
