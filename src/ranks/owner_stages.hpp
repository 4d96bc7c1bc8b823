// Numbers of sums on their way to the owners of nodes, before the rest goes to all ranks.
#pragma once

#include "ddla/communicator.hpp"
#include "sum_plan.hpp"

#include <vector>

namespace ddla::ranks {

class owner_stages {
public:
    /// Of `count` sums: memory for what travels, as rank_tiles::pack() leaves it.
    std::byte* room(const sum_plan& plan, std::size_t count, const summand& of);
    /// Does all stages.  Every rank calls it.  Returns how many numbers this rank has sent.
    std::size_t run(const sum_plan& plan, std::size_t count, const summand& of,
                    communicator& among);
    /// Writes what goes to all, sum after sum.
    void leave(const sum_plan& plan, std::size_t count, const summand& of, std::byte* to);

private:
    /// Number `slot` of sum j.
    std::byte* at(const sum_plan& plan, std::size_t j, std::size_t slot, const summand& of);
    void exchange(const sum_plan& plan, const sum_plan::stage& now, std::size_t count,
                  const summand& of, communicator& among);

    std::vector<std::byte> packed_, slots_, terms_;
    std::vector<std::vector<std::byte>> out_, in_;
};

}  // namespace ddla::ranks
