// Memory traffic of an iteration, from what its steps declare.
//
// A step of a solver, and dot, list the vectors that a sweep reads and writes at element i, besides
// its operand.  In sums over elements the host prefetches them.
//
//     template <class Moves>
//     void traffic(Moves& m) const { m.reads(all.r, all.v), m.writes(all.s); }
#pragma once

#include "step.hpp"

#include <algorithm>
#include <vector>

namespace ddla::steps {

/// The least that one iteration moves if nothing stays in a cache between sweeps.
struct iteration_traffic {
    int products = 0;  ///< reads of all of A
    int vectors = 0;   ///< vectors that are read or written
};

/// The vectors of one sweep, counted once as read and once as written: a vector that is both
/// gathered and read in order comes from memory once.
class sweep_traffic {
public:
    template <class... Vectors>
    void reads(const Vectors&... x)
    {
        (add(read_, x.word(0)), ...);
    }
    template <class... Vectors>
    void writes(const Vectors&... x)
    {
        (add(written_, x.word(0)), ...);
    }
    int vectors() const { return static_cast<int>(read_.size() + written_.size()); }

private:
    static void add(std::vector<const double*>& all, const double* x)
    {
        if (std::find(all.begin(), all.end(), x) == all.end()) all.push_back(x);
    }
    std::vector<const double*> read_, written_;
};

template <class... Steps>
iteration_traffic traffic_of(const sequence<Steps...>& iteration)
{
    iteration_traffic total;
    const auto count = [&](const auto& step) {
        sweep_traffic moved;
        step.traffic(moved);
        if constexpr (std::remove_cvref_t<decltype(step)>::sweeps == over::rows) {
            moved.reads(step.operand);
            ++total.products;
        }
        total.vectors += moved.vectors();
    };
    std::apply([&](const Steps&... step) { (count(step), ...); }, iteration.steps);
    return total;
}

}  // namespace ddla::steps
