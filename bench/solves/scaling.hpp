// Time of an iteration against the size of a system, and against the number of threads.
#pragma once

#include "rival_times.hpp"

#include "ddla/place.hpp"

#include <string>
#include <vector>

namespace bench {

struct scaling_options {
    ddla::place at = ddla::host;
    ddla::index_t most = 0;  ///< unknowns; 0 for 10^8 on a device, 10^7 on the host
    int per_decade = 3;      ///< sizes
    rival_timer rivals{};    ///< on a device, unless it is empty
    /// On the host: numbers of threads, by default 1, 2, 4 … and all; cubes that they share.
    std::vector<int> threads{};
    std::vector<int> cubes{32, 64, 128};
    std::string json_file{};
};

/// Edges of cubes from 10^3 unknowns on, so many a decade, of at most `most` unknowns.
std::vector<int> edges_of_cubes(ddla::index_t most, int per_decade);

/// 1, 2, 4 … below `all`, and `all`.
std::vector<int> powers_of_two_and(int all);

/// Lines on the standard output, and the file.
void measure_scaling(const scaling_options& o);

}  // namespace bench
