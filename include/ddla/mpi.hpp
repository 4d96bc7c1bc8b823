// Ranks of MPI.  Of the library ddla_mpi (CMake: ddla::mpi), where DDLA_MPI found one.
//
//     MPI_Init(nullptr, nullptr);
//     const auto ranks = ddla::communicator_of(MPI_COMM_WORLD);
#pragma once

#include "communicator.hpp"

#include <mpi.h>

#include <memory>

namespace ddla {

/// A duplicate of a communicator of the caller, so that messages of ddla and of others never meet;
/// freed with its last owner, which must be before MPI_Finalize.  All its ranks call this.
/// MPI_THREAD_FUNNELED suffices: ddla calls MPI from the thread that calls ddla.  Messages may be
/// longer than 2^31 bytes.  fail() ends the programs of all ranks (MPI_Abort, exit status 3).
/// Throws resource_error with MPI's words where MPI fails.
std::shared_ptr<communicator> communicator_of(MPI_Comm ranks);

}  // namespace ddla
