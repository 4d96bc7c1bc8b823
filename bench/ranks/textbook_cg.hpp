// CG in double on several devices, as a textbook has it: a rank a device, NCCL's sums.
#pragma once

#include "grid_rows.hpp"

#include "ddla/communicator.hpp"

namespace bench {

/// Seconds of an iteration on this rank's planes of the grid, from solves of two lengths.  Every
/// rank calls it.
double seconds_of_textbook_cg(const grid& of, ddla::communicator& ranks, int device);

}  // namespace bench
