// Messages between devices by NCCL, without the host.  Of the library ddla_nccl (CMake:
// ddla::nccl), where DDLA_NCCL found NCCL.
//
//     const auto ranks = ddla::with_nccl(ddla::communicator_of(MPI_COMM_WORLD), 0);
//     const auto there = ddla::distributed_matrix<double>(ranks, a).to(ddla::device(0));
#pragma once

#include "communicator.hpp"

#include <memory>

namespace ddla {

/// The same ranks, each with a device of its own: what products read of other ranks goes from
/// device to device; sums, which are short, go as before.  All ranks call this, each with the
/// number of its device.  Nothing is added by NCCL: bits are those of one rank.  Where a rank
/// fails, the others' messages are aborted, and their calls throw resource_error.
///
/// Throws resource_error, on all ranks, with NCCL's words where NCCL fails: as where two ranks name
/// one device, which NCCL does not serve.  Cost: NCCL's set-up, about a second.
std::shared_ptr<communicator> with_nccl(std::shared_ptr<communicator> ranks, int device);

}  // namespace ddla
