#include "graph_bicgstab.hpp"

namespace bench {

struct scalars_of_bicgstab {
    double rho, r0_v, t_s, t_t, r_r, next_rho;  ///< results of dot products
    double alpha, minus_alpha, omega, minus_omega, beta, one;
};

namespace {

__global__ void begin(scalars_of_bicgstab* q)
{
    q->rho = q->next_rho;
    q->one = 1;
}

__global__ void set_alpha(scalars_of_bicgstab* q)
{
    q->alpha = q->rho / q->r0_v;
    q->minus_alpha = -q->alpha;
}

__global__ void set_omega(scalars_of_bicgstab* q)
{
    q->omega = q->t_s / q->t_t;
    q->minus_omega = -q->omega;
}

__global__ void set_beta(scalars_of_bicgstab* q)
{
    q->beta = (q->next_rho / q->rho) * (q->alpha / q->omega);
    q->rho = q->next_rho;
}

void on_scalars(void (*kernel)(scalars_of_bicgstab*), cudaStream_t stream, scalars_of_bicgstab* q)
{
    kernel<<<1, 1, 0, stream>>>(q);
    check(cudaGetLastError(), "a kernel of scalars");
}

}  // namespace

graph_bicgstab::graph_bicgstab(const rivals& by, const cusparse_matrix& a, const double* b,
                               double* x, int iterations_per_graph)
    : by_(by), a_(a), n_(a.rows()), b_(b), x_(x), iterations_per_graph_(iterations_per_graph),
      all_r_(n_, there), all_r0_(n_, there), all_p_(n_, there), all_v_(n_, there),
      all_t_(n_, there), r_(all_r_.view().word(0)), r0_(all_r0_.view().word(0)),
      p_(all_p_.view().word(0)), v_(all_v_.view().word(0)), t_(all_t_.view().word(0)),
      memory_of_scalars_(sizeof(scalars_of_bicgstab), there),
      q_(static_cast<scalars_of_bicgstab*>(memory_of_scalars_.data()))
{
    // Once without recording, so that all libraries have loaded what they need.
    start();
    iteration();
    check(cudaStreamSynchronize(by.stream()), "cudaStreamSynchronize");
    record();
}

graph_bicgstab::~graph_bicgstab()
{
    cudaStreamSynchronize(by_.stream());
    cudaGraphExecDestroy(graph_);
}

void graph_bicgstab::start()
{
    by_.scalars_on_device();
    check(cudaMemsetAsync(x_, 0, static_cast<std::size_t>(n_) * sizeof(double), by_.stream()),
          "cudaMemsetAsync");
    for (double* const copy_of_b : {r_, r0_, p_}) by_.copy(n_, b_, copy_of_b);
    by_.dot(n_, r0_, r_, &q_->next_rho);
    on_scalars(begin, by_.stream(), q_);
}

/// s takes the place of r.
void graph_bicgstab::iteration()
{
    a_.multiply(p_, v_);
    by_.dot(n_, r0_, v_, &q_->r0_v);
    on_scalars(set_alpha, by_.stream(), q_);
    by_.axpy(n_, &q_->alpha, p_, x_);
    by_.axpy(n_, &q_->minus_alpha, v_, r_);

    a_.multiply(r_, t_);
    by_.dot(n_, t_, r_, &q_->t_s);
    by_.dot(n_, t_, t_, &q_->t_t);
    on_scalars(set_omega, by_.stream(), q_);
    by_.axpy(n_, &q_->omega, r_, x_);
    by_.axpy(n_, &q_->minus_omega, t_, r_);
    by_.dot(n_, r_, r_, &q_->r_r);

    by_.dot(n_, r0_, r_, &q_->next_rho);
    on_scalars(set_beta, by_.stream(), q_);
    by_.axpy(n_, &q_->minus_omega, v_, p_);
    by_.scal(n_, &q_->beta, p_);
    by_.axpy(n_, &q_->one, r_, p_);
}

void graph_bicgstab::record()
{
    by_.scalars_on_device();
    check(cudaStreamBeginCapture(by_.stream(), cudaStreamCaptureModeThreadLocal),
          "cudaStreamBeginCapture");
    for (int k = 0; k < iterations_per_graph_; ++k) iteration();
    cudaGraph_t recorded = nullptr;
    check(cudaStreamEndCapture(by_.stream(), &recorded), "cudaStreamEndCapture");
    check(cudaGraphInstantiate(&graph_, recorded, 0), "cudaGraphInstantiate");
    check(cudaGraphDestroy(recorded), "cudaGraphDestroy");
}

void graph_bicgstab::iterate(int times)
{
    for (int done = 0; done < times; done += iterations_per_graph_)
        check(cudaGraphLaunch(graph_, by_.stream()), "cudaGraphLaunch");
}

}  // namespace bench
