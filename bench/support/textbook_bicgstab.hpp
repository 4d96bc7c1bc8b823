// BiCGStab from calls of cuBLAS and cuSPARSE as one writes it down: scalars on the host, so that
// every dot product and norm waits for the device.
#pragma once

#include "cusparse_matrix.hpp"

namespace bench {

class textbook_bicgstab {
public:
    textbook_bicgstab(const rivals& by, const cusparse_matrix& a);

    /// From x = 0.
    void start(const double* b, double* x);
    void iterate(int times);

private:
    void next_direction();

    const rivals& by_;
    const cusparse_matrix& a_;
    std::int64_t n_;
    ddla::vector<double> r_, r0_, p_, v_, t_;
    double* x_ = nullptr;
    double rho_ = 0, alpha_ = 0, omega_ = 0, threshold_ = 0;
    bool first_ = true;
};

}  // namespace bench
