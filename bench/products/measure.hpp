// y = A x in every format beside cuSPARSE's.
#pragma once

#include "support/agreements.hpp"
#include "support/built_ahead.hpp"
#include "support/copy_time.hpp"
#include "support/data.hpp"
#include "support/timing.hpp"

#include "ddla/sparse_format.hpp"
#include "ddla/stream.hpp"

namespace bench {

struct product_bench {
    std::vector<ddla::sparse_format> formats;
    bool threads = false;   ///< crs_vector with every number of threads a row, too
    bool permuted = false;  ///< evc_hyb without undoing its permutation, too

    cuda_stream native{};
    ddla::stream on{there, native};
    bench::rivals rivals{native};
    bench::agreements agreements{};
    copy_time copy{};
    right_hand_side<double> x{};
    right_hand_side<ddla::dd_real> x_dd{};
};

/// The record of a matrix, and a line for each format on the standard output.
json measure(product_bench& b, const matrix_case& what, const built_matrix& built);

/// The line above those.
void print_heading();

}  // namespace bench
