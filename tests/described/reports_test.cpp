// Every field of a report of C++ is in JSON and in C, or on a list that says why not.
#include "catch.hpp"
#include "struct_fields.hpp"

using namespace described_test;

namespace {

/// Whether a name of JSON is in a text.
bool has_key(const std::string& json, std::string_view key)
{
    return json.find("\"" + std::string(key) + "\": ") != std::string::npos;
}

/// The keys of all described fields.
template <class Report>
void check_keys(const std::string& json)
{
    const Report r;
    describe(
        ddla::described<Report>(),
        [&](const ddla::about::field& field, const auto&) {
            INFO(field.name);
            CHECK(has_key(json, field.json_name()));
        },
        r);
}

ddla::solve_report full_report()
{
    ddla::solve_report r;
    r.plan.push_back({"factor", 1.0});
    r.rank.emplace();
    r.preconditioner.emplace();
    r.normal_residual = 0.5;
    return r;
}

}  // namespace

TEST_CASE("every field of the reports of C++ is described, or is a report itself")
{
    // `limited` says for a program what `limit`, `passed` or `why` is about.
    const std::string solve = "include/ddla/solve.hpp";
    CHECK(joined(names_of_fields<ddla::solve_report>(),
                 {"plan", "preconditioner", "errors", "bound", "rank", "history", "limited"}) ==
          set_of(fields_of_cpp(solve, "solve_report")));
    CHECK(joined(names_of_fields<ddla::solve_stage>(), {"limited"}) ==
          set_of(fields_of_cpp(solve, "solve_stage")));
    CHECK(set_of(names_of_fields<ddla::rank_report>()) ==
          set_of(fields_of_cpp(solve, "rank_report")));
    CHECK(set_of(names_of_fields<ddla::error_estimates>()) ==
          set_of(fields_of_cpp("include/ddla/error_estimates.hpp", "error_estimates")));
    CHECK(set_of(names_of_fields<ddla::build_report>()) ==
          set_of(fields_of_cpp("include/ddla/preconditioner.hpp", "build_report")));
    CHECK(set_of(names_of_fields<ddla::factorisation_report>()) ==
          set_of(fields_of_cpp("include/ddla/factorisation.hpp", "factorisation_report")));
    CHECK(joined(names_of_fields<ddla::solution_check>(),
                 {"why", "histogram", "worst_five", "errors", "bound", "rank", "plan",
                  "limited"}) == set_of(fields_of_cpp("include/ddla/check.hpp", "solution_check")));
}

TEST_CASE("every field of a report is in JSON")
{
    const ddla::solve_report r = full_report();
    const std::string json = ddla::report_json(ddla::reported_matrix(), {{.report = r}});
    check_keys<ddla::solve_report>(json);
    check_keys<ddla::solve_stage>(json);
    check_keys<ddla::rank_report>(json);
    check_keys<ddla::error_estimates>(json);
    check_keys<ddla::build_report>(json);
    const std::string check = ddla::report_json(
        ddla::reported_matrix(), ddla::reported_check{.found = {.normal_residual = 0.5}});
    check_keys<ddla::solution_check>(check);
    check_keys<ddla::error_estimates>(check);
}

TEST_CASE("every field of a report is in C")
{
    CHECK(joined(names_of_fields<ddla::solve_stage>(), {"size", "reserved"}) ==
          set_of(fields_of_c("ddla_stage")));
    CHECK(joined(names_of_fields<ddla::build_report>(), {"size"}) ==
          set_of(fields_of_c("ddla_build_report")));
    CHECK(joined(names_of_fields<ddla::factorisation_report>(), {"size", "reserved"}) ==
          set_of(fields_of_c("ddla_factor_report")));
    const auto has_all = [](const words& wanted, const char* name) {
        const std::set<std::string> there = set_of(fields_of_c(name));
        for (const std::string& field : wanted) {
            INFO(name << "." << field);
            CHECK(there.count(field) == 1);
        }
    };
    has_all(names_of_fields<ddla::solve_report>(), "ddla_solve_summary");
    has_all(names_of_fields<ddla::solution_check>(), "ddla_check_summary");
    has_all(names_of_fields<ddla::error_estimates>(), "ddla_error_estimates");
    has_all(names_of_fields<ddla::rank_report>(), "ddla_rank");
}

TEST_CASE("every field of a planned stage is in JSON, in C and in Fortran")
{
    const words names = names_of_fields<ddla::planned_stage>();
    CHECK(set_of(names) == set_of(fields_of_cpp("include/ddla/plan.hpp", "planned_stage")));
    const std::string json =
        ddla::plan_json({}, ddla::method::automatic, "none", {{{ddla::planned_stage{}}, "dd"}});
    check_keys<ddla::planned_stage>(json);
    const words only_in_c{"size", "reserved", "work_is_at_most", "bytes_are_at_most"};
    CHECK(joined(names, only_in_c) == set_of(fields_of_c("ddla_planned_stage")));
    CHECK(fields_of_fortran("bindings/fortran/ddla.f90", "planned_stage") ==
          fields_of_c("ddla_planned_stage"));
}

TEST_CASE("the summary of Fortran is that of C")
{
    words of_c = fields_of_c("ddla_solve_summary");
    for (std::string& name : of_c)
        if (name == "where") name = "place";  // a word of Fortran
    CHECK(fields_of_fortran("bindings/fortran/ddla.f90", "solve_summary") == of_c);
}
