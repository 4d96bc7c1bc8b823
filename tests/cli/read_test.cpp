// What reports say of values that lost something when they were read.
#include "catch.hpp"
#include "process.hpp"
#include "support/json.hpp"

#include <algorithm>
#include <fstream>
using namespace cli_test;
using json = nlohmann::json;

namespace {

const std::string banner = "%%MatrixMarket matrix coordinate real general\n";
const std::string array_banner = "%%MatrixMarket matrix array real general\n";

json losses_of(const json& report, const std::string& role)
{
    for (const json& file : report.at("read"))
        if (file.at("role") == role) return file;
    return {};
}

std::string text_of(const std::filesystem::path& file)
{
    std::ifstream in(file);
    return {std::istreambuf_iterator<char>(in), {}};
}

/// Line breaks are those of the width.
bool says(const result& r, const std::string& sentence)
{
    std::string text = r.out;
    std::replace(text.begin(), text.end(), '\n', ' ');
    return text.find(sentence) != std::string::npos;
}

}  // namespace

TEST_CASE("values that underflow are told before a rank that they cause")
{
    const scratch folder;
    const std::string a = folder.write("a.mtx", banner + "2 2 2\n1 1 1e-400\n2 2 1\n");
    const std::string b = folder.write("b.mtx", array_banner + "2 1\n1e-310\n-1e-400\n");
    const std::string report = (folder / "r.json").string();
    const result r = run({"solve", a, "--rhs", b, "--report", report});
    const auto line = r.out.find("Read: 1 value of a.mtx is too small for a double and became 0.");
    CHECK(line != std::string::npos);
    CHECK(line < r.out.find("rank"));
    CHECK(says(r, "Read: 1 value of b.mtx is too small for a double and became 0."));
    CHECK(says(r, "Read: 1 value of b.mtx is so small that it keeps fewer digits than the file"));
    const json j = json::parse(text_of(folder / "r.json"));
    CHECK(losses_of(j, "matrix").at("underflowed_values") == 1);
    CHECK(losses_of(j, "matrix").at("subnormal_values") == 0);
    CHECK(losses_of(j, "right_hand_side").at("underflowed_values") == 1);
    CHECK(losses_of(j, "right_hand_side").at("subnormal_values") == 1);
    CHECK(says(run({"info", a}), "Read: 1 value of a.mtx is too small"));
    CHECK(json::parse(run({"info", a, "--json"}).out).at("underflowed_values") == 1);
    CHECK(says(run({"spmv", a}), "Read: 1 value of a.mtx is too small"));
    const std::string x = folder.write("x.mtx", array_banner + "2 1\n1e-400\n1\n");
    const result check = run({"check", a, x, "--report", report});
    CHECK(says(check, "Read: 1 value of x.mtx is too small"));
    CHECK(losses_of(json::parse(text_of(folder / "r.json")), "solution").at("underflowed_values") ==
          1);
}

TEST_CASE("b is rounded like A, unless another precision is asked for")
{
    const scratch folder;
    // The columns of A, rounded to double, are the truth: b is the first of them.
    const std::string a =
        folder.write("a.mtx", banner + "2 2 4\n1 1 0.1\n2 1 0.7\n1 2 1\n2 2 0.3\n");
    const std::string b = folder.write("b.mtx", array_banner + "2 1\n0.1\n0.7\n");
    const std::string x = (folder / "x.mtx").string();
    const auto solution = [&](arguments options) {
        arguments line{"solve", a, "--rhs", b, "--output", x};
        line.insert(line.end(), options.begin(), options.end());
        const result r = run(line);
        CHECK(r.exit_status == 0);
        CHECK(r.out.find("Read:") == std::string::npos);
        const std::string text = text_of(folder / "x.mtx");
        return text.substr(text.find("2 1\n") + 4);
    };
    CHECK(solution({}) == "1\n0\n");
    CHECK(solution({"--precision", "both"}) == "1\n0\n");
    CHECK(solution({"--values", "dd"}) == "1\n0\n");
    CHECK(solution({"--values", "dd", "--rhs-values", "dd"}) == "1\n0\n");
    CHECK(solution({"--rhs-values", "dd"}) != "1\n0\n");
    CHECK(solution({"--values", "dd", "--rhs-values", "double"}) != "1\n0\n");
    folder.write("x.mtx", array_banner + "2 1\n1\n0\n");
    CHECK(run({"check", a, x, "--rhs", b, "--digits", "30"}).exit_status == 0);
    CHECK(run({"check", a, x, "--rhs", b, "--digits", "30", "--rhs-values", "dd"}).exit_status ==
          1);
}

TEST_CASE("a consistent right-hand side stays consistent")
{
    const scratch folder;
    const std::string a =
        folder.write("a.mtx", banner + "2 2 4\n1 1 0.1\n1 2 0.1\n2 1 0.7\n2 2 0.7\n");
    const std::string b = folder.write("b.mtx", array_banner + "2 1\n0.1\n0.7\n");
    CHECK(run({"solve", a, "--rhs", b}).exit_status == 0);
    CHECK(run({"solve", a, "--rhs", b, "--rhs-values", "dd"}).exit_status == 1);
}

TEST_CASE("values of b that rounding changed are counted")
{
    const scratch folder;
    const std::string a = folder.write("a.mtx", banner + "3 3 3\n1 1 3\n2 2 7\n3 3 4\n");
    const std::string b = (folder / "b.mtx").string(), report = (folder / "r.json").string();
    CHECK(run({"solve", a, "--output", b}).exit_status == 0);  // 1/3, 1/7, 1/4
    const result r = run({"solve", a, "--rhs", b, "--report", report});
    CHECK(r.exit_status == 0);
    CHECK(says(r, "Read: 2 values of b.mtx have more digits than a double"));
    const json j = json::parse(text_of(folder / "r.json"));
    CHECK(losses_of(j, "right_hand_side").at("rounded_values") == 2);
    CHECK(run({"solve", a, "--rhs", b, "--rhs-values", "dd"}).out.find("Read:") ==
          std::string::npos);
    CHECK(says(run({"solve", a, "--rhs", b, "--precision", "both"}), "Read: 2 values of b.mtx"));
    CHECK(says(run({"check", a, b, "--rhs", b}), "Read: 2 values of b.mtx"));
}

TEST_CASE("a double cannot hold values of b in double-double")
{
    const scratch folder;
    const std::string a = folder.write("a.mtx", banner + "1 1 1\n1 1 3\n");
    const result r = run({"solve", a, "--rhs-values", "dd", "--precision", "both"});
    CHECK(r.exit_status == 2);
    CHECK(r.err == "ddla: --rhs-values: \"dd\" needs --precision dd: double cannot hold b\n");
}

TEST_CASE("the memory that A may take is an option, of reading and of formats")
{
    const scratch folder;
    const std::string a = folder.write("a.mtx", banner + "2 2 2\n1 1 1\n2 2 1\n");
    const std::string x = folder.write("x.mtx", array_banner + "2 1\n1\n1\n");
    // 8 bytes a row, 28 an entry.
    for (const arguments& line : std::vector<arguments>{{"solve", a},
                                                        {"solve", a, "--method", "cg"},
                                                        {"check", a, x},
                                                        {"spmv", a, "--seconds", "0"},
                                                        {"tune", a, "--seconds", "0"}}) {
        arguments enough = line, too_little = line;
        enough.insert(enough.end(), {"--memory-limit", "72"});
        too_little.insert(too_little.end(), {"--memory-limit", "71"});
        const result read = run(enough), refused = run(too_little);
        INFO(line[0] << read.err);
        CHECK(read.exit_status == 0);
        CHECK(refused.exit_status == 3);
        CHECK(refused.out.empty());
        CHECK(refused.err == "ddla: " + a +
                                 ":2: the sizes 2 x 2 and 2 entries take at least 72 bytes, "
                                 "memory_limit allows 71\n");
    }
    CHECK(run({"solve", a, "--memory-limit", "0"}).exit_status == 2);
    CHECK(run({"solve", a, "--memory-limit", "1 GB"}).exit_status == 2);
}
