// Matrices of real problems: those in the folder that DDLA_TEST_MATRICES names.
#include "everywhere.hpp"

#include "ddla/matrix_market.hpp"
#include "ddla/solve.hpp"

#include <cstdlib>
#include <filesystem>

using ddla::dd_real;
using test::gpu;
using test::same_bits;

namespace {

template <class T>
void compare(const ddla::csr_matrix<double>& a)
{
    const auto b = test::random_vector<T>(a.rows(), 1, 0);
    const auto da = a.to(gpu);
    for (const auto m : {ddla::method::bicgstab, ddla::method::cg}) {
        const ddla::solve_options options{.method = m, .tolerance = 1e-20, .max_iterations = 50};
        ddla::vector<T> x(a.rows()), dx(a.rows(), gpu);
        const auto here = ddla::solve(a, b, x, options);
        const auto there = ddla::solve(da, b.to(gpu), dx, options);
        CHECK(there.status == here.status);
        CHECK(there.iterations == here.iterations);
        CHECK(there.breakdown == here.breakdown);
        CHECK(same_bits(there.true_relative_residual, here.true_relative_residual));
        CHECK(same_bits(dx, x));
    }
}

}  // namespace

TEST_CASE("real matrices", "[device][matrices]")
{
    const char* const folder = std::getenv("DDLA_TEST_MATRICES");
    if (!folder) {
        WARN("DDLA_TEST_MATRICES names no folder: no real matrix was tried");
        return;
    }
    int count = 0;
    for (const auto& file : std::filesystem::directory_iterator(folder)) {
        ddla::csr_matrix<double> a;
        try {
            a = ddla::read_matrix<double>(file.path());
        } catch (const std::exception& e) {
            WARN(file.path() << ": " << e.what());
            continue;
        }
        if (a.rows() != a.columns()) continue;
        INFO(file.path());
        compare<double>(a);
        compare<dd_real>(a);
        ++count;
    }
    WARN(count << " matrices compared");
}
