/* Ranks of MPI for ddla.h.  No library of ddla needs MPI: this file is compiled with your program.
 *
 *     ddla_mpi mpi;
 *     ddla_communicator ranks;
 *     if (ddla_mpi_init(MPI_COMM_WORLD, &mpi, &ranks) != MPI_SUCCESS) ...
 *     ddla_distributed_create(&ranks, &own_rows, n, 0, &a);
 *     ...
 *     ddla_distributed_destroy(a);
 *     ddla_mpi_free(&mpi);                                           before MPI_Finalize
 *
 * docs/ranks.md
 */
#ifndef DDLA_MPI_H
#define DDLA_MPI_H

#include "ddla.h"

#include <limits.h>
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Messages are cut into pieces of 2^30 bytes. */
#define DDLA_MPI_PIECE ((size_t)1 << 30)

/* Must stay where it is as long as matrices use it. */
typedef struct {
    MPI_Comm ranks; /* a duplicate: messages of ddla and of others never meet */
    int size, rank;
    MPI_Request* requests;
    size_t count, room;
    int* counts; /* and offsets, of each rank */
} ddla_mpi;

static inline MPI_Request* ddla_mpi_next_request(ddla_mpi* mpi)
{
    if (mpi->count == mpi->room) {
        const size_t room = 2 * mpi->room + 16;
        void* const more = realloc(mpi->requests, room * sizeof(MPI_Request));
        if (!more) return NULL;
        mpi->requests = (MPI_Request*)more;
        mpi->room = room;
    }
    return &mpi->requests[mpi->count++];
}

static inline int ddla_mpi_post(ddla_mpi* mpi, const ddla_message* m, int sends)
{
    for (size_t at = 0; at < m->bytes; at += DDLA_MPI_PIECE) {
        const size_t left = m->bytes - at;
        const int piece = (int)(left < DDLA_MPI_PIECE ? left : DDLA_MPI_PIECE);
        char* const memory = (char*)m->memory + at;
        MPI_Request* const request = ddla_mpi_next_request(mpi);
        if (!request) return 1;
        const int result =
            sends ? MPI_Isend(memory, piece, MPI_BYTE, m->rank, 0, mpi->ranks, request)
                  : MPI_Irecv(memory, piece, MPI_BYTE, m->rank, 0, mpi->ranks, request);
        if (result != MPI_SUCCESS) return result;
    }
    return 0;
}

static inline int ddla_mpi_start_exchange(void* data, size_t sends, const ddla_message* sent,
                                          size_t receives, const ddla_message* received)
{
    ddla_mpi* const mpi = (ddla_mpi*)data;
    mpi->count = 0;
    for (size_t k = 0; k < receives; ++k) {
        const int result = ddla_mpi_post(mpi, &received[k], 0);
        if (result) return result;
    }
    for (size_t k = 0; k < sends; ++k) {
        const int result = ddla_mpi_post(mpi, &sent[k], 1);
        if (result) return result;
    }
    return 0;
}

static inline int ddla_mpi_finish_exchange(void* data)
{
    ddla_mpi* const mpi = (ddla_mpi*)data;
    return MPI_Waitall((int)mpi->count, mpi->requests, MPI_STATUSES_IGNORE);
}

/* By messages, which may be longer than 2^31 bytes. */
static inline int ddla_mpi_gather_large(ddla_mpi* mpi, const void* mine, void* all,
                                        const size_t* bytes)
{
    mpi->count = 0;
    char* to = (char*)all;
    for (int r = 0; r < mpi->size; to += bytes[r], ++r) {
        if (r == mpi->rank) {
            if (bytes[r] > 0) memcpy(to, mine, bytes[r]);
            continue;
        }
        const ddla_message in = {to, bytes[r], r}, out = {(void*)mine, bytes[mpi->rank], r};
        int result = ddla_mpi_post(mpi, &in, 0);
        if (!result) result = ddla_mpi_post(mpi, &out, 1);
        if (result) return result;
    }
    return ddla_mpi_finish_exchange(mpi);
}

static inline int ddla_mpi_all_gather(void* data, const void* mine, void* all, const size_t* bytes)
{
    ddla_mpi* const mpi = (ddla_mpi*)data;
    int* const offsets = mpi->counts + mpi->size;
    size_t end = 0;
    for (int r = 0; r < mpi->size; ++r) {
        mpi->counts[r] = (int)bytes[r];
        offsets[r] = (int)end;
        end += bytes[r];
    }
    if (end > INT_MAX) return ddla_mpi_gather_large(mpi, mine, all, bytes);
    return MPI_Allgatherv(mine, mpi->counts[mpi->rank], MPI_BYTE, all, mpi->counts, offsets,
                          MPI_BYTE, mpi->ranks);
}

/* An error of this rank alone: the others would wait for it. */
static inline void ddla_mpi_fail(void* data, const char* why)
{
    const ddla_mpi* const mpi = (const ddla_mpi*)data;
    fprintf(stderr, "ddla: %s (rank %d)\n", why, mpi->rank);
    MPI_Abort(mpi->ranks, 3);
}

/* All ranks of `of` call it.  Returns what MPI returns. */
static inline int ddla_mpi_init(MPI_Comm of, ddla_mpi* mpi, ddla_communicator* ranks)
{
    memset(mpi, 0, sizeof *mpi);
    memset(ranks, 0, sizeof *ranks);
    int result = MPI_Comm_dup(of, &mpi->ranks);
    if (result != MPI_SUCCESS) return result;
    MPI_Comm_rank(mpi->ranks, &mpi->rank);
    MPI_Comm_size(mpi->ranks, &mpi->size);
    mpi->counts = (int*)malloc(2 * (size_t)mpi->size * sizeof(int));
    if (!mpi->counts) return MPI_ERR_NO_MEM;
    ranks->size = sizeof *ranks;
    ranks->rank = mpi->rank;
    ranks->ranks = mpi->size;
    ranks->data = mpi;
    ranks->all_gather = ddla_mpi_all_gather;
    ranks->start_exchange = ddla_mpi_start_exchange;
    ranks->finish_exchange = ddla_mpi_finish_exchange;
    ranks->fail = ddla_mpi_fail;
    return MPI_SUCCESS;
}

/* When no matrix uses it any more. */
static inline void ddla_mpi_free(ddla_mpi* mpi)
{
    free(mpi->requests);
    free(mpi->counts);
    MPI_Comm_free(&mpi->ranks);
}

#endif
