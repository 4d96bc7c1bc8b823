// Complex files in the command: solved as real systems of twice the size, answered as complex ones.
#include "catch.hpp"
#include "process.hpp"
#include "support/json.hpp"

using namespace cli_test;
using json = nlohmann::json;

namespace {

// A (1 + i, 2 - i, -3) = b
const std::string general = "%%MatrixMarket matrix coordinate complex general\n"
                            "3 3 5\n1 1 4 1\n2 2 0 3\n3 3 2 0\n1 2 1 -1\n3 1 0 2\n";
const std::string general_b = "%%MatrixMarket matrix array complex general\n3 1\n4 2\n3 6\n-8 2\n";
// Positive definite; A (1 + i, 2 - i) = b
const std::string hermitian = "%%MatrixMarket matrix coordinate complex hermitian\n"
                              "2 2 3\n1 1 4 0\n2 1 1 2\n2 2 5 0\n";
const std::string hermitian_b = "%%MatrixMarket matrix array complex general\n2 1\n4 -1\n9 -2\n";
const std::string real = "%%MatrixMarket matrix coordinate real general\n2 2 2\n1 1 2\n2 2 4\n";
const std::string real_b = "%%MatrixMarket matrix array real general\n2 1\n2\n4\n";

/// The numbers of an array file, without its banner, comments and sizes.
std::string numbers_in(const std::string& text)
{
    std::size_t at = 0;
    for (bool sizes = false; !sizes; at = text.find('\n', at) + 1) sizes = text.at(at) != '%';
    return text.substr(at);
}

struct files {
    scratch folder;
    std::string a, b, x = (folder / "x.mtx").string(), report = (folder / "r.json").string();
    files(const std::string& of_a, const std::string& of_b)
        : a(folder.write("a.mtx", of_a)), b(folder.write("b.mtx", of_b))
    {
    }
    /// x of `ddla solve`.
    std::string solved(arguments more = {}) const
    {
        arguments all{"solve", a, "--rhs", b, "--output", x, "--report", report, "--quiet"};
        all.insert(all.end(), more.begin(), more.end());
        const result r = run(all);
        INFO(r.out << r.err);
        CHECK(r.exit_status == 0);
        const std::string text = read_file(x);
        CHECK(text.starts_with("%%MatrixMarket matrix array complex general\n"));
        return numbers_in(text);
    }
};

}  // namespace

TEST_CASE("a complex system is solved, and x is complex")
{
    const files f(general, general_b);
    CHECK(f.solved() == "1 1\n2 -1\n-3 0\n");
    const json matrix = json::parse(read_file(f.report)).at("matrix");
    CHECK(matrix.at("complex") == true);
    CHECK(matrix.at("rows") == 6);
    CHECK(matrix.at("nonzeros") == 14);
    const result told = run({"solve", f.a, "--rhs", f.b});
    CHECK(told.out.starts_with("a.mtx: complex 3 x 3, as real 6 x 6, 14 nonzeros\n"));
    CHECK(f.solved({"--solution-words", "4"}).starts_with("1e+00 1e+00\n"));
    CHECK(f.solved({"--guess", f.b}) == "1 1\n2 -1\n-3 0\n");
}

TEST_CASE("a hermitian positive definite system is solved by CG and MINRES")
{
    const files f(hermitian, hermitian_b);
    CHECK(f.solved() == "1 1\n2 -1\n");
    for (const char* method : {"cg", "minres"}) {
        f.solved({"--method", method, "--tol", "1e-25"});
        CHECK(run({"check", f.a, f.x, "--rhs", f.b, "--digits", "20", "--quiet"}).exit_status == 0);
    }
    const files other(general, general_b);
    const result r =
        run({"solve", other.a, "--rhs", other.b, "--method", "minres", "--max-iterations", "1"});
    CHECK(r.out.find("A is not hermitian, which MINRES needs") != std::string::npos);
}

TEST_CASE("one complex file makes the system complex")
{
    const std::string complex_b = "%%MatrixMarket matrix array complex general\n2 1\n2 4\n0 -4\n";
    CHECK(files(real, complex_b).solved() == "1 2\n0 -1\n");
    CHECK(
        files("%%MatrixMarket matrix coordinate complex general\n2 2 2\n1 1 0 2\n2 2 4 0\n", real_b)
            .solved() == "0 -1\n1 0\n");
    const files f(real, real_b);
    const std::string guess = f.folder.write("g.mtx", complex_b);
    CHECK(f.solved({"--guess", guess}) == "1 0\n1 0\n");
    const std::string two =
        "%%MatrixMarket matrix array complex general\n2 2\n2 4\n0 -4\n2 0\n4 8\n";
    CHECK(files(real, two).solved({"--precision", "both"}) == "1 2\n0 -1\n1 0\n1 2\n");
}

TEST_CASE("check, info, spmv and tune take complex files")
{
    const files f(general, general_b);
    f.solved();
    const result right = run({"check", f.a, f.x, "--rhs", f.b, "--report", f.report, "--verbose"});
    CHECK(right.exit_status == 0);
    CHECK(right.out.find("\n  3 re ") != std::string::npos);
    const json component = json::parse(read_file(f.report)).at("worst_components").at(0);
    CHECK((component.at("part") == "real" || component.at("part") == "imaginary"));
    CHECK(component.at("index") <= 3);
    const std::string wrong = f.folder.write(
        "w.mtx", "%%MatrixMarket matrix array complex general\n3 1\n1 1\n2 -1\n-3 0.01\n");
    CHECK(run({"check", f.a, wrong, "--rhs", f.b, "--quiet"}).exit_status == 1);

    const std::string y = (f.folder / "y.mtx").string();
    CHECK(run({"spmv", f.a, "--x", f.x, "--output", y, "--quiet"}).exit_status == 0);
    CHECK(read_file(y).starts_with("%%MatrixMarket matrix array complex general\n"));
    CHECK(numbers_in(read_file(y)) == numbers_in(general_b));
    CHECK(run({"spmv", f.a, "--output", y, "--quiet", "--all-formats"}).exit_status == 0);
    CHECK(numbers_in(read_file(y)) == "5 0\n0 3\n2 2\n");

    const result info = run({"info", f.folder.write("h.mtx", hermitian)});
    CHECK(info.out.starts_with("h.mtx: complex 2 x 2; this is its real form\n"));
    CHECK(info.out.find("symmetric (A is hermitian)") != std::string::npos);
    CHECK(json::parse(run({"info", f.a, "--json"}).out).at("complex") == true);
}

TEST_CASE("a singular complex matrix is told by its own rows and columns")
{
    const files f("%%MatrixMarket matrix coordinate complex general\n"
                  "3 3 4\n1 1 1 1\n1 3 2 2\n2 2 1 0\n3 3 0 0\n",
                  general_b);
    const result r = run({"solve", f.a, "--rhs", f.b});
    CHECK(r.exit_status == 1);
    CHECK(r.out.find("its real form of rank 4") != std::string::npos);
    CHECK(r.out.find("row 3 is zero; a combination of columns 1, 3 is zero") != std::string::npos);
}

TEST_CASE("sizes of complex files are told as they are in the files")
{
    const scratch folder;
    const std::string a = folder.write("a.mtx", general);
    const std::string b = folder.write("b.mtx", hermitian_b);
    const result r = run({"solve", a, "--rhs", b});
    CHECK(r.exit_status == 2);
    CHECK(r.err == "ddla: " + b + ": holds 2 numbers, but " + a + " has 3 rows\n");
    const std::string wide =
        folder.write("w.mtx", "%%MatrixMarket matrix coordinate complex general\n2 3 1\n1 1 1 1\n");
    CHECK(run({"solve", wide, "--method", "idr"}).err ==
          "ddla: " + wide + ": the matrix is 2 x 3, not square\n");
}
