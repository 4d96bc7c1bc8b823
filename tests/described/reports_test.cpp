// Every field of a report of C++ is in JSON and in C, or on a list that says why not.
#include "catch.hpp"
#include "process.hpp"
#include "struct_fields.hpp"
#include "support/json.hpp"

using namespace described_test;
using document = nlohmann::json;

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

/// The keys of described fields in the JSON of this kind ("solves", "products"), of those that
/// stand in this object.
template <class Report>
words keys_of(std::string_view kind = {}, std::string_view within = {})
{
    words all;
    const Report r{};
    describe(
        ddla::described<Report>(),
        [&](const ddla::about::field& field, const auto&) {
            if (field.is_in_json_of(kind) && field.within == within)
                all.emplace_back(field.json_name());
        },
        r);
    return all;
}

std::set<std::string> keys_in(const document& object)
{
    REQUIRE(object.is_object());
    std::set<std::string> all;
    for (const auto& [key, value] : object.items()) all.insert(key);
    return all;
}

ddla::solve_report full_report()
{
    ddla::solve_report r;
    r.bound.emplace();
    r.plan.push_back({"factor", 1.0});
    r.rank.emplace();
    r.ranks.count = 2;
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
                 {"plan", "preconditioner", "errors", "bound", "rank", "ranks", "history",
                  "limited"}) == set_of(fields_of_cpp(solve, "solve_report")));
    CHECK(joined(names_of_fields<ddla::solve_stage>(), {"limited"}) ==
          set_of(fields_of_cpp(solve, "solve_stage")));
    CHECK(set_of(names_of_fields<ddla::ranks_report>()) ==
          set_of(fields_of_cpp(solve, "ranks_report")));
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

TEST_CASE("every field of bounds, formats, matrices and files is described, or is a struct itself")
{
    CHECK(set_of(names_of_fields<ddla::error_bound>()) ==
          set_of(fields_of_cpp("include/ddla/error_estimates.hpp", "error_bound")));
    CHECK(set_of(names_of_fields<ddla::format_report>()) ==
          set_of(fields_of_cpp("include/ddla/sparse_format.hpp", "format_report")));
    CHECK(joined(names_of_fields<ddla::measured_format>(), {"options", "report"}) ==
          set_of(fields_of_cpp("include/ddla/tune.hpp", "measured_format")));
    const std::string info = "include/ddla/matrix_info.hpp";
    CHECK(joined(names_of_fields<ddla::matrix_info>(), {"row_lengths"}) ==
          set_of(fields_of_cpp(info, "matrix_info")));
    CHECK(set_of(names_of_fields<ddla::row_length_bin>()) ==
          set_of(fields_of_cpp(info, "row_length_bin")));
    const std::string reports = "include/ddla/report_json.hpp";
    CHECK(joined(names_of_fields<ddla::reported_matrix>(), {"read"}) ==
          set_of(fields_of_cpp(reports, "reported_matrix")));
    CHECK(joined(names_of_fields<ddla::read_file>(), {"lost"}) ==
          set_of(fields_of_cpp(reports, "read_file")));
    CHECK(set_of(names_of_fields<ddla::read_losses>()) ==
          set_of(fields_of_cpp("include/ddla/read_losses.hpp", "read_losses")));
}

TEST_CASE("bounds, formats, matrices and files have their described keys in JSON, and no others")
{
    ddla::reported_matrix a;
    a.read.emplace_back();
    const document report = document::parse(ddla::report_json(a, {{.report = full_report()}}));
    CHECK(keys_in(report["matrix"]) == set_of(keys_of<ddla::reported_matrix>()));
    CHECK(keys_in(report["read"][0]) ==
          joined(keys_of<ddla::read_file>(), keys_of<ddla::read_losses>()));
    const document& solve = report["solves"][0];
    CHECK(keys_in(solve["format"]) == set_of(keys_of<ddla::format_report>("solves")));
    CHECK(keys_in(solve["error_bound"]) == set_of(keys_of<ddla::error_bound>({}, "error_bound")));
    for (const std::string& key : keys_of<ddla::error_bound>()) CHECK(solve.contains(key));
    CHECK(keys_in(solve["forward_error_estimate"]) ==
          set_of(keys_of<ddla::error_estimates>({}, "forward_error_estimate")));
    // Without a bound its keys are there, and null.
    const document without =
        document::parse(ddla::report_json(a, std::vector<ddla::reported_solve>(1)))["solves"][0];
    for (const char* key : {"certified", "not_certified_because", "error_bound"}) {
        INFO(key);
        REQUIRE(without.contains(key));
        CHECK(without[key].is_null());
    }
}

TEST_CASE("the command's JSON of a matrix and of formats has the described keys, and no others")
{
    const cli_test::scratch folder;
    const std::string a = folder.write(
        "a.mtx", "%%MatrixMarket matrix coordinate real general\n2 2 3\n1 1 4\n1 2 1\n2 2 3\n");
    const document info = document::parse(cli_test::run({"info", a, "--json"}).out);
    CHECK(keys_in(info) ==
          joined(keys_of<ddla::matrix_info>(),
                 {"file", "complex", "underflowed_values", "subnormal_values", "row_lengths"}));
    CHECK(keys_in(info["row_lengths"][0]) == set_of(keys_of<ddla::row_length_bin>()));

    const std::string file = (folder / "r.json").string();
    REQUIRE(cli_test::run({"tune", a, "--seconds", "0", "--report", file}).exit_status == 0);
    const document tuned = document::parse(cli_test::read_file(file));
    CHECK(keys_in(tuned["matrix"]) == set_of(keys_of<ddla::reported_matrix>()));
    words wanted = keys_of<ddla::measured_format>();
    for (const std::string& key : keys_of<ddla::format_report>("products")) wanted.push_back(key);
    int measured = 0;
    for (const document& format : tuned["products"][0]["formats"]) {
        if (!format["refused"].is_null()) continue;
        CHECK(keys_in(format) ==
              joined(wanted, {"seconds_at_copy", "share", "conversion_products"}));
        ++measured;
    }
    CHECK(measured > 0);
}

TEST_CASE("every field of a report is in JSON")
{
    const ddla::solve_report r = full_report();
    const std::string json = ddla::report_json(ddla::reported_matrix(), {{.report = r}});
    check_keys<ddla::solve_report>(json);
    check_keys<ddla::solve_stage>(json);
    check_keys<ddla::rank_report>(json);
    check_keys<ddla::ranks_report>(json);
    check_keys<ddla::error_estimates>(json);
    check_keys<ddla::build_report>(json);
    ddla::reported_check checked;
    checked.found.normal_residual = 0.5;
    const std::string check = ddla::report_json(ddla::reported_matrix(), checked);
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
    has_all(names_of_fields<ddla::ranks_report>(), "ddla_traffic");
}

TEST_CASE("every field of a matrix and of a format is in C, those of a bound by their names there")
{
    CHECK(joined(names_of_fields<ddla::matrix_info>(), {"size"}) ==
          set_of(fields_of_c("ddla_matrix_info")));
    CHECK(joined(names_of_fields<ddla::format_report>(), {"size"}) ==
          set_of(fields_of_c("ddla_format_report")));
    // bound_normwise beside the estimates; the other names of a bound are those of JSON.
    const ddla::error_bound bound;
    for (const char* summary : {"ddla_solve_summary", "ddla_check_summary"}) {
        const std::set<std::string> there = set_of(fields_of_c(summary));
        describe(
            ddla::described<ddla::error_bound>(),
            [&](const ddla::about::field& field, const auto&) {
                const bool is_bound = field.name == "normwise" || field.name == "componentwise";
                const std::string name =
                    (is_bound ? "bound_" : "") + std::string(field.json_name());
                INFO(summary << "." << name);
                CHECK(there.count(name) == 1);
            },
            bound);
    }
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
