// The hard systems: those of the reference answers, and b = ones for every square matrix of a
// folder.
#pragma once

#include "support/reference_errors.hpp"

#include <functional>

namespace hard {

struct hard_system {
    const std::string& matrix;
    const std::string& rhs;
    const ddla::csr_matrix<double>& a;
    const ddla::vector<double>& b;
    /// The answer that belongs to it; null where there is none.
    const reference::answer* answer = nullptr;
    double kappa1 = -1;  ///< negative: not known
};

/// Matrices by name: those of the answers and of the folder.
std::vector<std::string> matrix_names(const std::filesystem::path& answers,
                                      const std::filesystem::path& matrices);

/// Calls `use` for each system of a matrix; returns why there is none, else an empty text.
std::string for_each_system(const std::string& matrix, const std::filesystem::path& answers,
                            const std::filesystem::path& matrices,
                            const std::function<void(const hard_system&)>& use);

}  // namespace hard
