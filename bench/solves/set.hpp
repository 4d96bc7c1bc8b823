// BiCGStab on every matrix of the set, beside cuBLAS and cuSPARSE.
#pragma once

#include "support/matrix_options.hpp"

namespace bench {

struct set_options {
    matrix_options matrices{};
    std::string json_file{};
};

/// Lines on the standard output, and the file.  1 if results disagree or a matrix failed, else 0.
int measure_set(const set_options& o);

}  // namespace bench
