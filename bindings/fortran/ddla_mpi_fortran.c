/* What ddla_mpi.f90 calls: ddla_mpi.h for communicators of Fortran. */
#include <ddla_mpi.h>

typedef struct {
    ddla_mpi mpi;
    ddla_communicator ranks;
} joined_ranks;

/* Returns what MPI returns. */
int ddla_fortran_join(MPI_Fint of, void** joined, const void** communicator, int* rank, int* ranks)
{
    joined_ranks* const made = (joined_ranks*)malloc(sizeof *made);
    *joined = NULL;
    *communicator = NULL;
    *rank = 0;
    *ranks = 0;
    if (!made) return MPI_ERR_NO_MEM;
    const int result = ddla_mpi_init(MPI_Comm_f2c(of), &made->mpi, &made->ranks);
    if (result != MPI_SUCCESS) {
        free(made);
        return result;
    }
    *joined = made;
    *communicator = &made->ranks;
    *rank = made->ranks.rank;
    *ranks = made->ranks.ranks;
    return MPI_SUCCESS;
}

void ddla_fortran_leave(void* joined)
{
    if (!joined) return;
    ddla_mpi_free(&((joined_ranks*)joined)->mpi);
    free(joined);
}
