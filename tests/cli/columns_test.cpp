// ddla solve with several right-hand sides.
#include "catch.hpp"
#include "process.hpp"
#include "support/json.hpp"

#include "ddla/blas.hpp"
#include "ddla/generate.hpp"
#include "ddla/matrix_market.hpp"

#include <sys/resource.h>

#include <algorithm>
#include <chrono>
#include <csignal>
#include <cstdio>
#include <thread>

using namespace cli_test;
using json = nlohmann::json;

namespace {

/// 100 rows, and 3 columns of ones, zeros and rising numbers.
struct system_of_columns {
    scratch folder;
    std::string a = (folder / "a.mtx").string(), b = (folder / "b.mtx").string();
    std::vector<ddla::vector<double>> columns{ddla::vector<double>(100, 1.0),
                                              ddla::vector<double>(100), ddla::vector<double>(100)};

    system_of_columns()
    {
        for (ddla::index_t i = 0; i < 100; ++i) columns[2].set(i, static_cast<double>(i % 13) - 5);
        ddla::write_matrix(a, ddla::generate::poisson2d(10, 10));
        ddla::write_vectors(b, columns);
    }
    result solve(arguments options) const
    {
        options.insert(options.begin(), {"solve", a, "--rhs", b, "--place", "host"});
        return run(options);
    }
};

}  // namespace

TEST_CASE("each column is solved as if alone")
{
    const system_of_columns of;
    for (const std::string method : {"auto", "cg", "bicgstab", "gmres"}) {
        INFO(method);
        const std::string x = (of.folder / "x.mtx").string(), r = (of.folder / "r.json").string(),
                          h = (of.folder / "h.csv").string();
        const result all = of.solve({"--method", method, "--precision", "both", "--output", x,
                                     "--report", r, "--history", h});
        INFO(all.out << all.err);
        CHECK(all.exit_status == 0);
        CHECK(all.err == "");
        CHECK(all.out.find("double-double: 3 of 3 right-hand sides converged.") !=
              std::string::npos);
        const json solutions = json::parse(read_file(r))["solves"][1]["solutions"];
        REQUIRE(solutions.size() == 3);
        const auto found = ddla::read_vectors<ddla::dd_real>(x);
        REQUIRE(found.size() == 3);
        CHECK(read_file(h).find("precision,column,iteration,relative_residual\ndouble,1,0,") == 0);
        for (std::size_t j = 0; j < 3; ++j) {
            const std::string b = (of.folder / "one.mtx").string();
            ddla::write_vector(b, of.columns[j]);
            const result one = run(
                {"solve", of.a, "--rhs", b, "--place", "host", "--method", method, "--report", r});
            CHECK(one.exit_status == 0);
            const json alone = json::parse(read_file(r))["solves"][0];
            for (const char* field : {"solution_hash", "iterations", "status",
                                      "true_relative_residual", "digits", "precision"})
                CHECK(solutions[j][field] == alone[field]);
            CHECK(all.out.find(alone["solution_hash"].get<std::string>()) != std::string::npos);
        }
    }
}

TEST_CASE("one column that does not converge decides the exit status")
{
    const system_of_columns of;
    const std::string r = (of.folder / "r.json").string();
    const result some =
        of.solve({"--method", "cg", "--max-iterations", "3", "--precision", "dd", "--report", r});
    INFO(some.out);
    CHECK(some.exit_status == 1);
    CHECK(
        some.out.find("double-double: 1 of 3 right-hand sides converged; column 1 is still at ") !=
        std::string::npos);
    const json solve = json::parse(read_file(r))["solves"][0];
    CHECK(solve["status"] == "iteration_limit");
    CHECK(solve["solutions"][1]["status"] == "converged");
    CHECK(solve["solutions"][2]["status"] == "iteration_limit");
}

TEST_CASE("an interrupt of one column ends the command, whatever became of others")
{
    // BiCGStab breaks down at once for the first column: (r0, A r0) = 0.  It never ends for the
    // second.
    const scratch folder;
    const std::string a = (folder / "a.mtx").string(), b = (folder / "b.mtx").string(),
                      x = (folder / "x.mtx").string(), r = (folder / "r.json").string();
    const auto toeplitz = ddla::generate::toeplitz(40000, 2.5);
    const auto view = toeplitz.view();
    ddla::coordinates<double> c{.rows = view.rows, .columns = view.columns};
    for (ddla::index_t i = 0; i < view.rows; ++i)
        for (ddla::index_t k = view.row_begin[i]; k < view.row_begin[i + 1]; ++k)
            if (i > 0 || view.column[k] > 0) c.add(i, view.column[k], view.value.get(k));
    ddla::write_matrix(a, ddla::csr_matrix<double>(c));
    std::vector<ddla::vector<double>> columns(2, ddla::vector<double>(view.rows));
    columns[0].set(0, 1);
    columns[1] = ddla::vector<double>(view.rows, 1.0);
    ddla::write_vectors(b, columns);
    // Long enough for some iterations, on any machine.
    bool was_iterating = false;
    for (int milliseconds = 100; !was_iterating && milliseconds < 20000; milliseconds *= 2) {
        background solve({"solve", a, "--rhs", b, "--place", "host", "--method", "bicgstab",
                          "--tol", "1e-300", "--max-iterations", "1000000000", "--precision",
                          "both", "--output", x, "--report", r});
        std::this_thread::sleep_for(std::chrono::milliseconds(milliseconds));
        solve.signal(SIGINT);
        const result ended = solve.wait();
        if (ended.exit_status == -SIGINT) continue;  // before the command began
        if (ended.err.find("there is no result yet") != std::string::npos) continue;  // it reads
        INFO(ended.out);
        CHECK(ended.exit_status == 1);
        const json solves = json::parse(read_file(r))["solves"];
        REQUIRE(solves.size() == 1);
        CHECK(solves[0]["interrupted"] == true);
        CHECK(solves[0]["solutions"][1]["interrupted"] == true);
        was_iterating = solves[0]["solutions"][1]["iterations"] > 0;
        if (!was_iterating) continue;
        CHECK(solves[0]["solutions"][0]["status"] == "breakdown");
        CHECK(ended.out.find("column 2 was interrupted at ") != std::string::npos);
        CHECK(ddla::read_vectors<double>(x)[1][5] != 0);
    }
    CHECK(was_iterating);
}

// The solution of the second is 0, of which a bound relative to it says nothing.
TEST_CASE("proved bounds of columns are counted")
{
    const system_of_columns of;
    const std::string report = (of.folder / "r.json").string();
    const result all = of.solve({"--certify", "--report", report});
    double largest = 0;
    const json solutions = json::parse(read_file(report))["solves"][0]["solutions"];
    for (const json& one : solutions)
        if (one["certified"])
            largest = std::max(largest, one["error_bound"]["normwise"].get<double>());
    char text[32];
    std::snprintf(text, sizeof text, "%.1e", 1.05 * largest);  // never rounded below
    INFO(all.out);
    std::string said = all.out;  // lines may break anywhere
    std::replace(said.begin(), said.end(), '\n', ' ');
    CHECK_THAT(said, Catch::Contains("double-double: normwise errors of 2 of 3 right-hand sides "
                                     "have a proved bound, at most " +
                                     std::string(text) + ". No bound of the error is proved: "));
    CHECK(of.solve({}).out.find("proved") == std::string::npos);
    const std::string by_cg = of.solve({"--method", "cg"}).out;
    CHECK(by_cg.find("proved") == std::string::npos);
}

TEST_CASE("columns that do not fit are refused in one sentence")
{
    const system_of_columns of;
    const auto refused = [&](const arguments& options, const std::string& why) {
        const result r = of.solve(options);
        CHECK(r.exit_status == 2);
        INFO(r.err);
        CHECK(r.err.find(why) != std::string::npos);
        CHECK(r.out == "");
    };
    refused({"--solution-words", "4"},
            "holds 3 columns, but --solution-words 4 takes one right-hand side");
    refused({"--plot", (of.folder / "h.svg").string()},
            "holds 3 columns, but --plot draws one right-hand side");
    const std::string guess = (of.folder / "g.mtx").string();
    ddla::write_vectors(guess, std::vector(2, ddla::vector<double>(100)));
    refused({"--guess", guess}, "g.mtx: holds 2 columns, but " + of.b + " has 3");
    ddla::write_vectors(of.b, std::vector(2, ddla::vector<double>(99)));
    refused({}, "b.mtx: holds 2 columns of 99 numbers, but " + of.a + " has 100 rows");
    CHECK_THROWS_AS(
        ddla::write_vectors(of.b, std::vector{ddla::vector<double>(3), ddla::vector<double>(4)}),
        ddla::input_error);
}

TEST_CASE("columns are read from every kind of file")
{
    const scratch folder;
    const auto sparse = ddla::read_vectors<double>(folder.write(
        "s.mtx", "%%MatrixMarket matrix coordinate real general\n3 2 2\n1 1 0.5\n3 2 -2\n"));
    REQUIRE(sparse.size() == 2);
    CHECK(sparse[0][0] == 0.5);
    CHECK(sparse[1][2] == -2);
    CHECK(sparse[1][0] == 0);
    const auto dense = ddla::read_vectors<ddla::dd_real>(folder.write(
        "d.mtx", "%%MatrixMarket matrix array real general\n2 3\n1\n2\n3\n4\n5\n0.25\n"));
    REQUIRE(dense.size() == 3);
    CHECK(dense[1][0] == ddla::dd_real(3));
    CHECK(dense[2][1] == ddla::dd_real(0.25));
}

#if !defined(DDLA_SANITIZED)
TEST_CASE("columns that no memory holds are refused before any is taken")
{
    // 10^6 columns of 10^6 zeros.  With 8 GB for the process, reading them would end soon.
    const scratch folder;
    const std::string file = folder.write(
        "a.mtx", "%%MatrixMarket matrix coordinate real general\n1000000 1000000 1\n1 1 1\n");
    rlimit before;
    REQUIRE(getrlimit(RLIMIT_AS, &before) == 0);
    rlimit limited = before;
    limited.rlim_cur = std::min<rlim_t>(before.rlim_max, rlim_t{8} << 30);
    REQUIRE(setrlimit(RLIMIT_AS, &limited) == 0);
    std::string message;
    try {
        ddla::read_vectors<double>(file);
    } catch (const ddla::resource_error& e) {
        message = e.what();
    }
    REQUIRE(setrlimit(RLIMIT_AS, &before) == 0);
    CHECK(message.find(file + ":2: the sizes 1000000 x 1000000 take at least 80") == 0);
    CHECK(message.find(" bytes, the machine has ") != std::string::npos);
}
#endif
