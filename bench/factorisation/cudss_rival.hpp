// cuDSS as a rival, where its header was found.
#pragma once

#include "ddla/csr_matrix.hpp"

namespace bench {

/// Seconds of its refactorisation of a definite matrix, with its own order, factors at the device;
/// infinite where the program was built without it, or it fails.  Its first factorisation takes
/// longer.
double cudss_seconds(const ddla::csr_matrix<double>& a, bool in_double_double);

}  // namespace bench
