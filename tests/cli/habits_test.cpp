// What people try who know other commands: sizes with units, the standard input, help.
#include "catch.hpp"
#include "process.hpp"

#include "ddla/generate.hpp"
#include "ddla/matrix_market.hpp"

using namespace cli_test;

namespace {

std::string grid(const scratch& folder)
{
    const std::string file = (folder / "grid.mtx").string();
    ddla::write_matrix(file, ddla::generate::poisson2d(8, 8));
    return file;
}

/// `ddla LINE` in a shell, so that the standard input is a pipe.
result in_shell(const std::string& line)
{
    return run_program("/bin/sh", {"-c", line});
}

const std::string ddla_command = std::string("'") + DDLA_COMMAND + "'";

}  // namespace

TEST_CASE("a number of bytes may have a unit, a power of 1024", "[repeats]")
{
    const scratch folder;
    const std::string a = grid(folder);
    // Factors of 64 rows: their bytes are in the refusal.
    const auto asked = [&](const std::string& bytes) {
        return run({"solve", a, "--method", "refine", "--most-memory", bytes});
    };
    for (const auto& [text, bytes] :
         {std::pair{"1K", "1024"}, {"1.5K", "1536"}, {"0.25k", "256"}, {"1KiB", "1024"}})
        CHECK(asked(text).err.find(std::string("most_memory allows, ") + bytes + " bytes") !=
              std::string::npos);
    for (const char* const text : {"8G", "512M", "1.5T", "8589934592", "2GiB"}) {
        INFO(text);
        CHECK(asked(text).exit_status == 0);
        CHECK(run({"spmv", a, "--memory-limit", text, "--seconds", "0"}).exit_status == 0);
    }
    CHECK(run({"spmv", a, "--memory-limit", "1K"}).exit_status == 3);
    for (const char* const text : {"8GB", "G", "", "-1G", "1e3K", "8 G", "0", "0K", "nanG",
                                   "99999999T", "8P", "iB", "1.5"}) {
        INFO(text);
        for (const char* const option : {"--most-memory", "--memory-limit"}) {
            const result r = run({"solve", a, option, text});
            CHECK(r.exit_status == 2);
            CHECK(r.err == std::string("ddla: ") + option + ": \"" + text +
                               "\" is not a number of bytes from 1 to 9223372036854775807, such "
                               "as 512M or 8G\n");
        }
    }
    const std::string help = run({"solve", "--help"}).out;
    CHECK(help.find("in bytes or as 8G") != std::string::npos);
}

TEST_CASE("- is the standard input, for one file")
{
    const scratch folder;
    const std::string a = grid(folder), b = (folder / "b.mtx").string();
    const std::string x = (folder / "x.mtx").string(), y = (folder / "y.mtx").string();
    ddla::vector<double> numbers(64, 1.0);
    numbers.set(5, -7);
    ddla::write_vector(b, numbers);
    const auto body = [](const std::string& file) {
        const std::string text = read_file(file);
        return text.substr(text.find("64 1"));  // what stands before names the files
    };
    REQUIRE(run({"solve", a, "--rhs", b, "--output", x}).exit_status == 0);
    CHECK(in_shell("cat '" + a + "' | " + ddla_command + " solve - --rhs '" + b + "' --output '" +
                   y + "'")
              .exit_status == 0);
    CHECK(body(x) == body(y));
    CHECK(in_shell("cat '" + b + "' | " + ddla_command + " solve '" + a + "' --rhs - --output '" +
                   y + "'")
              .exit_status == 0);
    CHECK(body(x) == body(y));
    for (const char* const command : {"info -", "spmv - --seconds 0", "tune - --seconds 0"})
        CHECK(in_shell("cat '" + a + "' | " + ddla_command + " " + command).exit_status == 0);
    CHECK(in_shell("cat '" + x + "' | " + ddla_command + " check '" + a + "' - --rhs '" + b + "'")
              .exit_status == 0);
    const result both = run({"solve", "-", "--rhs", "-"});
    CHECK(both.exit_status == 2);
    CHECK(both.err == "ddla: --rhs: the standard input is A.mtx already: only one file can come "
                      "from it\n");
    const result twice = run({"solve", a, "--rhs", "-", "--precision", "both"});
    CHECK(twice.exit_status == 2);
    CHECK(twice.err.find("--rhs: the standard input is read once") != std::string::npos);
}

TEST_CASE("help of a command is its --help")
{
    for (const char* const name :
         {"solve", "check", "tune", "spmv", "info", "generate", "devices", "completion", "help"}) {
        const result help = run({"help", name});
        INFO(name);
        CHECK(help.exit_status == 0);
        CHECK(help.out == run({name, "--help"}).out);
        CHECK(help.err == "");
        CHECK(run({"help"}).out.find(std::string("\n  ") + name + " ") != std::string::npos);
    }
    CHECK(run({"help"}).out == run({"--help"}).out);
    CHECK(run({"help", "generate", "toeplitz"}).out == run({"generate", "toeplitz", "--help"}).out);
}

TEST_CASE("an unknown command is refused, with the one that may be meant")
{
    const auto said = [](const arguments& line) {
        const result r = run(line);
        CHECK(r.exit_status == 2);
        CHECK(r.out == "");
        return r.err;
    };
    CHECK(said({"help", "slove"}) ==
          "ddla: help: \"slove\" is no command: did you mean \"solve\"? (see ddla --help)\n");
    CHECK(said({"help", "generate", "toplitz"}) ==
          "ddla: help: \"toplitz\" is no command: did you mean \"toeplitz\"? (see ddla generate "
          "--help)\n");
    CHECK(said({"help", "factorise"}) ==
          "ddla: help: \"factorise\" is no command (see ddla --help)\n");
    CHECK(said({"help", "solve", "a.mtx"}) ==
          "ddla: help: \"a.mtx\" is too much: solve has no commands of its own\n");
    CHECK(said({"slove", "a.mtx"}) == "ddla: not expected: \"slove\" \"a.mtx\": did you mean "
                                      "\"solve\"? (see ddla --help)\n");
}

TEST_CASE("the report of an automatic solve that iterates names the preconditioner")
{
    const scratch folder;
    const std::string a = grid(folder);
    const auto table = [&](const arguments& more) {
        arguments line{"solve", a};
        line.insert(line.end(), more.begin(), more.end());
        return run(line).out;
    };
    const auto names = [](const std::string& text, const char* preconditioner) {
        const std::size_t at = text.find("\n  preconditioner  ");
        if (at == std::string::npos) return false;
        const std::string line = text.substr(at + 1, text.find('\n', at + 1) - at - 1);
        return line.ends_with(std::string(" ") + preconditioner);
    };
    CHECK(names(table({"--most-work", "1e-9"}), "ic"));
    CHECK(names(table({"--most-work", "1e-9", "--verbose"}), "ic"));
    CHECK(names(table({"--method", "gmres", "--precond", "ilut", "--verbose"}), "ilut"));
    // The heading has it already.
    CHECK(table({"--method", "gmres", "--precond", "ilut"}).find("\n  preconditioner") ==
          std::string::npos);
    ddla::write_matrix((folder / "w.mtx").string(),
                       ddla::generate::convection_diffusion(6, 6, 6, 3.0, 0.5));
    const std::string w = (folder / "w.mtx").string();
    CHECK(names(run({"solve", w, "--most-work", "1e-9"}).out, "ilu(2)"));
}
