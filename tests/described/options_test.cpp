// Every option of C++ is in C, in Fortran, in the command, its help and its manual page, or on a
// list that says why not.
#include "catch.hpp"
#include "process.hpp"
#include "struct_fields.hpp"
#include "support/patterns.hpp"

#include <algorithm>

using namespace described_test;

namespace {

const char* const fortran = "bindings/fortran/ddla_solve.inc";

/// Fields that have no description: structs have their own, and functions no common form.
const words undescribed_of_solves{"factorisation", "preconditioner", "place_of_iterations",
                                  "place_of_factors", "watch"};

words names(const std::vector<described_option>& all)
{
    words found;
    for (const described_option& o : all) found.push_back(o.name);
    return found;
}

/// Of a solve: its own, those of factors, those of preconditioners.
std::vector<described_option> all_of_a_solve()
{
    std::vector<described_option> all = options_of<ddla::solve_options>();
    for (const auto& part :
         {options_of<ddla::factorisation_options>(), options_of<ddla::preconditioner_options>()})
        all.insert(all.end(), part.begin(), part.end());
    return all;
}

std::string in_one_line(const std::string& text)
{
    return test::replaced(text, "\\s+", " ");
}

/// The item of an option in the help, in one line.
std::string item_of_help(const std::string& help, const std::string& option)
{
    const std::size_t begin = help.find("\n  " + option + " ");
    if (begin == std::string::npos) return "";
    const std::size_t end = std::min(help.find("\n  --", begin + 1), help.find("\n\n", begin + 1));
    return in_one_line(help.substr(begin, end - begin));
}

}  // namespace

TEST_CASE("every field of the options of C++ is described, or needs no description")
{
    CHECK(joined(names(options_of<ddla::solve_options>()), undescribed_of_solves) ==
          set_of(fields_of_cpp("include/ddla/solve_options.hpp", "solve_options")));
    CHECK(set_of(names(options_of<ddla::factorisation_options>())) ==
          set_of(fields_of_cpp("include/ddla/factorisation.hpp", "factorisation_options")));
    CHECK(
        set_of(names(options_of<ddla::preconditioner_options>())) ==
        set_of(fields_of_cpp("include/ddla/preconditioner_options.hpp", "preconditioner_options")));
    CHECK(joined(names(options_of<ddla::check_options>()), {"factorisation", "watch"}) ==
          set_of(fields_of_cpp("include/ddla/check.hpp", "check_options")));
}

TEST_CASE("every option of C++ is in C")
{
    CHECK(joined(names(options_of<ddla::solve_options>()),
                 {"size", "factorisation", "preconditioner", "watch", "watch_data", "reserved",
                  "iterations_on"}) ==  // the place_of_iterations of C
          set_of(fields_of_c("ddla_solve_options")));
    CHECK(joined(names(options_of<ddla::factorisation_options>()), {"size"}) ==
          set_of(fields_of_c("ddla_factor_options")));
    CHECK(joined(names(options_of<ddla::preconditioner_options>()), {"size", "blocks_length"}) ==
          set_of(fields_of_c("ddla_preconditioner_options")));
    CHECK(joined(names(options_of<ddla::check_options>()),
                 {"size", "factorisation", "watch", "watch_data", "reserved"}) ==
          set_of(fields_of_c("ddla_check_options")));
}

TEST_CASE("every option of C++ and of C is in Fortran")
{
    words wanted{"a", "b", "x", "info", "stat", "errmsg", "watch", "iterations_on"};
    for (const described_option& o : all_of_a_solve()) {
        CHECK(o.not_in_fortran.empty());
        wanted.push_back(o.name);
    }
    CHECK(set_of(wanted) == set_of(arguments_of_fortran(fortran, "ddla_solve")));
    wanted.erase(std::find(wanted.begin(), wanted.end(), "info"));
    CHECK(joined(wanted, {"stages", "json"}) ==
          set_of(arguments_of_fortran(fortran, "ddla_plan_solve")));
    const std::string text = source(fortran);
    for (const described_option& o : all_of_a_solve()) {
        INFO(o.name);
        CHECK(text.find("if (present(" + o.name + ")) ") != std::string::npos);
    }
    // Fields of C that are not arguments of their own: sizes, data of functions, structs.
    const words others{"size",     "factorisation", "preconditioner",
                       "reserved", "watch_data",    "blocks_length"};
    for (const char* const name :
         {"ddla_solve_options", "ddla_factor_options", "ddla_preconditioner_options"})
        for (const std::string& field : fields_of_c(name)) {
            INFO(field);
            CHECK((std::count(wanted.begin(), wanted.end(), field) >= 1 ||
                   std::count(others.begin(), others.end(), field) == 1));
        }
    CHECK(fields_of_fortran(fortran, "solve_options") == fields_of_c("ddla_solve_options"));
    CHECK(fields_of_fortran(fortran, "factor_options") == fields_of_c("ddla_factor_options"));
    CHECK(fields_of_fortran(fortran, "preconditioner_options") ==
          fields_of_c("ddla_preconditioner_options"));
}

TEST_CASE("every option of C++ is in the command, with its help and default, or says why not")
{
    const std::string solve = cli_test::run({"solve", "--help"}).out;
    const std::string check = cli_test::run({"check", "--help"}).out;
    const auto look = [](const std::string& help, const described_option& o) {
        INFO(o.name << ": " << o.not_in_command);
        const std::string item = item_of_help(help, o.in_command);
        CHECK(item.empty() == !o.not_in_command.empty());
        if (item.empty()) return;
        const std::string sentence = o.help.substr(0, o.help.find("{}"));
        CHECK(item.find(in_one_line(sentence)) != std::string::npos);
        if (!o.preset.empty() && o.preset != "0")
            CHECK(item.find("(" + in_one_line(o.preset) + ")") != std::string::npos);
    };
    for (const described_option& o : options_of<ddla::solve_options>()) look(solve, o);
    for (const described_option& o : options_of<ddla::factorisation_options>()) {
        look(solve, o);
        look(check, o);
    }
    for (const described_option& o : options_of<ddla::preconditioner_options>())
        if (o.not_in_command.empty()) look(solve, o);
    for (const described_option& o : options_of<ddla::check_options>()) look(check, o);
}

TEST_CASE("the manual page has an item for every option of a solve, with its default")
{
    const std::string manual = cli_test::read_file(DDLA_MANUAL);
    const std::size_t begin = manual.find(".Ss solve\n"), end = manual.find(".Ss check\n");
    const std::string solve = manual.substr(begin, end - begin);
    for (const described_option& o : all_of_a_solve()) {
        if (!o.not_in_command.empty()) continue;
        INFO(o.in_command);
        const std::size_t item = solve.find("\n.It Fl " + o.in_command.substr(1));
        REQUIRE(item != std::string::npos);
        const std::string text = solve.substr(item, solve.find("\n.It ", item + 1) - item);
        const std::string preset = o.preset.substr(0, o.preset.find(';'));
        // Numbers: words of names are in the first line in any case.
        if (test::is_match(preset, "[0-9.e-]+"))
            CHECK(test::has_match(text, "[ \n(]" + preset + "[ .,;\n)]"));
    }
}

TEST_CASE("defaults in words are those of the library")
{
    for (const described_option& o : options_of<ddla::solve_options>()) {
        if (o.name == "digits") CHECK(o.preset == std::to_string(ddla::usual_digits));
        if (o.name == "tolerance")
            CHECK(o.preset.starts_with(plain_number(ddla::usual_tolerance) + ";"));
    }
}
