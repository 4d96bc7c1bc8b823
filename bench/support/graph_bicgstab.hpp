// BiCGStab from the same calls as an expert would arrange them: scalars on the device, computed
// there by tiny kernels, whole iterations replayed from one CUDA graph; no wait inside.
//
// Beside that it does less than the textbook's loop: no norm after the half step, and (r, r) by a
// dot product, which cuBLAS does faster than a norm.
#pragma once

#include "cusparse_matrix.hpp"

namespace bench {

struct scalars_of_bicgstab;

class graph_bicgstab {
public:
    /// `iterations_per_graph` divides all numbers of iterations that will be asked for.
    graph_bicgstab(const rivals& by, const cusparse_matrix& a, const double* b, double* x,
                   int iterations_per_graph);
    ~graph_bicgstab();
    graph_bicgstab(const graph_bicgstab&) = delete;
    graph_bicgstab& operator=(const graph_bicgstab&) = delete;

    /// From x = 0.
    void start();
    void iterate(int times);

private:
    void iteration();
    void record();

    const rivals& by_;
    const cusparse_matrix& a_;
    std::int64_t n_;
    const double* b_;
    double* x_;
    int iterations_per_graph_;
    ddla::vector<double> all_r_, all_r0_, all_p_, all_v_, all_t_;
    double *r_, *r0_, *p_, *v_, *t_;  ///< their words
    ddla::buffer memory_of_scalars_;
    scalars_of_bicgstab* q_;  ///< on the device
    cudaGraphExec_t graph_ = nullptr;
};

}  // namespace bench
