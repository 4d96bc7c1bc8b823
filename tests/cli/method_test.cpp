// The methods of ddla solve, and the options that they have.
#include "catch.hpp"
#include "process.hpp"
#include "support/json.hpp"

#include "ddla/generate.hpp"
#include "ddla/matrix_market.hpp"

using namespace cli_test;
using json = nlohmann::json;

namespace {

json report_of(const scratch& folder, arguments options)
{
    options.insert(options.begin(), "solve");
    options.insert(options.end(), {"--report", (folder / "r.json").string()});
    const result r = run(options);
    INFO(r.out << r.err);
    CHECK(r.exit_status == 0);
    CHECK(r.err == "");
    return json::parse(read_file(folder / "r.json"));
}

}  // namespace

TEST_CASE("methods and preconditioners reach the report")
{
    const scratch folder;
    const std::string a = (folder / "p.mtx").string();
    ddla::write_matrix(a, ddla::generate::poisson2d(20, 20));
    for (const std::string method : {"bicgstab", "cg", "gmres", "bicgstabl", "minres", "idr"}) {
        for (const char* precond : {"none", "jacobi", "lu"}) {
            const json report =
                report_of(folder, {a, "--method", method, "--precond", precond, "--tol", "1e-25"});
            CHECK(report["solves"][0]["method"] == (method == "gmres" ? "fgmres" : method));
            CHECK(report["solves"][0]["precond"] == precond);
            CHECK(report["solves"][0]["true_relative_residual"].get<double>() <= 1e-25);
        }
    }
}

TEST_CASE("auto chooses a preconditioner by the method, and the report names it")
{
    const scratch folder;
    const std::string a = (folder / "p.mtx").string();
    ddla::write_matrix(a, ddla::generate::poisson2d(20, 20));
    const auto solved = [&](const std::string& method, arguments more) {
        more.insert(more.begin(), {a, "--method", method, "--tol", "1e-14"});
        return report_of(folder, more)["solves"][0];
    };
    for (const std::string method : {"bicgstab", "gmres", "bicgstabl", "idr"}) {
        const json chosen = solved(method, {"--precond", "auto"});
        CHECK(chosen["precond"] == "ilu");
        const json named = solved(method, {"--precond", "ilu", "--fill", "2"});
        CHECK(chosen["solution_hash"] == named["solution_hash"]);
        CHECK(chosen["iterations"] == named["iterations"]);
    }
    const json without_fill = solved("bicgstab", {"--precond", "auto", "--fill", "0"});
    CHECK(without_fill["solution_hash"] ==
          solved("bicgstab", {"--precond", "ilu"})["solution_hash"]);
    CHECK(solved("cg", {"--precond", "auto"})["precond"] == "ic");
    for (const std::string method : {"minres", "lsmr", "auto", "refine"}) {
        const json chosen = solved(method, {"--precond", "auto"});
        CHECK(chosen["precond"] == "none");
        CHECK(chosen["solution_hash"] == solved(method, {})["solution_hash"]);
    }
}

TEST_CASE("refine with a preconditioner corrects in double, and says so")
{
    const scratch folder;
    const std::string a = (folder / "p.mtx").string();
    ddla::write_matrix(a, ddla::generate::poisson3d(8, 8, 8));
    for (const std::string precond :
         {"jacobi", "ilu", "ilut", "ic", "block_jacobi", "polynomial"}) {
        const json solve = report_of(
            folder, {a, "--method", "refine", "--precond", precond, "--tol", "1e-28"})["solves"][0];
        CHECK(solve["method"] == "refine");
        CHECK(solve["precond"] == precond);
        CHECK(solve["true_relative_residual"].get<double>() <= 1e-28);
        CHECK(solve["iterations"].get<int>() > 3);
        CHECK(solve["plan"][0]["stage"] == precond);
        CHECK(solve["plan"][1]["stage"] ==
              (precond == "ic" ? "cg in double" : "bicgstab in double"));
    }
    const json factored = report_of(folder, {a, "--method", "refine", "--precond", "lu"});
    CHECK(factored["solves"][0]["plan"][0]["stage"] == "factor in double, L L^T");

    const arguments refining = {"solve", a, "--method", "refine", "--precond", "ic"};
    const auto with = [&](arguments more) {
        more.insert(more.begin(), refining.begin(), refining.end());
        return run(more);
    };
    const result done = with({"--tol", "1e-25", "--verbose"});
    CHECK(done.exit_status == 0);
    CHECK(done.out.find("Refinement, IC preconditioner, ") != std::string::npos);
    CHECK(done.out.find("iterations  ") != std::string::npos);
    CHECK(done.out.find("  cg in double") != std::string::npos);
    const result stuck = with({"--tol", "1e-40"});
    CHECK(stuck.exit_status == 1);
    CHECK(stuck.out.find("a correction in double") != std::string::npos);
    CHECK(stuck.out.find("try: --method cg, which iterates in double-double") != std::string::npos);
    const result limited = with({"--max-iterations", "5"});
    CHECK(limited.exit_status == 1);
    CHECK(limited.out.find("after 5 iterations") != std::string::npos);
    CHECK(with({"--solution-words", "4"}).exit_status == 2);
    const result proof = with({"--certify"});
    CHECK(proof.exit_status == 2);
    CHECK(proof.err.find("--certify needs --method auto or refine, without --precond") !=
          std::string::npos);
}

TEST_CASE("gmres with LU needs few iterations, says LU, and what limits it")
{
    const scratch folder;
    const std::string a = (folder / "p.mtx").string();
    ddla::write_matrix(a, ddla::generate::convection_diffusion(9, 9, 9));
    for (const char* factors : {"double", "dd"}) {
        const json report = report_of(folder, {a, "--method", "gmres", "--precond", "lu",
                                               "--factors", factors, "--tol", "1e-24"});
        CHECK(report["solves"][0]["precond"] == "lu");
        CHECK(report["solves"][0]["iterations"] <= (factors[1] == 'o' ? 3 : 1));
    }
    const result r = run({"solve", a, "--method", "gmres", "--precond", "lu"});
    CHECK(r.out.find("LU preconditioner") != std::string::npos);
    const result small =
        run({"solve", a, "--method", "gmres", "--precond", "lu", "--most-memory", "1000"});
    CHECK(small.exit_status == 3);
    CHECK(small.err.find("1000 bytes") != std::string::npos);
    ddla::coordinates<double> c{.rows = 2, .columns = 2};
    c.add(0, 0, 1.0);
    c.add(1, 0, 2.0);
    ddla::write_matrix(a, ddla::csr_matrix<double>(c));
    const result none = run({"solve", a, "--method", "gmres", "--precond", "lu"});
    CHECK(none.exit_status == 2);
    CHECK(none.err.find("LU found a pivot in 1 of 2 columns") != std::string::npos);
}

TEST_CASE("a restart of gmres changes its iterations, and is told")
{
    const scratch folder;
    const std::string a = (folder / "p.mtx").string();
    ddla::write_matrix(a, ddla::generate::poisson2d(20, 20));
    const auto iterations = [&](const std::string& restart) {
        const json report = report_of(folder, {a, "--method", "gmres", "--restart", restart});
        return report["solves"][0]["iterations"].get<int>();
    };
    CHECK(iterations("5") > iterations("100"));
    const result r = run({"solve", a, "--method", "gmres", "--restart", "7"});
    CHECK(r.out.find("FGMRES(7), no preconditioner") != std::string::npos);
    // e_i to e_i+1: shorter cycles than 5 bring nothing.
    ddla::coordinates<double> c{.rows = 5, .columns = 5};
    for (ddla::index_t i = 0; i < 5; ++i) c.add((i + 1) % 5, i, 1.0);
    ddla::vector<double> e(5);
    e[0] = 1;
    const std::string shift = (folder / "shift.mtx").string(), b = (folder / "b.mtx").string();
    ddla::write_matrix(shift, ddla::csr_matrix<double>(c));
    ddla::write_vector(b, e);
    const result stuck = run({"solve", shift, "--rhs", b, "--method", "gmres", "--restart", "4"});
    CHECK(stuck.exit_status == 1);
    CHECK(stuck.out.find("gets stuck at 1.0e+00 after 4 iterations") != std::string::npos);
}

TEST_CASE("l and s change the iterations of bicgstabl and idr, and are told")
{
    const scratch folder;
    const std::string a = (folder / "p.mtx").string();
    ddla::write_matrix(a, ddla::generate::poisson2d(20, 20));
    const auto iterations = [&](const std::string& method, const std::string& option,
                                const std::string& value) {
        const json report = report_of(folder, {a, "--method", method, option, value});
        return report["solves"][0]["iterations"].get<int>();
    };
    CHECK(iterations("bicgstabl", "--l", "1") > iterations("bicgstabl", "--l", "4"));
    CHECK(iterations("idr", "--s", "1") > iterations("idr", "--s", "8"));
    CHECK(run({"solve", a, "--method", "bicgstabl", "--l", "3"}).out.find("BiCGStab(3), no") !=
          std::string::npos);
    CHECK(run({"solve", a, "--method", "idr", "--s", "6"}).out.find("IDR(6), no") !=
          std::string::npos);
}

TEST_CASE("lsmr takes a matrix that is not square, and reports least squares")
{
    const scratch folder;
    ddla::coordinates<double> line{.rows = 4, .columns = 2};
    for (ddla::index_t i = 0; i < 4; ++i) {
        line.add(i, 0, 1.0);
        line.add(i, 1, static_cast<double>(i));
    }
    const std::string a = (folder / "line.mtx").string(), b = (folder / "b.mtx").string();
    const std::string x = (folder / "x.mtx").string();
    ddla::write_matrix(a, ddla::csr_matrix<double>(line));
    ddla::write_vector(b, ddla::vector<double>{1, 3, 4, 4});
    const json report =
        report_of(folder, {a, "--rhs", b, "--method", "lsmr", "--output", x})["solves"][0];
    CHECK(report["goal"] == "least_squares");
    CHECK(report["status"] == "converged");
    CHECK(report["normal_residual"].get<double>() <= 1e-12);
    CHECK(report["true_relative_residual"].get<double>() > 0.1);
    CHECK(ddla::read_vector<double>(x).size() == 2);
    const result shown = run({"solve", a, "--rhs", b, "--method", "lsmr"});
    CHECK(shown.out.find("residual of A^T") != std::string::npos);
    CHECK(shown.out.find("finds least squares") != std::string::npos);
    // A times ones has ones for an answer.
    CHECK(run({"solve", a, "--rhs", "A*ones", "--method", "lsmr", "--quiet"}).exit_status == 0);
    CHECK(run({"solve", a, "--method", "idr"}).exit_status == 2);
}

TEST_CASE("auto and refine factor what is not square, and report least squares")
{
    const scratch folder;
    const std::string banner = "%%MatrixMarket matrix coordinate real general\n";
    const std::string a = folder.write(
        "line.mtx", banner + "4 2 7\n1 1 1\n2 1 1\n3 1 1\n4 1 1\n2 2 1\n3 2 2\n4 2 3\n");
    const std::string b = (folder / "b.mtx").string(), x = (folder / "x.mtx").string();
    ddla::write_vector(b, ddla::vector<double>{1, 3, 4, 4});
    const json automatic = report_of(folder, {a, "--rhs", b, "--output", x})["solves"][0];
    CHECK(automatic["goal"] == "digits");
    CHECK(automatic["status"] == "converged");
    CHECK(automatic["digits"].get<double>() > 30);
    CHECK(automatic["normal_residual"].get<double>() <= 1e-30);
    CHECK(automatic["plan"][0]["stage"] == "factor in double, L D L^T");
    CHECK(ddla::read_vector<double>(x)[0] == 1.5);
    const json refined = report_of(folder, {a, "--rhs", b, "--method", "refine"})["solves"][0];
    CHECK(refined["goal"] == "least_squares");
    CHECK(refined["solution_hash"] == automatic["solution_hash"]);
    CHECK(refined["rank"].is_null());
    CHECK(refined["backward_error"].is_null());

    const result shown = run({"solve", a, "--rhs", b, "--verbose"});
    CHECK(shown.exit_status == 0);
    CHECK(shown.out.find("Auto, least squares, 12 right digits") != std::string::npos);
    CHECK(shown.out.find("residual of A^T") != std::string::npos);
    CHECK(shown.out.find("kappa_1") == std::string::npos);
    CHECK(shown.out.find("digits right, as estimated, and ||A^T r|| / (||A|| ||r||) =") !=
          std::string::npos);
    const std::string wide = folder.write("wide.mtx", banner + "1 2 2\n1 1 3\n1 2 4\n");
    const result least = run({"solve", wide, "--solution-words", "4", "--digits", "60"});
    CHECK(least.exit_status == 0);
    CHECK(least.out.find("Auto, least norm, 60 right digits") != std::string::npos);
    CHECK(least.out.find("right, as estimated, and residual") != std::string::npos);
}

TEST_CASE("least squares of less than full rank say so")
{
    const scratch folder;
    const std::string a =
        folder.write("a.mtx", "%%MatrixMarket matrix coordinate real general\n"
                              "3 2 6\n1 1 1\n2 1 2\n3 1 3\n1 2 2\n2 2 4\n3 2 6\n");
    const std::string file = (folder / "r.json").string();
    const result by_lsmr = run({"solve", a, "--report", file});
    CHECK(by_lsmr.exit_status == 0);
    const json rank = json::parse(read_file(file))["solves"][0]["rank"];
    REQUIRE(rank.is_object());
    CHECK(rank["value"] == 1);
    CHECK(rank["combined_columns"] == json::array({1, 2}));
    CHECK(by_lsmr.out.find("Not factored: A has rank 1, less than its 2 columns.") !=
          std::string::npos);
    const result refused = run({"solve", a, "--method", "refine"});
    CHECK(refused.exit_status == 1);
    CHECK(refused.out.find("finds many x: A has rank 1, less than its 2 columns.") !=
          std::string::npos);
    CHECK(refused.out.find("try: --method lsmr, which finds least squares") != std::string::npos);
    CHECK(run({"solve", a, "--method", "lsmr"}).exit_status == 0);
}
