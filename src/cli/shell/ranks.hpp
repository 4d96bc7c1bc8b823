// The ranks that started together with this process, if it was started by MPI.
#pragma once

#include "ddla/communicator.hpp"

#include <functional>
#include <memory>

namespace ddla::cli {

/// Null: it is alone.
const std::shared_ptr<communicator>& ranks_of_command();
/// Before the command line is read.
void set_ranks_of_command(std::shared_ptr<communicator> ranks);

/// How messages go between devices of ranks without the host; empty: they do not.
using device_messages =
    std::function<std::shared_ptr<communicator>(std::shared_ptr<communicator>, int device)>;
const device_messages& messages_of_devices();
void set_messages_of_devices(device_messages how);

/// Ranks that see the same machine, or the same devices of it.
struct neighbours {
    int rank = 0;  ///< of this one among them
    int count = 1;
};
/// Those on one machine; with `by_devices`, only those to which the same devices are visible. Every
/// rank calls it.
neighbours neighbours_of(communicator& ranks, bool by_devices);

/// All ranks end in the same way, so that none has to end the others.
void note_common_end();
bool ends_with_others();

/// Whether this process speaks to the terminal: what all ranks find, rank 0 says.
bool speaks_for_ranks();

/// What runs before the command: under mpirun, and without ranks here, the program ddla-mpi in the
/// folder of this one takes over, unless DDLA_ALONE is set.  Where it is not there and there is
/// more than one rank, one sentence and exit_bad_input; else 0.
int hand_over_to_ranks(char** argv);

}  // namespace ddla::cli
