// What is wrong with the options or the files ends with 2 and one line that says what and where;
// what the machine cannot do ends with 3.
#include "catch.hpp"
#include "failures.hpp"
#include "process.hpp"

using namespace cli_test;

namespace {

const std::string banner = "%%MatrixMarket matrix coordinate real general\n";

void check_failure(const result& r, int exit_status, const std::vector<std::string>& parts)
{
    check_failure_of("ddla", r, exit_status, parts);
}

/// Options after `ddla solve a.mtx`, and what the message must name.
const std::vector<bad_options> bad_solves{
    {{"--tol", "abc"}, {"--tol", "\"abc\""}},
    {{"--tol", ""}, {"--tol", "\"\""}},
    {{"--tol", "nan"}, {"--tol", "\"nan\""}},
    {{"--tol", "inf"}, {"--tol", "\"inf\""}},
    {{"--tol", "0"}, {"--tol", "\"0\""}},
    {{"--tol", "-1e-12"}, {"--tol", "\"-1e-12\""}},
    {{"--tol", "1"}, {"--tol", "\"1\"", "below 1"}},
    {{"--tol", "1e-12x"}, {"--tol", "\"1e-12x\""}},
    {{"--tol", "1e-999"}, {"--tol", "\"1e-999\""}},
    {{"--tol=2"}, {"--tol", "\"2\""}},
    {{"--tol"}, {"--tol"}},
    {{"--tol", "1e-3", "--tol", "1e-4"}, {"--tol"}},
    {{"--max-iterations", "0"}, {"--max-iterations", "\"0\""}},
    {{"--restart", "0"}, {"--restart", "\"0\""}},
    {{"--max-iterations", "-3"}, {"--max-iterations", "\"-3\""}},
    {{"--max-iterations", "1.5"}, {"--max-iterations", "\"1.5\""}},
    {{"--max-iterations", "1e3"}, {"--max-iterations", "\"1e3\""}},
    {{"--max-iterations", "99999999999999999999"}, {"--max-iterations", "99999999999999999999"}},
    {{"--max-iterations", "--quiet"}, {"--max-iterations"}},
    {{"--verbose", "--quiet"}, {"--verbose", "--quiet"}},
    {{"--threads", "0"}, {"--threads", "\"0\"", "from 1 to 1024"}},
    {{"--output", "x.npy"}, {"x.npy", "not as .npy promises: name it x.mtx"}},
    {{"--history", "h.xlsx"}, {"h.xlsx", "CSV", "name it h.csv"}},
    {{"--plot", "h.png"}, {"h.png", "SVG", "name it h.svg"}},
    {{"--report", "r.json.xz"}, {"r.json.xz", "name it r.json.gz"}},
    {{"--threads", "-1"}, {"--threads", "\"-1\""}},
    {{"--threads", "1025"}, {"--threads", "\"1025\""}},
    {{"--threads", "two"}, {"--threads", "\"two\""}},
    {{"--precision", "quad"}, {"--precision", "\"quad\"", "double, dd, both"}},
    {{"--precision", "DD"}, {"--precision", "\"DD\""}},
    {{"--method", "qmr"}, {"--method", "\"qmr\"", "auto, refine, bicgstab, cg, fgmres"}},
    {{"--precond", "ssor"}, {"--precond", "\"ssor\"", "none, auto, jacobi, lu"}},
    {{"--place", "gpu"}, {"--place", "\"gpu\"", "auto, host, device"}},
    {{"--values", "float"}, {"--values", "\"float\""}},
    {{"--values", "dd", "--precision", "both"}, {"--values", "--precision dd"}},
    {{"--values", "dd", "--precision", "double"}, {"--values", "--precision dd"}},
    {{"--format", "zip"}, {"--format", "\"zip\"", "auto, csr, crs_scalar"}},
    {{"--format", "CSR"}, {"--format", "\"CSR\""}},
    {{"--format", ""}, {"--format", "\"\""}},
    {{"--tolerance", "1e-3"}, {"--tolerance"}},
    {{"-q"}, {"-q"}},
    {{"another.mtx"}, {"another.mtx"}},
    {{"--guess", ""}, {"--guess"}},
    {{"--output", ""}, {"--output"}},
    {{"--rhs", "zeros"}, {"zeros: cannot be read"}},
    {{"--rhs", "a*ones"}, {"a*ones: cannot be read"}},
    {{"--guess", "missing.mtx"}, {"missing.mtx: cannot be read"}},
    {{"--rhs", "/"}, {"directory"}},
    {{"--report", "same", "--history", "same"}, {"--history", "--report"}},
    {{"--output", "./same", "--report", "same"}, {"--report", "--output"}},
};

/// Whole command lines.
const std::vector<bad_options> bad_commands{
    {{"frobnicate"}, {"frobnicate"}},
    {{"--frobnicate"}, {"--frobnicate"}},
    {{"solve"}, {"A.mtx"}},
    {{"solve", ""}, {"A.mtx"}},
    {{"solve", "missing.mtx"}, {"missing.mtx: cannot be read"}},
    {{"solve", "/"}, {"directory"}},
    {{"solve", "a\nb.mtx"}, {"cannot be read"}},
    {{"info"}, {"A.mtx"}},
    {{"info", "missing.mtx.gz"}, {"missing.mtx.gz: cannot be read"}},
    {{"info", "/dev", "--json"}, {"directory"}},
    {{"info", "a.mtx", "--csv"}, {"--csv"}},
    {{"devices", "0"}, {"\"0\""}},
    {{"tune"}, {"A.mtx"}},
    {{"tune", ""}, {"A.mtx"}},
    {{"tune", "a.mtx", "--forget"}, {"--forget"}},
    {{"tune", "missing.mtx"}, {"missing.mtx: cannot be read"}},
    {{"tune", "a.mtx", "--format", "csr"}, {"--format"}},
    {{"tune", "a.mtx", "--repeat", "0"}, {"--repeat", "\"0\""}},
    {{"tune", "a.mtx", "--seconds", "-1"}, {"--seconds", "\"-1\""}},
    {{"tune", "a.mtx", "--seconds", "nan"}, {"--seconds", "\"nan\""}},
    {{"tune", "a.mtx", "--precision", "quad"}, {"--precision", "\"quad\""}},
    {{"tune", "a.mtx", "--values", "dd", "--precision", "both"}, {"--values"}},
    {{"tune", "a.mtx", "--threads", "0"}, {"--threads", "\"0\""}},
    {{"spmv"}, {"A.mtx"}},
    {{"spmv", "missing.mtx"}, {"missing.mtx: cannot be read"}},
    {{"spmv", "a.mtx", "--format", "zip"}, {"--format", "\"zip\""}},
    {{"check", "a.mtx", "a.mtx", "--verbose", "--quiet"}, {"--verbose", "--quiet"}},
    {{"spmv", "a.mtx", "--format", "tiles", "--all-formats"}, {"--all-formats", "--format"}},
    {{"spmv", "a.mtx", "--format", "sell"}, {"--format", "\"sell\" is no longer there", "slices"}},
    {{"spmv", "a.mtx", "--x", ""}, {"--x"}},
    {{"spmv", "a.mtx", "--place", "gpu"}, {"--place", "\"gpu\""}},
    {{"spmv", "a.mtx", "--forget"}, {"--forget"}},
    {{"generate"}, {"KIND"}},
    {{"generate", "poisson4d", "3"}, {"poisson4d"}},
    {{"generate", "poisson2d"}, {"NX"}},
    {{"generate", "poisson2d", "0"}, {"NX", "\"0\""}},
    {{"generate", "poisson2d", "3", "x"}, {"NY", "\"x\""}},
    {{"generate", "poisson2d", "3", "3", "3"}, {"3"}},
    {{"generate", "poisson3d", "2000"}, {"2000 x 2000 x 2000"}},
    {{"generate", "poisson3d", "2147483648"}, {"NX", "2147483648"}},
    {{"generate", "toeplitz", "-5"}, {"N:", "\"-5\""}},
    {{"generate", "toeplitz", "5", "--gamma", "nan"}, {"--gamma", "\"nan\""}},
    {{"generate", "toeplitz", "5", "--seed", "1"}, {"--seed"}},
    {{"generate", "convection-diffusion", "5", "--shift", "inf"}, {"--shift", "\"inf\""}},
    {{"generate", "hilbert-like", "5", "--bandwidth", "-1"}, {"--bandwidth", "\"-1\""}},
    {{"generate", "hilbert-like", "5", "--values", "quad"}, {"--values", "\"quad\""}},
    {{"generate", "random", "5"}, {"11 entries"}},
    {{"generate", "random", "50", "--dominance", "0"}, {"--dominance", "\"0\""}},
    {{"generate", "random", "50", "--seed", "-1"}, {"--seed", "\"-1\""}},
    {{"generate", "skewed", "50", "--exponent", "5"}, {"--exponent", "\"5\""}},
    {{"generate", "skewed", "50", "--per-row", "51"}, {"51 entries"}},
};

struct broken_file {
    const char* what;
    std::string content;
    int line;
};

const std::vector<broken_file> broken_files{
    {"empty", "", 1},
    {"no banner", "2 2 1\n1 1 1\n", 1},
    {"other object", "%%MatrixMarket tensor coordinate real general\n1 1 1\n1 1 1\n", 1},
    {"unknown format", "%%MatrixMarket matrix csr real general\n1 1 1\n1 1 1\n", 1},
    {"unknown field", "%%MatrixMarket matrix coordinate quad general\n1 1 1\n1 1 1\n", 1},
    {"half a complex number", "%%MatrixMarket matrix coordinate complex general\n1 1 1\n1 1 1\n",
     3},
    {"unknown symmetry", "%%MatrixMarket matrix coordinate real lower\n1 1 1\n1 1 1\n", 1},
    {"short banner", "%%MatrixMarket matrix coordinate\n1 1 1\n1 1 1\n", 1},
    {"two sizes", banner + "2 2\n1 1 1\n", 2},
    {"negative size", banner + "-2 2 1\n1 1 1\n", 2},
    {"size in words", banner + "% c\ntwo 2 1\n1 1 1\n", 3},
    {"too many columns", banner + "2 3000000000 1\n1 1 1\n", 2},
    {"row 0", banner + "2 2 1\n0 1 1\n", 3},
    {"row past the end", banner + "2 2 1\n3 1 1\n", 3},
    {"column past the end", banner + "2 2 2\n1 1 1\n1 3 1\n", 4},
    {"no value", banner + "2 2 1\n1 1\n", 3},
    {"trailing text", banner + "2 2 1\n1 1 1 1\n", 3},
    {"no number", banner + "2 2 1\n1 1 one\n", 3},
    {"not a number", banner + "2 2 1\n1 1 nan\n", 3},
    {"out of range", banner + "2 2 1\n1 1 1e999\n", 3},
    {"both triangles",
     "%%MatrixMarket matrix coordinate real symmetric\n"
     "2 2 3\n1 1 1\n2 1 1\n1 2 1\n",
     5},
    {"half a number", banner + "2 2 1\n1 1 1e\n", 3},
    {"too many entries", banner + "1 1 1\n1 1 1\n1 1 1\n", 4},
    {"skew diagonal", "%%MatrixMarket matrix coordinate real skew-symmetric\n2 2 1\n1 1 1\n", 3},
    {"not square", "%%MatrixMarket matrix coordinate real symmetric\n2 3 1\n1 1 1\n", 2},
    {"no integer", "%%MatrixMarket matrix coordinate integer general\n1 1 1\n1 1 1.5\n", 3},
    {"binary",
     std::string("\x7f"
                 "ELF\x02\x01\x01\0\0\0",
                 10),
     1},
};

}  // namespace

TEST_CASE("bad options of solve end with 2 and a line that names them")
{
    const scratch folder;
    const std::string a = folder.write("a.mtx", banner + "2 2 2\n1 1 2\n2 2 3\n");
    CHECK(run({"solve", a, "--quiet"}).exit_status == 0);
    for (const auto& [options, parts] : bad_solves) {
        arguments all{"solve", a};
        all.insert(all.end(), options.begin(), options.end());
        check_failure(run(all), 2, parts);
    }
    CHECK(folder.files() == 1);
}

TEST_CASE("bad command lines end with 2 and one line")
{
    for (const auto& [options, parts] : bad_commands) check_failure(run(options), 2, parts);
}

TEST_CASE("broken matrices end with 2 and one line that names file and line")
{
    const scratch folder;
    for (const auto& [what, content, line] : broken_files) {
        const std::string file = folder.write("broken.mtx", content);
        INFO(what);
        const std::string where = "ddla: " + file + ":" + std::to_string(line) + ": ";
        check_failure(run({"solve", file}), 2, {where});
        check_failure(run({"info", file}), 2, {where});
    }
}

TEST_CASE("files that end early are refused")
{
    const scratch folder;
    const std::string few = folder.write("few.mtx", banner + "2 2 3\n1 1 1\n2 2 1\n");
    check_failure(run({"solve", few}), 2, {few + ":", "3"});
    const std::string sizes = folder.write("sizes.mtx", banner + "% only comments\n");
    check_failure(run({"solve", sizes}), 2, {sizes + ":"});
    const std::string array =
        folder.write("array.mtx", "%%MatrixMarket matrix array real general\n2 2\n1\n2\n3\n");
    check_failure(run({"solve", array}), 2, {array + ":"});
}

TEST_CASE("a damaged .mtx.gz is refused")
{
    const scratch folder;
    const std::string whole = (folder / "a.mtx.gz").string();
    REQUIRE(run({"generate", "toeplitz", "1000", "--output", whole}).exit_status == 0);
    const std::string bytes = read_file(whole);
    const std::string cut = folder.write("cut.mtx.gz", bytes.substr(0, bytes.size() / 2));
    check_failure(run({"info", cut}), 2, {"cut.mtx.gz"});
    const std::string plain = folder.write("plain.mtx.gz", "\x1f\x8bnot gzip at all");
    check_failure(run({"info", plain}), 2, {"plain.mtx.gz"});
}

TEST_CASE("vectors must fit the matrix")
{
    const scratch folder;
    const std::string a = folder.write("a.mtx", banner + "2 2 2\n1 1 2\n2 2 3\n");
    const std::string array = "%%MatrixMarket matrix array real general\n";
    const std::string longer = folder.write("longer.mtx", array + "3 1\n1\n2\n3\n");
    const std::string wide = folder.write("wide.mtx", array + "2 2\n1\n2\n3\n4\n");
    const std::string word = folder.write("word.mtx", array + "2 1\n1\ntwo\n");
    for (const char* option : {"--rhs", "--guess"}) {
        const std::string size = option == std::string("--rhs") ? "2 rows" : "2 columns";
        check_failure(run({"solve", a, option, longer}), 2, {longer, "3 numbers", size});
        check_failure(run({"solve", a, option, word}), 2, {word + ":4: "});
    }
    // Columns of --rhs are systems; a guess is one vector, and so is an x that is checked.
    check_failure(run({"solve", a, "--guess", wide}), 2, {wide + ":2: "});
    check_failure(run({"check", a, wide}), 2, {wide + ":2: "});
}

TEST_CASE("systems that no method takes are refused")
{
    const scratch folder;
    const std::string wide = folder.write("wide.mtx", banner + "2 3 1\n1 1 2\n");
    check_failure(run({"solve", wide, "--method", "gmres"}), 2, {wide, "2 x 3", "not square"});
    check_failure(run({"solve", wide, "--method", "refine", "--precond", "lu"}), 2,
                  {"2 x 3", "no preconditioner"});
    check_failure(run({"solve", wide, "--certify"}), 2, {"2 x 3", "square"});
    const std::string hole = folder.write("hole.mtx", banner + "2 2 2\n1 1 2\n2 1 3\n");
    check_failure(run({"solve", hole, "--method", "bicgstab", "--precond", "jacobi"}), 2,
                  {hole, "row 2"});
}

TEST_CASE("inputs are never overwritten")
{
    const scratch folder;
    const std::string a = folder.write("a.mtx", banner + "1 1 1\n1 1 2\n");
    const std::string b = folder.write("b.mtx", banner + "1 1 1\n1 1 2\n");
    std::filesystem::create_symlink(a, folder / "link");
    check_failure(run({"solve", a, "--output", a}), 2, {"--output", "A.mtx"});
    check_failure(run({"solve", a, "--report", (folder / "link").string()}), 2, {"--report"});
    check_failure(run({"solve", a, "--rhs", b, "--history", b}), 2, {"--history", "--rhs"});
    CHECK(read_file(a) == read_file(b));
}

TEST_CASE("outputs that cannot be written end with 3 before the work")
{
    const scratch folder;
    // Hours of work, were it to start.
    const std::string a = (folder / "a.mtx").string();
    REQUIRE(run({"generate", "toeplitz", "2000", "--gamma", "2.5", "--output", a}).exit_status ==
            0);
    const std::string nowhere = (folder / "missing" / "file").string();
    for (const char* option : {"--output", "--report", "--history"}) {
        const arguments solve{"solve",      a,     "--tol", "1e-300", "--max-iterations",
                              "1000000000", option};
        for (const std::string& file : {nowhere, std::string("/"), std::string("/proc/x")}) {
            arguments all = solve;
            all.push_back(file);
            check_failure(run(all), 3, {file + ": cannot be written"});
        }
    }
    check_failure(run({"generate", "toeplitz", "9", "--output", nowhere}), 3, {nowhere});
    CHECK(folder.files() == 1);
}

TEST_CASE("a device is there or the solve ends with 3")
{
    const scratch folder;
    const std::string a = folder.write("a.mtx", banner + "1 1 1\n1 1 2\n");
    const result r = run({"solve", a, "--place", "device"});
    if (r.exit_status != 0) {
        // Without device code there is no device; with it, no driver here.
        const bool has_code = r.err.find("NVIDIA driver") != std::string::npos;
        check_failure(r, 3, {has_code ? "no NVIDIA driver was found" : "device"});
    }
    CHECK(run({"solve", a, "--place", "auto"}).exit_status == 0);
    CHECK(run({"solve", a, "--place", "host"}).exit_status == 0);
}

TEST_CASE("a full disk ends with 3")
{
    const scratch folder;
    const std::string a = folder.write("a.mtx", banner + "1 1 1\n1 1 2\n");
    check_failure(run({"solve", a, "--quiet", "--report", "/dev/full"}), 3, {"/dev/full"});
    for (const std::string& command :
         {"info " + a, "solve " + a, std::string("generate toeplitz 9")}) {
        const arguments script{"-c", std::string("'" DDLA_COMMAND "' ") + command + " > /dev/full"};
        check_failure(run_program("/bin/sh", script), 3, {"standard output"});
    }
}

TEST_CASE("beyond the limit of the size of files a sentence comes, and nothing is left")
{
    const scratch folder;
    const std::string a = (folder / "a.mtx").string(), x = (folder / "x.mtx").string();
    REQUIRE(run({"generate", "toeplitz", "2000", "--output", a}).exit_status == 0);
    const auto limited = [&](const std::string& command) {
        return run_program("/bin/sh", {"-c", "ulimit -f 8; exec '" DDLA_COMMAND "' " + command});
    };
    check_failure(limited("solve " + a + " --quiet --output " + x), 3,
                  {x, "writing failed: File too large"});
    check_failure(limited("generate toeplitz 2000 --output " + x), 3,
                  {x, "writing failed: File too large"});
    CHECK(folder.files() == 1);
    check_failure(limited("generate toeplitz 2000 > " + x), 3, {"standard output"});
}

TEST_CASE("without options the help is shown, with 2")
{
    const result r = run({});
    CHECK(r.exit_status == 2);
    CHECK(r.out == "");
    CHECK(r.err.find("Usage: ddla ") != std::string::npos);
}

TEST_CASE("help and version end with 0")
{
    CHECK(run({"--version"}).out.rfind("ddla 0.", 0) == 0);
    CHECK(run({"--version"}).exit_status == 0);
    for (const arguments& options : {arguments{"--help"},
                                     {"-h"},
                                     {"solve", "--help"},
                                     {"tune", "--help"},
                                     {"spmv", "--help"},
                                     {"info", "--help"},
                                     {"devices", "--help"},
                                     {"generate", "--help"},
                                     {"generate", "random", "--help"}}) {
        const result r = run(options);
        CHECK(r.exit_status == 0);
        CHECK(r.err == "");
        CHECK(r.out.find("Usage: ddla") != std::string::npos);
        std::size_t begin = 0;
        for (std::size_t end; (end = r.out.find('\n', begin)) != std::string::npos; begin = end + 1)
            CHECK(end - begin <= 80);
        const bool of_a_kind = options.size() == 3;
        CHECK((of_a_kind || r.out.find("Examples:\n") != std::string::npos));
    }
}
