// csrilu02 or csric02, SpSV and SpMV of cuSPARSE with cuBLAS, in double.
#include "contender.hpp"
#include "textbook_solver.hpp"

#include "support/data.hpp"
#include "support/environment.hpp"
#include "support/timing.hpp"

#include "ddla/blas.hpp"

#include <optional>

namespace bench {

namespace {

const json about_cusparse = {
    {"who", "cuSPARSE + cuBLAS"}, {"place", "device"}, {"precision", "double"}};

/// The libraries on a stream, made once.
const rivals& libraries()
{
    static const cuda_stream stream;
    static const rivals all(stream);
    return all;
}

const product_algorithm& fastest_product(const ddla::csr_matrix<double>& a)
{
    ddla::vector<double> x(a.rows(), there), y(a.rows(), there);
    return product_algorithms[time_products(libraries(), a, x.view().word(0), y.view().word(0))
                                  .best];
}

class cusparse_contender final : public contender {
public:
    explicit cusparse_contender(const ddla::csr_matrix<double>& a)
        : a_(a.to(there)), products_(libraries(), a_, fastest_product(a_)),
          b_(ddla::vector<double>(a.rows(), 1.0).to(there)), x_(a.rows(), there)
    {
    }

    json about() const override { return about_cusparse; }
    bool has(krylov_method m) const override { return m != krylov_method::fgmres; }
    bool can_reach(double tolerance) const override { return tolerance >= 1e-16; }

    build_outcome build(factors_kind kind) override
    {
        factors_.reset();
        const auto begin = bench_clock::now();
        factors_.emplace(libraries(), a_, kind);
        return {seconds_since(begin), 1, 0};
    }

    double apply_seconds() override
    {
        ddla::vector<double> z(b_.size(), there);
        const ddla::vector<double>& r = b_;
        return seconds_of_call(
            [&] { factors_->apply(r.view().word(0), z.view().word(0)); },
            [] { check(cudaStreamSynchronize(libraries().stream()), "cudaStreamSynchronize"); });
    }

    solve_outcome solve(const demand& d) override
    {
        textbook_solver solver(libraries(), products_, *factors_);
        const ddla::vector<double>& b = b_;
        solve_outcome o = solver.solve(d, b.view().word(0), x_.view().word(0));
        o.true_residual = ddla::true_residual(a_, x_, b_).relative;
        return o;
    }

private:
    ddla::csr_matrix<double> a_;
    cusparse_matrix products_;
    ddla::vector<double> b_, x_;
    std::optional<cusparse_factors> factors_;
};

}  // namespace

std::vector<contender_maker> cusparse()
{
    return {{about_cusparse, [](const ddla::csr_matrix<double>& a) -> std::unique_ptr<contender> {
                 return std::make_unique<cusparse_contender>(a);
             }}};
}

json environment_of_rivals(bool with_device)
{
    return with_device ? environment(libraries()) : machine();
}

}  // namespace bench
