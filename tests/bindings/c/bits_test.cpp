// The C interface gives the bits of C++, and each thread its own last error.
#include "results.h"

#include "catch.hpp"

#include <ddla.h>

#include <ddla/ddla.hpp>

#include <array>
#include <map>
#include <thread>

namespace {

using namespace ddla;

struct found {
    std::map<std::string, std::pair<double, double>> words;
    std::map<std::string, std::uint64_t> hashes;
};

std::string example()
{
    return DDLA_EXAMPLES "/494_bus.mtx";
}

found computed_by_c()
{
    found f;
    const int failed = c_results(
        example().c_str(),
        [](void* to, const char* name, double hi, double lo) {
            static_cast<found*>(to)->words[name] = {hi, lo};
        },
        [](void* to, const char* name, std::uint64_t hash) {
            static_cast<found*>(to)->hashes[name] = hash;
        },
        &f);
    INFO("results.c:" << failed << ": " << ddla_last_error());
    REQUIRE(failed == 0);
    return f;
}

const found& by_c()
{
    static const found all = computed_by_c();
    return all;
}

std::pair<double, double> words(dd_real x)
{
    return {x.hi, x.lo};
}

struct system_494 {
    csr_matrix<double> a = read_matrix<double>(example());
    vector<dd_real> x = vector<dd_real>(a.rows()), y = vector<dd_real>(a.rows(), {1, 0x1p-60});

    system_494()
    {
        for (index_t i = 0; i < x.size(); ++i) x[i] = dd_real(1) / dd_real(double(i + 1));
    }
};

void check_solve(const found& f, const std::string& name, const solve_report& r)
{
    INFO(name);
    CHECK(f.hashes.at(name) == r.solution_hash);
    CHECK(f.words.at(name) == std::pair(r.true_relative_residual, double(r.iterations)));
}

}  // namespace

TEST_CASE("operations from C have the bits of C++")
{
    const found& f = by_c();
    system_494 s;
    const dd_real third = dd_real(1) / dd_real(3);
    CHECK(f.words.at("dot") == words(dot(s.x, s.y)));
    CHECK(f.words.at("nrm2") == words(nrm2(s.x)));
    CHECK(f.words.at("asum") == words(asum(s.x)));
    axpy(third, s.x, s.y);
    CHECK(f.hashes.at("axpy") == hash_of(s.y));
    xpay(s.x, third, s.y);
    scal(third, s.y);
    CHECK(f.hashes.at("scal") == hash_of(s.y));
    spmv(third, s.a, s.x, dd_real(1), s.y);
    CHECK(f.hashes.at("spmv") == hash_of(s.y));
    spmv_transposed(dd_real(1), s.a, s.x, third, s.y);
    CHECK(f.hashes.at("spmv_transposed") == hash_of(s.y));
    spmv(third, s.a, s.x, dd_real(0), s.y);
    CHECK(f.words.at("stream dot") == words(dot(s.x, s.y)));
}

TEST_CASE("solves and checks from C have the bits of C++")
{
    const found& f = by_c();
    const system_494 s;
    vector<dd_real> x(s.a.rows());
    check_solve(f, "auto", solve(s.a, s.x, x));
    const solution_check checked = check(s.a, s.x, x);
    CHECK(f.words.at("check") == std::pair(*checked.worst, checked.errors.condition->value));

    x = vector<dd_real>(s.a.rows());
    const auto k = preconditioner<dd_real>::jacobi(s.a);
    check_solve(f, "cg, jacobi", solve(s.a, k, s.x, x, {.method = method::cg, .tolerance = 1e-20}));

    x = vector<dd_real>(s.a.rows());
    const lu_factors<double> lu(s.a);
    check_solve(f, "factors", solve(s.a, s.x, x, lu));
    lu.solve(s.x, x);
    CHECK(f.hashes.at("factors as they are") == hash_of(x));
}

TEST_CASE("preconditioners from C have the bits of C++")
{
    const found& f = by_c();
    const system_494 s;
    const preconditioner_options o{
        .fill = 5, .drop = 1e-4, .ordering = column_ordering::rcm, .degree = 3};
    const auto k = preconditioner<dd_real>::ilut(s.a, o);
    CHECK(f.words.at("ilut") == std::pair(k.built().fill, k.built().operations));
    vector<dd_real> x(s.a.rows());
    check_solve(f, "fgmres, ilut",
                solve(s.a, k, s.x, x, {.method = method::fgmres, .tolerance = 1e-20}));
    preconditioner<dd_real>::polynomial(s.a, o).apply(s.x, x);
    CHECK(f.hashes.at("polynomial") == hash_of(x));
    x = vector<dd_real>(s.a.rows());
    preconditioner_options blocks = o;
    blocks.blocks = {0, 100, 300, 494};
    const solve_report report = solve(s.a, s.x, x,
                                      {.method = method::fgmres,
                                       .precond = preconditioning::block_jacobi,
                                       .tolerance = 1e-20,
                                       .preconditioner = blocks});
    check_solve(f, "fgmres, block_jacobi", report);
    const build_report& built = report.preconditioner->built;
    CHECK(f.words.at("block_jacobi") ==
          std::pair(built.smallest_pivot, double(built.smallest_pivot_row)));
}

TEST_CASE("proved bounds from C are those of C++")
{
    const found& f = by_c();
    const system_494 s;
    vector<dd_real> x(s.a.rows());
    const error_bound b = *solve(s.a, s.x, x, {.certify = true}).bound;
    CHECK(f.words.at("bounds") == std::pair(*b.normwise, *b.componentwise));
    const error_bound c = *check(s.a, s.x, x, check_options{.certify = true}).bound;
    CHECK(f.words.at("bounds of a check") == std::pair(*c.normwise, *c.inverse_norm));
}

TEST_CASE("matrices and operators from C have the bits of C++")
{
    const found& f = by_c();
    const csr_matrix<double> a(
        coordinates<double>{2, 2, {0, 0, 1, 1}, {0, 1, 0, 1}, {4.0, -1.0, 1.0, 3.0}});
    const vector<dd_real> b{dd_real(1, 1e-20), dd_real(2)};
    vector<dd_real> y(2);
    spmv(dd_real(1), a, b, dd_real(0), y);
    CHECK(f.hashes.at("arrays") == hash_of(y));
    CHECK(f.hashes.at("arrays again") == hash_of(y));
    const linear_operator<dd_real> map(2, 2, [](vec<const dd_real> x, vec<dd_real> to) {
        to.set(0, dd_real(4) * x.get(0) + dd_real(-1) * x.get(1));
        to.set(1, dd_real(1) * x.get(0) + dd_real(3) * x.get(1));
    });
    vector<dd_real> x(2);
    check_solve(f, "operator", solve(map, b, x, {.method = method::fgmres, .tolerance = 1e-25}));
}

TEST_CASE("rows and columns from C are told apart")
{
    const std::int32_t rows[] = {0, 2, 4}, columns[] = {0, 2, 1, 2};
    const double values[] = {4, -1, 1, 3};
    ddla_csr from;
    REQUIRE(ddla_csr_init(&from, sizeof from) == DDLA_OK);
    from.rows = 2;
    from.columns = 3;
    from.nonzeros = 4;
    from.row_begin = rows;
    from.column = columns;
    from.hi = values;
    ddla_matrix *a = nullptr, *turned = nullptr;
    REQUIRE(ddla_matrix_create(&from, DDLA_HOST, &a) == DDLA_OK);
    REQUIRE(ddla_matrix_transpose(a, &turned) == DDLA_OK);
    const auto shape_of = [](const ddla_matrix* m) {
        std::array<std::int64_t, 3> shape{};
        REQUIRE(ddla_matrix_shape(m, &shape[0], &shape[1], &shape[2]) == DDLA_OK);
        return shape;
    };
    CHECK((shape_of(a) == std::array<std::int64_t, 3>{2, 3, 4}));
    CHECK((shape_of(turned) == std::array<std::int64_t, 3>{3, 2, 4}));
    ddla_matrix_destroy(a);
    ddla_matrix_destroy(turned);
}

TEST_CASE("factors from C solve the transposed system, too")
{
    // 494_bus is symmetric: both systems are the same.  By columns, and by supernodes.
    const index_t points = GENERATE(4, 18);
    const csr_matrix<double> known =
        generate::convection_diffusion(points, points, points, 0.3, 0.05);
    const index_t n = known.rows();
    const lu_factors<double> lu(known);
    const vector<dd_real> ones(n, dd_real(1));
    vector<dd_real> plain(n), transposed(n);
    lu.solve(ones, plain);
    lu.solve_transposed(ones, transposed);
    REQUIRE(hash_of(plain) != hash_of(transposed));
    ddla_matrix* a = nullptr;
    ddla_factors* f = nullptr;
    ddla_vector *b = nullptr, *x = nullptr;
    REQUIRE(ddla_generate_convection_diffusion(points, points, points, 0.3, 0.05, &a) == DDLA_OK);
    REQUIRE(ddla_factors_create(a, DDLA_DOUBLE, nullptr, &f) == DDLA_OK);
    REQUIRE(ddla_vector_create(DDLA_DD, n, DDLA_HOST, &b) == DDLA_OK);
    REQUIRE(ddla_vector_create(DDLA_DD, n, DDLA_HOST, &x) == DDLA_OK);
    REQUIRE(ddla_vector_fill(b, {1, 0}) == DDLA_OK);
    const auto hash = [x] {
        std::uint64_t h = 0;
        REQUIRE(ddla_hash(x, &h) == DDLA_OK);
        return h;
    };
    REQUIRE(ddla_factors_solve(f, b, x) == DDLA_OK);
    CHECK(hash() == hash_of(plain));
    REQUIRE(ddla_factors_solve_transposed(f, b, x) == DDLA_OK);
    CHECK(hash() == hash_of(transposed));
    int32_t done = 0;
    REQUIRE(ddla_factors_refactor(f, a, &done) == DDLA_OK);
    CHECK(done == 1);
    REQUIRE(ddla_vector_fill(b, {1, 0}) == DDLA_OK);
    REQUIRE(ddla_factors_solve(f, b, x) == DDLA_OK);
    CHECK(hash() == hash_of(plain));
    ddla_factors_destroy(f);
    ddla_vector_destroy(b);
    ddla_vector_destroy(x);
    ddla_matrix_destroy(a);
}

TEST_CASE("the text of a report from C is that of the library")
{
    ddla_matrix* a = nullptr;
    ddla_vector *b = nullptr, *x = nullptr;
    ddla_report* report = nullptr;
    REQUIRE(ddla_generate_poisson2d(5, 5, &a) == DDLA_OK);
    REQUIRE(ddla_vector_create(DDLA_DOUBLE, 25, DDLA_HOST, &b) == DDLA_OK);
    REQUIRE(ddla_vector_fill(b, {1, 0}) == DDLA_OK);
    REQUIRE(ddla_vector_create(DDLA_DOUBLE, 25, DDLA_HOST, &x) == DDLA_OK);
    ddla_solve_options o;
    REQUIRE(ddla_solve_options_init(&o, sizeof o) == DDLA_OK);
    o.method = DDLA_BICGSTAB;
    o.precond = DDLA_JACOBI;
    REQUIRE(ddla_solve(a, nullptr, b, x, &o, &report) == DDLA_OK);
    const char* json = nullptr;
    REQUIRE(ddla_report_json(report, &json) == DDLA_OK);
    const std::string text = json;
    for (const char* const part :
         {"\"precision\": \"double\"", "\"method\": \"bicgstab\"", "\"precond\": \"jacobi\"",
          "\"rows\": 25", "\"status\": \"converged\"", "\"tolerance\": 1e-12"})
        CHECK_THAT(text, Catch::Contains(part));
    ddla_report_destroy(report);
    ddla_vector_destroy(b);
    ddla_vector_destroy(x);
    ddla_matrix_destroy(a);
}

TEST_CASE("each thread has its own last error")
{
    std::vector<std::string> seen(8);
    std::vector<std::thread> threads;
    ddla_vector* none = nullptr;
    REQUIRE(ddla_vector_create(DDLA_DD, -99, DDLA_HOST, &none) == DDLA_INPUT);
    const std::string mine = ddla_last_error();
    for (std::size_t t = 0; t < seen.size(); ++t)
        threads.emplace_back([&seen, t] {
            const std::string before = ddla_last_error();
            for (int k = 0; k < 200; ++k) {
                ddla_vector* x = nullptr;
                (void)ddla_vector_create(DDLA_DD, -1 - static_cast<int64_t>(t), DDLA_HOST, &x);
            }
            seen[t] = before + ddla_last_error();
        });
    for (std::thread& t : threads) t.join();
    for (std::size_t t = 0; t < seen.size(); ++t)
        CHECK_THAT(seen[t], Catch::Contains(" -" + std::to_string(t + 1)));
    CHECK(mine == ddla_last_error());
}

TEST_CASE("several threads solve with one matrix")
{
    ddla_matrix* a = nullptr;
    REQUIRE(ddla_generate_convection_diffusion(6, 6, 6, 0.3, 0.05, &a) == DDLA_OK);
    std::vector<std::uint64_t> hashes(4);
    std::vector<std::thread> threads;
    for (std::uint64_t& hash : hashes)
        threads.emplace_back([a, &hash] {
            ddla_vector *b = nullptr, *x = nullptr;
            (void)ddla_vector_create(DDLA_DD, 216, DDLA_HOST, &b);
            (void)ddla_vector_create(DDLA_DD, 216, DDLA_HOST, &x);
            (void)ddla_vector_fill(b, {1, 0});
            if (ddla_solve(a, nullptr, b, x, nullptr, nullptr) == DDLA_OK) ddla_hash(x, &hash);
            ddla_vector_destroy(b);
            ddla_vector_destroy(x);
        });
    for (std::thread& t : threads) t.join();
    ddla_matrix_destroy(a);
    for (const std::uint64_t hash : hashes) CHECK((hash == hashes[0] && hash != 0));
}
