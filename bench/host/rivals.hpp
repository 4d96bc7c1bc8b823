// Sparse products of other libraries, on the host.
#pragma once

#include "ddla/csr_matrix.hpp"

#include <memory>
#include <string>
#include <vector>

namespace bench {

/// y = A x by another library, in its own storage.
class rival {
public:
    virtual ~rival() = default;
    virtual void set_threads(int threads) = 0;
    virtual void multiply() = 0;
    /// y; the low words are zero in double.
    virtual ddla::vector<ddla::dd_real> result() const = 0;

    std::string name;  ///< library and precision
    bool in_double_double = false;
};

/// x is what both precisions multiply: a rival in double takes its high words.
using rival_maker = std::unique_ptr<rival>(const ddla::csr_matrix<double>& a,
                                           const ddla::vector<ddla::dd_real>& x);
rival_maker eigen_double, lis_double, lis_quad;

/// Those that were built in.
std::vector<std::unique_ptr<rival>> rivals_of(const ddla::csr_matrix<double>& a,
                                              const ddla::vector<ddla::dd_real>& x);
std::string eigen_version();

}  // namespace bench
