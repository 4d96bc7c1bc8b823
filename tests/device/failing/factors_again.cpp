#include "calls.hpp"
#include "scenarios.hpp"

#include "support/random.hpp"

#include "engine/engine.hpp"

#include "ddla/blas.hpp"
#include "ddla/error.hpp"
#include "ddla/preconditioner.hpp"

#include <stdexcept>

namespace test {

namespace {

using ddla::dd_real;
using ddla::index_t;
using ddla::vector;

/// Factors whose levels are cut into several spans: long chains of rows, and 900 rows at once.
ddla::csr_matrix<double> with_spans()
{
    ddla::coordinates<double> a{.rows = 1500, .columns = 1500};
    for (index_t i = 0; i < 1500; ++i) {
        if (i > 0) a.add(i, i >= 300 && i < 1200 ? 299 : i - 1, -1.0 / double(3 + i % 5));
        a.add(i, i, 2 + i % 7);
    }
    return ddla::csr_matrix<double>(a);
}

std::uint64_t hash_at_host(const vector<dd_real>& x)
{
    return ddla::hash_of(x.to(ddla::host));
}

std::uint64_t use_factors_again(ddla::place at)
{
    const auto k = ddla::preconditioner<dd_real>::ilu(with_spans().to(at), {.match = false});
    const auto r = random_vector<dd_real>(1500, 8, 0).to(at);
    ddla::engine& here = at.is_host() ? ddla::host_engine() : ddla::device_engine(at.device_index);
    const auto map = k.map_at(at);
    const auto bound = map->bind(here);
    const auto apply = [&] {
        vector<dd_real> z(1500, at);
        bound->apply(r.view(), 1, z.view());
        here.wait();
        return hash_at_host(z);
    };
    const std::uint64_t first = apply();
    try {
        if (apply() != first) throw std::logic_error("other bits the second time");
    } catch (const ddla::error&) {
        const calls::not_counted of_the_test;
        if (apply() != first) throw std::logic_error("other bits afterwards");
        throw;
    }
    return first;
}

}  // namespace

scenario factors_again()
{
    return {"factors again", use_factors_again};
}

}  // namespace test
