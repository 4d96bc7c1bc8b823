// SuperLU's expert driver dgssvx: equilibration, COLAMD, refinement in double, condition estimate,
// FERR and BERR.  It stores its matrix by columns.
#include "methods.hpp"

#include <slu_ddefs.h>

#include <algorithm>
#include <vector>

namespace hard {

void run_superlu(const problem& p, outcome& out, ddla::dd_real* to)
{
    int_columns c = columns_of(p.a);
    const int n = static_cast<int>(p.a.rows());
    const auto size = static_cast<std::size_t>(n);
    std::vector<double> b(size), x(size), row_scale(size), column_scale(size);
    std::vector<int> row_order(size), column_order(size), tree(size);
    for (std::size_t i = 0; i < size; ++i) b[i] = p.b[static_cast<ddla::index_t>(i)];

    superlu_options_t options;
    set_default_options(&options);
    options.IterRefine = SLU_DOUBLE;
    options.ConditionNumber = YES;
    options.PivotGrowth = YES;
    SuperMatrix a, l, u, right, left;
    dCreate_CompCol_Matrix(&a, n, n, static_cast<int>(c.row.size()), c.value.data(), c.row.data(),
                           c.begin.data(), SLU_NC, SLU_D, SLU_GE);
    dCreate_Dense_Matrix(&right, n, 1, b.data(), n, SLU_DN, SLU_D, SLU_GE);
    dCreate_Dense_Matrix(&left, n, 1, x.data(), n, SLU_DN, SLU_D, SLU_GE);
    char equilibrated[1] = {'N'};
    double growth = 0, rcond = 0, forward = 0, backward = 0;
    GlobalLU_t global;
    mem_usage_t memory = {};
    SuperLUStat_t statistics;
    StatInit(&statistics);
    int info = 0;
    const double begin = processor_seconds();
    dgssvx(&options, &a, column_order.data(), row_order.data(), tree.data(), equilibrated,
           row_scale.data(), column_scale.data(), &l, &u, nullptr, 0, &right, &left, &growth,
           &rcond, &forward, &backward, &global, &memory, &statistics, &info);
    out.seconds = processor_seconds() - begin;
    // n + 1: solved, but the condition estimate says singular to working precision.
    out.has_x = info == 0 || info == n + 1;
    out.claims = info == 0;
    if (out.has_x) out.own_error = forward;
    out.own_bytes = static_cast<double>(memory.total_needed);
    set_status(out, info == 0 ? "ok" : info == n + 1 ? "rcond" : "info " + std::to_string(info));
    std::copy(x.begin(), x.end(), to);
    // The process ends here: nothing is freed.
}

std::string superlu_version()
{
#if defined(SUPERLU_MAJOR_VERSION)
    return "SuperLU " + std::to_string(SUPERLU_MAJOR_VERSION) + "." +
           std::to_string(SUPERLU_MINOR_VERSION) + "." + std::to_string(SUPERLU_PATCH_VERSION);
#else
    return "SuperLU";
#endif
}

}  // namespace hard
