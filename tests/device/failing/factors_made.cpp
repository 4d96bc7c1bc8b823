#include "scenarios.hpp"

#include "factor/symmetric_systems.hpp"
#include "support/random.hpp"

#include "engine/engine.hpp"
#include "factor/supernodal/definite.hpp"
#include "factor/supernodal/factor_operations.hpp"
#include "factor/supernodal/static_factors.hpp"
#include "factor/supernodal/symmetric.hpp"

#include "ddla/blas.hpp"
#include "ddla/generate.hpp"

#include <stdexcept>

namespace test {

namespace {

using ddla::csr_matrix;
using ddla::dd_real;
using namespace ddla::factor;

/// Of three solves with what make(A, options) gives.
template <class Factors, class Options, class V>
std::uint64_t hash_of_solve(const csr_matrix<V>& a, ddla::place at, Options options = {})
{
    if (!at.is_host())
        options.at = [at](double) { return ddla::device_engine(at.device_index).factors(); };
    const auto f = Factors::make(a.view(), options);
    if (f.about().end != factor_end::complete) throw std::logic_error("no factors");
    const auto b = random_vector<dd_real>(3 * a.rows(), 3);
    ddla::vector<dd_real> x(b.size());
    f.solve(b.view(), x.view());
    return ddla::hash_of(x);
}

std::uint64_t make_factors(ddla::place at)
{
    const auto grid = ddla::generate::convection_diffusion(8, 7, 6, 0);
    const auto indefinite = symmetric_on(ddla::test::grid(7, 6, 5), 1);
    return hash_of_solve<definite_factors<double>, definite_options>(grid, at) ^
           3 * hash_of_solve<static_factors<dd_real>, static_options>(grid, at) ^
           5 * hash_of_solve<symmetric_factors<double>, symmetric_options>(indefinite, at);
}

}  // namespace

scenario factors_made()
{
    return {.name = "factors made", .run = make_factors, .may_do_without = true};
}

}  // namespace test
