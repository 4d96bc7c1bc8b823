// Memory traffic of an iteration, counted from the vectors that its steps read and write.
#pragma once

#include "step.hpp"

#include <algorithm>
#include <vector>

namespace ddla::steps {

/// The least that iterations move if nothing stays in a cache between sweeps.
struct iteration_traffic {
    index_t products = 0;    ///< reads of all of A
    index_t vectors = 0;     ///< vectors that are read or written
    index_t iterations = 1;  ///< in so many iterations
};

/// How many vectors a sweep reads and how many it writes: what is gathered and also read in order
/// comes from memory once.
template <step Step>
int vectors_of(const Step& step)
{
    std::vector<const double*> read, written;
    const auto count_in = [](std::vector<const double*>& all) {
        return [&all](const auto& x) {
            if (std::find(all.begin(), all.end(), x.word(0)) == all.end()) all.push_back(x.word(0));
        };
    };
    each_vector(step.reads(), count_in(read));
    each_vector(step.writes(), count_in(written));
    if constexpr (row_step<Step>) count_in(read)(step.operand);
    return static_cast<int>(read.size() + written.size());
}

template <class... Steps>
iteration_traffic traffic_of(const sequence<Steps...>& iteration)
{
    iteration_traffic total;
    const auto count = [&]<step Step>(const Step& step) {
        total.products += row_step<Step>;
        total.vectors += vectors_of(step);
    };
    std::apply([&](const Steps&... step) { (count(step), ...); }, iteration.steps);
    return total;
}

}  // namespace ddla::steps
