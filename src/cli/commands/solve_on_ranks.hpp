// ddla solve on several ranks.
#pragma once

#include "cli/options/solve_request.hpp"
#include "cli/shell/command.hpp"

#include "ddla/communicator.hpp"

#include <memory>

namespace ddla::cli {

/// Rank 0 reads, writes and speaks.  Every rank calls it, with the same request.
exit_status solve_on_ranks(const solve_request& r, std::shared_ptr<communicator> ranks);

}  // namespace ddla::cli
