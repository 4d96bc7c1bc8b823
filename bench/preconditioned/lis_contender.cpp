// Lis in its quad precision (double-double) with ILU(0).  It returns x in double.
#include "contender.hpp"

#include "../host/lis_parts.hpp"

#include "ddla/blas.hpp"

// Exported by the library, not in its header: the parts of lis_solve().
extern "C" LIS_INT lis_precon_create(LIS_SOLVER solver, LIS_PRECON* factors);
extern "C" LIS_INT lis_precon_destroy(LIS_PRECON factors);
extern "C" LIS_INT lis_psolve_iluk_csr(LIS_SOLVER solver, LIS_VECTOR r, LIS_VECTOR z);

namespace bench {

namespace {

class lis_contender final : public contender {
public:
    lis_contender(const ddla::csr_matrix<double>& a, int threads)
        : threads_(threads), of_(a), a_(a), b_(a_, false), x_(a_, false)
    {
        omp_set_num_threads(threads);
        check_lis(lis_vector_set_all(1.0, b_));
        check_lis(lis_solver_create(&solver_));
    }
    ~lis_contender() override
    {
        if (factors_) lis_precon_destroy(factors_);
        lis_solver_destroy(solver_);
    }

    json about() const override;
    bool has(factors_kind kind) const override { return kind == factors_kind::ilu; }
    bool has(krylov_method m) const override { return m != krylov_method::fgmres; }
    /// Its recurrence does; x is in double.
    bool can_reach(double) const override { return true; }

    build_outcome build(factors_kind) override
    {
        omp_set_num_threads(threads_);
        set(krylov_method::bicgstab, 1e-300, 1);
        check_lis(lis_solver_set_matrix(a_, solver_));
        if (factors_) lis_precon_destroy(std::exchange(factors_, nullptr));
        const auto begin = bench_clock::now();
        check_lis(lis_precon_create(solver_, &factors_));
        return {seconds_since(begin), NAN, 0};
    }

    double apply_seconds() override
    {
        run(krylov_method::bicgstab, 1e-300, 1);  // after which the solver knows the factors
        const lis_vector r(a_, true), z(a_, true);
        check_lis(lis_vector_set_all(1.0, r));
        return seconds_of_call([&] { check_lis(lis_psolve_iluk_csr(solver_, r, z)); }, [] {});
    }

    /// It cannot be told to end after some time: a few iterations show how many it may take.
    solve_outcome solve(const demand& d) override
    {
        constexpr int trial = 5;
        run(d.method, 1e-300, trial);
        const double each = seconds_ / trial;
        const double most = std::min(static_cast<double>(d.most_iterations), d.most_seconds / each);
        const auto iterations = std::max<LIS_INT>(1, static_cast<LIS_INT>(most));
        const LIS_INT status = run(d.method, d.tolerance, iterations);
        return outcome(status, iterations < d.most_iterations);
    }

private:
    void set(krylov_method method, double tolerance, LIS_INT iterations)
    {
        char words[160];
        std::snprintf(words, sizeof words,
                      "-f quad -p ilu -ilu_fill 0 -i %s -tol %g -maxiter %ld -print none",
                      method == krylov_method::cg ? "cg" : "bicgstab", tolerance,
                      static_cast<long>(iterations));
        check_lis(lis_solver_set_option(words, solver_));
    }
    /// With the factors that are there; its status.
    LIS_INT run(krylov_method method, double tolerance, LIS_INT iterations)
    {
        omp_set_num_threads(threads_);
        set(method, tolerance, iterations);
        check_lis(lis_vector_set_all(0.0, x_));
        const auto begin = bench_clock::now();
        const LIS_INT error = lis_solve_kernel(a_, b_, x_, solver_, factors_);
        seconds_ = seconds_since(begin);
        LIS_INT status = 0;
        check_lis(lis_solver_get_status(solver_, &status));
        return error != LIS_SUCCESS ? error : status;
    }
    solve_outcome outcome(LIS_INT status, bool limited) const
    {
        solve_outcome o;
        o.claims = status == LIS_SUCCESS;
        if (o.claims)
            o.status = "converged";
        else if (status == LIS_MAXITER)
            o.status = limited ? "time limit" : "iteration limit";
        else
            o.status = "status " + std::to_string(status);
        LIS_INT done = 0;
        check_lis(lis_solver_get_iter(solver_, &done));
        o.iterations = done;
        o.seconds = seconds_;
        const ddla::vector<ddla::dd_real> b(of_.rows(), ddla::dd_real(1));
        o.true_residual = ddla::true_residual(of_, x_.get(), b).relative;
        return o;
    }

    int threads_;
    const ddla::csr_matrix<double>& of_;
    lis_matrix a_;
    lis_vector b_, x_;
    LIS_SOLVER solver_ = nullptr;
    LIS_PRECON factors_ = nullptr;
    double seconds_ = 0;  ///< of the last run
};

json about_lis(int threads)
{
    return {{"who", "Lis"}, {"place", "host"}, {"precision", "quad"}, {"threads", threads}};
}

json lis_contender::about() const
{
    return about_lis(threads_);
}

}  // namespace

std::vector<contender_maker> lis(int threads)
{
    return {{about_lis(threads),
             [threads](const ddla::csr_matrix<double>& a) -> std::unique_ptr<contender> {
                 return std::make_unique<lis_contender>(a, threads);
             }}};
}

}  // namespace bench
