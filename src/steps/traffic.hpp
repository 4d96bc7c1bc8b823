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

/// Vectors, each counted once.
class distinct_vectors {
public:
    void add(const double* first)
    {
        if (std::find(all_.begin(), all_.end(), first) == all_.end()) all_.push_back(first);
    }
    std::size_t count() const { return all_.size(); }

private:
    std::vector<const double*> all_;
};

/// How many vectors a sweep reads and how many it writes: what is gathered and also read in order
/// comes from memory once.
template <step Step>
int vectors_of(const Step& step)
{
    distinct_vectors read, written;
    each_vector(step.reads(), [&](const auto& x) { read.add(x.word(0)); });
    each_vector(step.writes(), [&](const auto& x) { written.add(x.word(0)); });
    if constexpr (row_step<Step>) read.add(step.operand.word(0));
    return static_cast<int>(read.count() + written.count());
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
