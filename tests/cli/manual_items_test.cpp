// Options that the prose of the manual page leaves out come from the definition of the command.
#include "catch.hpp"

#include "cli/shell/manual.hpp"

#include "ddla/error.hpp"

using namespace ddla::cli;

namespace {

completed_command program_with(const std::vector<completed_option>& options)
{
    return {"p", "", {}, {}, {{"solve", "", options, {}, {}}}};
}

const std::string page = ".It Fl -known Ar N\nProse.\n.\\\" further options of solve\n.El\n";

}  // namespace

TEST_CASE("options without prose get an item with their help, where the page says")
{
    const auto program =
        program_with({{{"--known"}, true, {}, "N", "of no interest"},
                      {{"-q", "--know"}, false, {}, "", "First.  Second (1)"},
                      {{"--way"}, true, {{"a", "b"}, false}, "a|b", "Which \\ way"},
                      {{"--size"}, true, {}, "N", ".5 or more"}});
    CHECK(completed_manual(page, program) == ".It Fl -known Ar N\nProse.\n"
                                             ".It Fl -know\nFirst.\nSecond (1).\n"
                                             ".It Fl -way Cm a Ns | Ns Cm b\nWhich \\e way.\n"
                                             ".It Fl -size Ar N\n\\&.5 or more.\n"
                                             ".\\\" further options of solve\n.El\n");
}

TEST_CASE("values without an item get one, where the page says")
{
    const std::string list = ".Bl\n.It Cm cg\nProse.\n.\\\" further methods\n.El\n";
    const described_values two{".\\\" further methods",
                               {{"cg", "of no interest"}, {"cr", "CR, new"}}};
    CHECK(with_values(list, two) ==
          ".Bl\n.It Cm cg\nProse.\n.It Cm cr\nCR, new\n.\\\" further methods\n.El\n");
    CHECK(with_values("\n.It Cm cg\n", {"no place", {{"cg", ""}}}) == "\n.It Cm cg\n");
    CHECK_THROWS_AS(with_values("no place", two), ddla::internal_error);
}

TEST_CASE("a page that names all options stays as it is; one without a place is refused")
{
    CHECK(completed_manual(page, program_with({{{"--known"}, true, {}, "N", ""}})) == page);
    CHECK_THROWS_AS(
        completed_manual("no place", program_with({{{"--known"}, true, {}, "N", "help"}})),
        ddla::internal_error);
}
