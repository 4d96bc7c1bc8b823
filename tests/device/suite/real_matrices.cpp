// Matrices of real problems: every .mtx and .mtx.gz in the folder that DDLA_TEST_MATRICES names.
#include "solves.hpp"
#include "support/shapes.hpp"

#include "ddla/factors.hpp"
#include "ddla/matrix_market.hpp"
#include "engine/engine.hpp"
#include "factor/supernodal/definite.hpp"
#include "factor/supernodal/factor_operations.hpp"
#include "factor/supernodal/static_factors.hpp"
#include "factor/supernodal/symmetric.hpp"

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <optional>

using ddla::dd_real;
using ddla::index_t;
using ddla::method;
using ddla::preconditioning;
using test::gpu;
using test::same_bits;

namespace {

/// What was compared with the host.
struct counts {
    int matrices = 0, products = 0, solves = 0, factors = 0, factors_there = 0, without_jacobi = 0,
        not_square = 0;
};

std::vector<std::filesystem::path> matrix_files(const std::filesystem::path& folder)
{
    std::vector<std::filesystem::path> files;
    for (const auto& file : std::filesystem::directory_iterator(folder)) {
        const std::string name = file.path().filename().string();
        if (name.ends_with(".mtx") || name.ends_with(".mtx.gz")) files.push_back(file.path());
    }
    std::sort(files.begin(), files.end());
    return files;
}

template <class T, class V>
void compare_products(const ddla::csr_matrix<V>& a, counts& done)
{
    const auto x = test::random_vector<T>(a.columns(), 1), b = test::random_vector<T>(a.rows(), 2);
    ddla::vector<T> y(a.rows()), r(a.rows());
    ddla::spmv(T(1), a, x, T(0), y);
    ddla::residual(a, x, b, r);
    const auto truth = ddla::true_residual(a, x, b);
    const auto da = a.to(gpu);
    const auto dx = x.to(gpu), db = b.to(gpu);
    ddla::vector<T> z(a.rows(), gpu);
    test::under_every_schedule([&] {
        ddla::spmv(T(1), da, dx, T(0), z);
        CHECK(same_bits(z, y));
        ddla::residual(da, dx, db, z);
        CHECK(same_bits(z, r));
        CHECK(same_bits(ddla::true_residual(da, dx, db), truth));
    });
    ++done.products;
}

bool has_zeros(const ddla::vector<double>& x)
{
    const auto words = x.word(0);
    return std::find(words.begin(), words.end(), 0.0) != words.end();
}

/// Iterations that the host does in a fraction of a second.
std::int64_t iterations_for(const ddla::csr_matrix<double>& a)
{
    return std::clamp<std::int64_t>(4000000 / (a.nonzeros() + a.rows() + 1), 5, 50);
}

template <class T>
void compare_solves(const ddla::csr_matrix<double>& a, bool jacobi, counts& done)
{
    const auto b = test::random_vector<T>(a.rows(), 3, 0);
    const ddla::vector<T> zero(a.rows());
    for (const auto m : {method::bicgstab, method::cg})
        for (const auto p : {preconditioning::none, preconditioning::jacobi}) {
            if (p == preconditioning::jacobi && !jacobi) continue;
            INFO(to_string(m) << ", " << to_string(p));
            test::compare_solve<T>(a, b, zero,
                                   {.method = m,
                                    .precond = p,
                                    .tolerance = 1e-20,
                                    .max_iterations = iterations_for(a)},
                                   test::few_ways());
            ++done.solves;
        }
}

/// Solves with factors, which not every matrix has.
template <class T>
void compare_factors(const ddla::csr_matrix<double>& a, counts& done)
{
    const auto r = test::random_vector<T>(a.rows(), 4);
    ddla::vector<T> truth(a.rows()), z(a.rows(), gpu);
    try {
        const ddla::lu_factors<double> f(a, {.most_work = 0.5});
        if (f.about().rank < a.rows()) return;
        f.solve(r, truth);
        ddla::preconditioner<T>::lu(f, gpu).apply(r.to(gpu), z);
    } catch (const ddla::error&) {
        return;  // too much work, or numbers beyond the range
    }
    CHECK(same_bits(z, truth));
    ++done.factors;
}

/// Of the kind that a solve takes, made at the host and at the device: their solves.
template <class F, class Factors, class Options>
void compare_makers(const ddla::csr_matrix<double>& a, Options options, counts& done)
{
    const Factors here = Factors::make(a.view(), options);
    if (here.about().end != ddla::factor::factor_end::complete) return;
    options.at = [](double) { return ddla::device_engine(0).factors(); };
    const Factors there = Factors::make(a.view(), options);
    REQUIRE(there.about().end == ddla::factor::factor_end::complete);
    CHECK(there.about().maker == ddla::factor::factor_maker_is::device);
    const auto b = test::random_vector<F>(a.rows(), 6);
    ddla::vector<F> x(a.rows()), y(a.rows());
    here.solve(b.view(), x.view());
    there.solve(b.view(), y.view());
    CHECK(same_bits(y, x));
    ++done.factors_there;
}
template <class F>
void compare_makers(const ddla::csr_matrix<double>& a, counts& done)
{
    using namespace ddla::factor;
    constexpr double most = ddla::words_of<F> == 1 ? 3e9 : 3e8;
    compare_makers<F, definite_factors<F>>(a, definite_options{.most_operations = most}, done);
    compare_makers<F, symmetric_factors<F>>(
        a, symmetric_options{.most_operations = most, .most_matching_operations = most}, done);
    static_options o;
    o.most_operations = most;
    compare_makers<F, static_factors<F>>(a, o, done);
}

void compare_all(const ddla::csr_matrix<double>& a, counts& done)
{
    compare_products<double>(a, done);
    compare_products<dd_real>(a, done);
    compare_products<dd_real>(test::with_values<dd_real>(a), done);
    ++done.matrices;
    if (a.rows() != a.columns()) {
        ++done.not_square;
        return;
    }
    const bool jacobi = !has_zeros(ddla::diagonal(a));
    if (!jacobi) ++done.without_jacobi;
    compare_solves<double>(a, jacobi, done);
    compare_solves<dd_real>(a, jacobi, done);
    compare_factors<double>(a, done);
    compare_factors<dd_real>(a, done);
    compare_makers<double>(a, done);
    compare_makers<dd_real>(a, done);
}

}  // namespace

TEST_CASE("real matrices", "[device][matrices]")
{
    const char* const folder = std::getenv("DDLA_TEST_MATRICES");
    if (!folder) SKIP_CASE("set DDLA_TEST_MATRICES to a folder of .mtx and .mtx.gz files");
    counts done;
    for (const auto& file : matrix_files(folder)) {
        INFO(file.string());
        try {
            compare_all(ddla::read_matrix<double>(file), done);
        } catch (const std::exception& e) {
            FAIL_CHECK(e.what());
        }
    }
    if (done.matrices == 0) SKIP_CASE("no matrix is in that folder");
    std::printf(
        "%d real matrices compared: %d kinds of products, %d solves, %d factors, %d made at the "
        "device; %d are not square, %d have zeros on the diagonal\n",
        done.matrices, done.products, done.solves, done.factors, done.factors_there,
        done.not_square, done.without_jacobi);
}
