// What the parts that need a device share, and the parts.
#pragma once

#include "paper_matrices.hpp"
#include "record_file.hpp"

#include "support/agreements.hpp"
#include "support/built_ahead.hpp"
#include "support/copy_time.hpp"
#include "support/timing.hpp"

#include "ddla/stream.hpp"

#include <functional>
#include <map>
#include <string>

namespace bench {

struct paper_bench {
    int samples = 3;  ///< of a time
    cuda_stream native{};
    ddla::stream on{there, native};
    bench::rivals rivals{native};
    bench::agreements agreements{};
    copy_time copy{};

    template <class F>
    double time(const F& f) const
    {
        return microseconds(native, f, samples);
    }
    /// Said once.
    bool out_of_time(const record_file& results)
    {
        stopped = stopped || results.time_is_over();
        return stopped;
    }
    bool stopped = false;                           ///< because the time was over
    std::map<std::string, bool> may_be_definite{};  ///< by the names of matrices
};

/// The record of a matrix: everything but the measured numbers.
json record_of(const matrix_case& what, const matrix_shape& s);

/// Section 2: the papers' kernels, ddla and cuSPARSE.
json measure_crs(paper_bench& b, const matrix_case& what, const built_matrix& built);
/// CG by CRS-T, by ddla and by cuSPARSE; nothing measured of matrices that are not symmetric.
json measure_cg(paper_bench& b, const matrix_case& what, const built_matrix& built);
/// Section 1: the operations of BiCGStab and its iterations.
json measure_bicgstab(paper_bench& b, const matrix_case& what, const built_matrix& built);
/// Section 3: EVC-HYB by the paper's kernel and by ddla, beside cuSPARSE.
json measure_evc(paper_bench& b, const matrix_case& what, const built_matrix& built);
/// Its paper's kernel, launched once with each of evc_loads, and HYB's kernels, for a profiler that
/// counts between cudaProfilerStart and cudaProfilerStop, after launches that it does not see;
/// "launches" has their order, and nothing is timed.
json measure_counted(paper_bench& b, const matrix_case& what, const built_matrix& built);
/// STREAM and latencies, which its paper compares with.
void measure_memory(paper_bench& b, record_file& results);
/// Vector operations over n, and structures of arrays beside arrays of structures.
void measure_vectors(paper_bench& b, record_file& results, bool quick);

}  // namespace bench
