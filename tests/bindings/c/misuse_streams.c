/* See misuse.h: work on memory of the caller, in the order of a stream. */
#include "misuse.h"

void misuse_streams(void)
{
    double hi[] = {1, 2, 3, 4}, lo[4] = {0}, other[4] = {0}, more[4] = {0}, sum[2];
    const ddla_view in_dd = {hi, lo, 4}, in_double = {other, NULL, 4}, negative = {hi, lo, -1};
    const ddla_view overlapping = {hi + 1, lo + 1, 3}, three = {other, more, 3};
    const ddla_view nowhere = {NULL, lo, 4}, apart = {other, more, 4};
    const ddla_scalar s = {{1, 0}, NULL}, low = {{1, 1e-20}, NULL};
    ddla_dd r, pairs[4];
    ddla_stream* on = NULL;
    MISUSE(ddla_stream_create(-5, NULL, &on));
    INPUT(ddla_stream_create(DDLA_HOST, &on, &on));
    MISUSE(ddla_stream_wait(NULL));
    OK(ddla_stream_create(DDLA_HOST, NULL, &on));
    MISUSE(ddla_stream_dot(on, in_dd, in_double, &r));
    MISUSE(ddla_stream_dot(on, in_dd, in_dd, NULL));
    INPUT(ddla_stream_dot(on, in_dd, three, &r));
    INPUT(ddla_stream_nrm2(on, negative, &r));
    INPUT(ddla_stream_asum(on, nowhere, &r));
    INPUT(ddla_stream_dot_at(on, in_dd, in_dd, NULL));
    INPUT(ddla_stream_nrm2_at(on, nowhere, sum));
    INPUT(ddla_stream_asum_at(on, in_dd, NULL));
    MISUSE(ddla_stream_axpy(on, low, in_double, in_double));
    INPUT(ddla_stream_axpy(on, s, three, overlapping.n == 3 ? in_dd : three));
    INPUT(ddla_stream_axpyz(on, s, in_dd, in_dd, three));
    MISUSE(ddla_stream_xpay(on, in_double, s, in_dd));
    MISUSE(ddla_stream_scal(NULL, s, in_dd));
    INPUT(ddla_stream_copy(on, in_dd, three));
    INPUT(ddla_stream_interleave(on, in_dd, NULL));
    MISUSE(ddla_stream_interleave(on, in_double, pairs));
    INPUT(ddla_stream_split(on, NULL, in_dd));
    INPUT(ddla_stream_spmv(on, s, a, in_dd, s, in_dd));
    MISUSE(ddla_stream_spmv(on, s, wide, in_double, s, in_double));
    INPUT(ddla_stream_residual(on, lent, in_dd, three, apart));
    MISUSE(ddla_stream_solve(on, NULL, in_dd, apart, NULL, NULL));
    INPUT(ddla_stream_solve(on, a, in_dd, in_dd, NULL, NULL));
    OK(ddla_stream_spmv(on, s, lent, in_dd, s, apart));
    TRUE(other[3] == 16);
    ddla_stream_destroy(on);
}
