// All methods by the public call against the serial programs over QD that tests/cases/methods has;
// one text for every place.
#include "support/both_ways.hpp"
#include "support/methods.hpp"
#include "support/shapes.hpp"

#include "ddla/generate.hpp"

using dd = ddla::dd_real;  // QD has a ::dd_real
using ddla::method;
using test::both_ways;
using test::kind;

TEMPLATE_TEST_CASE("methods with three levels of sums, under every cut", "[solvers]", double, dd)
{
    // 65,600 rows: enough that sweeps are shared, and that tile sums need tiles themselves.
    const both_ways<TestType> system{ddla::generate::poisson3d(41, 40, 40)};
    for (const method m : test::methods_tested_together())
        for (const kind k : {kind::none, kind::function}) {
            if (test::takes_any_shape(m) && k != kind::none) continue;
            const ddla::solve_options options{.method = m, .max_iterations = 2, .l = 2, .s = 3};
            const auto serial = system.serial(k, options);
            test::under_every_cut([&] { CHECK(same_bits(system.solved(k, options), serial)); });
        }
}

TEMPLATE_TEST_CASE("methods however often the host looks", "[solvers]", double, dd)
{
    const both_ways<TestType> system{ddla::generate::poisson2d(23, 19)};
    for (const method m : test::methods_tested_together()) {
        ddla::solve_options options{.method = m, .max_iterations = 7, .l = 3, .s = 2};
        const auto serial = system.serial(kind::none, options);
        for (const std::int64_t every : {1, 2, 7, 1000}) {
            options.check_every = every;
            CHECK(same_bits(system.solved(kind::none, options), serial));
        }
    }
}
