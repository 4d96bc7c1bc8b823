// Options without effect are refused: a table of every described option, and who takes it.
#include "catch.hpp"
#include "process.hpp"

#include "ddla/generate.hpp"
#include "ddla/matrix_market.hpp"
#include "ddla/option_names.hpp"

#include <map>
#include <set>

using namespace cli_test;

namespace {

using words = std::set<std::string>;

/// By the pages docs/methods.md, docs/preconditioners.md and docs/factorisation.md: the methods
/// without a preconditioner, and the preconditioners of a method that iterates, in whose solves an
/// option, given with a value, can change something.
struct known_option {
    std::string value;
    words methods, preconditioners;
};

template <class Named>
words names_in(const Named& list)
{
    words all;
    for (const auto& one : list) all.insert(std::string(one.name));
    return all;
}

const words all_methods = names_in(ddla::method_names);
const words by_factors{"auto", "refine"};
const words with_factors{"lu", "ilu", "ilut", "ic", "block_jacobi"};
const words all_preconditioners = names_in(ddla::preconditioning_names);

const std::map<std::string, known_option> known{
    {"--tol", {"0.5", all_methods, all_preconditioners}},
    {"--max-iterations", {"7", all_methods, all_preconditioners}},
    {"--restart", {"3", {"auto", "gmres", "fgmres"}, {}}},
    {"--l", {"1", {"bicgstabl"}, {}}},
    {"--s", {"1", {"idr"}, {}}},
    {"--fill", {"1", {}, {"ilu", "ilut"}}},
    {"--drop", {"0.1", {}, {"ilut"}}},
    {"--block-rows", {"256", {}, {"block_jacobi"}}},
    {"--pivots", {"shift", {"auto"}, {"ilu", "ilut", "ic"}}},
    {"--polynomial", {"neumann", {}, {"polynomial"}}},
    {"--degree", {"1", {}, {"polynomial"}}},
    {"--eigenvalue-ratio", {"3", {}, {}}},  // of Chebyshev's polynomial alone
    {"--factors", {"double", by_factors, with_factors}},
    {"--ordering", {"natural", by_factors, with_factors}},
    {"--scale", {"none", by_factors, with_factors}},
    {"--match", {"none", by_factors, {"lu", "ilu", "ilut", "block_jacobi"}}},
    {"--most-work", {"4", by_factors, with_factors}},
    {"--most-memory", {"8G", by_factors, with_factors}},
};

/// Judged by rules of their own, in digits_asked_test.cpp and answer_test.cpp, or the choices
/// themselves.
const words of_other_tests{"--method", "--precond", "--digits", "--normwise", "--certify"};

std::string matrix_in(const scratch& folder)
{
    const std::string file = (folder / "a.mtx").string();
    ddla::write_matrix(file, ddla::generate::poisson2d(4, 4));
    return file;
}

/// Whether such a solve refuses the option, and nothing else.
bool refuses(const std::string& a, const arguments& solve, const std::string& option,
             const std::string& value)
{
    arguments line{"solve", a, "--dry-run", option, value};
    line.insert(line.end(), solve.begin(), solve.end());
    const result r = run(line);
    INFO(r.err);
    const std::string refusal = "ddla: " + option + ": has no effect with --method ";
    if (r.exit_status == 0) return false;
    CHECK(r.exit_status == 2);
    CHECK(r.err.rfind(refusal, 0) == 0);
    CHECK(r.err.find("; it is for ") != std::string::npos);
    CHECK(r.out == "");
    return true;
}

std::string dashed(std::string_view name)
{
    std::string text = "--" + std::string(name);
    for (char& c : text)
        if (c == '_') c = '-';
    return text;
}

template <class Options>
void add_names(words& all)
{
    describe(ddla::described<Options>(), [&](const auto& about) {
        if (about.not_in_command.empty())
            all.insert(dashed(about.command.empty() ? about.name : about.command));
    });
}

}  // namespace

TEST_CASE("the table has every described option")
{
    words described, in_table = of_other_tests;
    add_names<ddla::solve_options>(described);
    add_names<ddla::factorisation_options>(described);
    add_names<ddla::preconditioner_options>(described);
    for (const auto& [option, about] : known) in_table.insert(option);
    CHECK(described == in_table);
}

TEST_CASE("an option is refused by the methods in which it has no effect", "[repeats]")
{
    const scratch folder;
    const std::string a = matrix_in(folder);
    for (const auto& [option, about] : known)
        for (const std::string& method : all_methods) {
            INFO(option << " with " << method);
            CHECK(refuses(a, {"--method", method}, option, about.value) ==
                  (about.methods.count(method) == 0));
        }
}

TEST_CASE("an option is refused by the preconditioners in which it has no effect", "[repeats]")
{
    const scratch folder;
    const std::string a = matrix_in(folder);
    for (const auto& [option, about] : known)
        for (const std::string& name : all_preconditioners) {
            const bool is_of_method = about.methods.count("bicgstab") == 1;
            INFO(option << " with " << name);
            CHECK(refuses(a, {"--method", "bicgstab", "--precond", name}, option, about.value) ==
                  (about.preconditioners.count(name) == 0 && !is_of_method));
        }
}

TEST_CASE("options of one polynomial, of corrections, and of --precond auto")
{
    const scratch folder;
    const std::string a = matrix_in(folder);
    const arguments polynomial{"--method", "cg", "--precond", "polynomial", "--polynomial"};
    const auto with = [&](const char* kind) {
        arguments line = polynomial;
        line.emplace_back(kind);
        return line;
    };
    CHECK(refuses(a, with("neumann"), "--eigenvalue-ratio", "3"));
    CHECK_FALSE(refuses(a, with("chebyshev"), "--eigenvalue-ratio", "3"));
    // Corrections by iterations factor nothing, and refinement with lu is by factors.
    CHECK_FALSE(refuses(a, {"--method", "refine", "--precond", "ilut"}, "--drop", "0.1"));
    CHECK(refuses(a, {"--method", "refine", "--precond", "jacobi"}, "--ordering", "amd"));
    CHECK_FALSE(refuses(a, {"--method", "refine", "--precond", "lu"}, "--ordering", "amd"));
    CHECK_FALSE(refuses(a, {"--method", "bicgstab", "--precond", "auto"}, "--fill", "1"));
    CHECK(refuses(a, {"--method", "cg", "--precond", "auto"}, "--fill", "1"));  // which is ic
    // Automatic solves choose their preconditioners themselves.
    for (const char* const name : {"none", "ilu", "lu"})
        CHECK(refuses(a, {"--method", "auto"}, "--precond", name));
    CHECK_FALSE(refuses(a, {"--method", "auto"}, "--precond", "auto"));
}

TEST_CASE("options of the command alone that would do nothing are refused")
{
    const scratch folder;
    const std::string a = matrix_in(folder);
    const result format = run({"solve", a, "--method", "refine", "--format", "csr"});
    CHECK(format.exit_status == 2);
    CHECK(format.err == "ddla: --format: has no effect with --method refine and --precond none, "
                        "which multiplies by A in no format\n");
    CHECK(run({"solve", a, "--method", "refine", "--precond", "ilu", "--format", "csr"})
              .exit_status == 0);
    const result values = run({"solve", a, "--rhs-values", "dd"});
    CHECK(values.exit_status == 2);
    CHECK(values.err == "ddla: --rhs-values: has no effect without a file of --rhs\n");
}

TEST_CASE("a refusal says in one sentence where the option has an effect")
{
    const scratch folder;
    const std::string a = matrix_in(folder);
    CHECK(run({"solve", a, "--method", "cg", "--restart", "3"}).err ==
          "ddla: --restart: has no effect with --method cg and --precond none; it is for --method "
          "gmres and --method auto\n");
    CHECK(run({"solve", a, "--drop", "0.1"}).err ==
          "ddla: --drop: has no effect with --method auto; it is for --precond ilut\n");
}
