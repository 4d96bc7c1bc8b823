// ddla-mpi: ddla on the ranks of MPI.  ddla starts it under mpirun.
#include "ddla_program.hpp"

#include "cli/shell/command.hpp"
#include "cli/shell/ranks.hpp"

#include "ddla/mpi.hpp"
#ifdef DDLA_WITH_NCCL
#include "ddla/nccl.hpp"
#endif

#include <cstdlib>
#include <iostream>
#include <string>

namespace {

/// MPI from here to the end.
class mpi_session {
public:
    mpi_session(int& argc, char**& argv)
    {
        int provided = 0;
        MPI_Init_thread(&argc, &argv, MPI_THREAD_FUNNELED, &provided);
    }
    mpi_session(const mpi_session&) = delete;
    mpi_session& operator=(const mpi_session&) = delete;
    ~mpi_session() { MPI_Finalize(); }
};

/// A library of MPI that was not started by its own mpirun sees one rank in each process.
bool is_what_was_started(int size)
{
    const char* asked = std::getenv("OMPI_COMM_WORLD_SIZE");
    if (!asked) asked = std::getenv("PMI_SIZE");
    if (!asked || std::atoi(asked) == size) return true;
    std::cerr << "ddla: " + std::string(asked) + " ranks were started, and MPI sees " +
                     std::to_string(size) + ": mpirun and the MPI of ddla do not fit together\n";
    return false;
}

}  // namespace

int main(int argc, char** argv)
{
    using namespace ddla::cli;
    const mpi_session session(argc, argv);
    const auto ranks = ddla::communicator_of(MPI_COMM_WORLD);
    if (!is_what_was_started(ranks->size())) return exit_bad_input;
    set_ranks_of_command(ranks);
#ifdef DDLA_WITH_NCCL
    set_messages_of_devices(ddla::with_nccl);
#endif
    const int status = run_ddla(argc, argv);
    // Of one rank alone: the others may wait for it.
    if (status == exit_failure && !ends_with_others() && ranks->size() > 1)
        ranks->fail("it cannot go on");
    set_ranks_of_command(nullptr);
    return status;
}
