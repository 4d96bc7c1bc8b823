/* See misuse.h: matrices whose rows are shared among ranks, here one. */
#include "misuse.h"

static int gather(void* data, const void* mine, void* all, const size_t* bytes)
{
    (void)data;
    memcpy(all, mine, bytes[0]);
    return 0;
}

static int start(void* data, size_t sends, const ddla_message* sent, size_t receives,
                 const ddla_message* received)
{
    (void)data, (void)sent, (void)received;
    return sends == 0 && receives == 0 ? 0 : 1;
}

static int finish(void* data)
{
    (void)data;
    return 0;
}

static int refuse(void* data)
{
    (void)data;
    return 7;
}

static ddla_communicator one_rank(void)
{
    ddla_communicator ranks = {0};
    ranks.size = sizeof ranks;
    ranks.ranks = 1;
    ranks.all_gather = gather;
    ranks.start_exchange = start;
    ranks.finish_exchange = finish;
    return ranks;
}

static void misuse_creation(void)
{
    ddla_communicator ranks = one_rank();
    ddla_csr rows = four_by_four();
    ddla_distributed* shared = (ddla_distributed*)&ranks;
    MISUSE(ddla_distributed_create(NULL, &rows, 4, 0, &shared));
    TRUE(shared == NULL);
    MISUSE(ddla_distributed_create(&ranks, &rows, 4, 0, NULL));
    INPUT(ddla_distributed_create(&ranks, NULL, 4, 0, &shared));
    INPUT(ddla_distributed_create(&ranks, &rows, 5, 0, &shared));
    INPUT(ddla_distributed_create(&ranks, &rows, 4, 100, &shared));
    rows.index_base = 1;
    INPUT(ddla_distributed_create(&ranks, &rows, 4, 0, &shared));
    rows = four_by_four();
    ranks.rank = 1;
    MISUSE(ddla_distributed_create(&ranks, &rows, 4, 0, &shared));
    ranks = one_rank();
    ranks.all_gather = NULL;
    MISUSE(ddla_distributed_create(&ranks, &rows, 4, 0, &shared));
    ranks = one_rank();
    ranks.finish_exchange = refuse;
    GIVES(DDLA_CALLBACK, ddla_distributed_create(&ranks, &rows, 4, 0, &shared));
    TRUE(strstr(ddla_last_error(), "finish_exchange returned 7") != NULL && shared == NULL);
    ranks.size = 8;
    MISUSE(ddla_distributed_create(&ranks, &rows, 4, 0, &shared));
    ddla_distributed_destroy(NULL);
}

void misuse_ranks(void)
{
    const ddla_communicator ranks = one_rank();
    const ddla_csr rows = four_by_four();
    ddla_distributed* shared = NULL;
    ddla_distributed_size size = {0};
    ddla_report* report = (ddla_report*)&size;
    ddla_dd r;
    misuse_creation();
    OK(ddla_distributed_create(&ranks, &rows, 4, 0, &shared));
    MISUSE(ddla_distributed_shape(shared, &size));
    size.size = sizeof size;
    OK(ddla_distributed_shape(shared, &size));
    TRUE(size.rows == 4 && size.own_columns == 4 && size.first_row == 0);
    MISUSE(ddla_distributed_multiply(NULL, x, y));
    INPUT(ddla_distributed_multiply(shared, longer, y));
    MISUSE(ddla_distributed_multiply(shared, x, d));
    INPUT(ddla_distributed_multiply_transposed(shared, x, longer));
    INPUT(ddla_distributed_dot(shared, x, longer, &r));
    MISUSE(ddla_distributed_dot(shared, x, y, NULL));
    MISUSE(ddla_distributed_nrm2(NULL, x, &r));
    INPUT(ddla_distributed_nrm2(shared, longer, &r));
    INPUT(ddla_distributed_solve(shared, longer, x, NULL, &report));
    TRUE(report == NULL);
    MISUSE(ddla_distributed_solve(shared, x, d, NULL, NULL));
    OK(ddla_distributed_solve(shared, x, y, NULL, &report));
    ddla_report_destroy(report);
    ddla_distributed_destroy(shared);
}
