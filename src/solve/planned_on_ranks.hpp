// The plan of a system whose rows ranks share.
#pragma once

#include "operators/system_map.hpp"

#include "ddla/plan.hpp"

#include <string>

namespace ddla::api {

struct shared_sizes {
    index_t rows = 0, columns = 0, nonzeros = 0;
    int ranks = 1;
    std::size_t bytes_of_gathering = 0;  ///< of A
    std::string limit = {};              ///< that the system on one rank would pass; empty: none
};

/// Whether such a solve begins with factors, for which rank 0 gathers A.
bool begins_with_factors(const shared_sizes& all, const solve_options& options);
/// Whether it makes the preconditioner that the options name.
bool makes_preconditioner(const shared_sizes& all, const solve_options& options);

/// `gathered`: the system on rank 0, of which factors are counted; null where nothing is gathered.
template <scalar T>
std::vector<planned_stage> planned_on_ranks(const shared_sizes& all, const system_map<T>* gathered,
                                            const solve_options& options);

}  // namespace ddla::api
