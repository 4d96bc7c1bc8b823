// ddla convert: binary files and text.
#include "catch.hpp"
#include "process.hpp"

#include <filesystem>
#include <sstream>

using namespace cli_test;

namespace {

const std::string header = "%%MatrixMarket matrix coordinate real general\n2 3 2\n";

/// Without comments.
std::string text_of(const std::string& file)
{
    std::istringstream lines(read_file(file));
    std::string text;
    for (std::string line; std::getline(lines, line);)
        if (!line.starts_with("% ")) text += line + "\n";
    return text;
}

}  // namespace

TEST_CASE("convert writes a binary file, and text again")
{
    const scratch folder;
    const std::string a = folder.write("a.mtx", header + "1 1 2\n2 3 -0.5\n");
    for (const char* name : {"a.ddla", "a.DDLA", "a.ddla.gz"}) {
        INFO(name);
        const std::string binary = (folder / name).string(), back = (folder / "back.mtx").string();
        const result made = run({"convert", a, "--output", binary});
        CHECK(made.exit_status == 0);
        CHECK(made.out + made.err == "");
        CHECK(read_file(binary).find("MatrixMarket") == std::string::npos);
        CHECK(run({"convert", binary, "--output", back}).exit_status == 0);
        CHECK(text_of(back) == header + "1 1 2\n2 3 -0.5\n");
    }
}

TEST_CASE("convert keeps digits that are asked for, and tells what it loses")
{
    const scratch folder;
    const std::string third = "0.33333333333333333333333333333333";
    const std::string a = folder.write("a.mtx", header + "1 1 2\n2 3 " + third + "\n");
    const std::string binary = (folder / "a.ddla").string(), back = (folder / "back.mtx").string();
    REQUIRE(run({"convert", a, "--values", "dd", "--output", binary}).exit_status == 0);
    REQUIRE(run({"convert", binary, "--values", "dd", "--output", back}).exit_status == 0);
    CHECK(text_of(back).find("0.333333333333333333333333333333") != std::string::npos);
    const result lossy = run({"convert", binary, "--output", back});
    CHECK(lossy.exit_status == 0);
    CHECK(lossy.out.find("has more digits than a double and was rounded to one") !=
          std::string::npos);
    CHECK(text_of(back) == header + "1 1 2\n2 3 0.3333333333333333\n");
}

TEST_CASE("what convert refuses")
{
    const scratch folder;
    const std::string a = folder.write("a.mtx", header + "1 1 2\n2 3 -0.5\n");
    const std::string complex =
        folder.write("c.mtx", "%%MatrixMarket matrix coordinate complex general\n1 1 1\n1 1 2 3\n");
    const std::string npy = (folder / "a.npy").string(), back = (folder / "back.mtx").string();
    CHECK(run({"convert", a, "--output", npy}).exit_status == 2);
    CHECK(run({"convert", a}).exit_status == 2);
    const result text = run({"convert", complex, "--output", back});
    CHECK(text.exit_status == 2);
    CHECK(text.err.find("is complex: name the output .ddla") != std::string::npos);
    CHECK(run({"convert", complex, "--output", (folder / "c.ddla").string()}).exit_status == 0);
    CHECK(!std::filesystem::exists(back));
}
