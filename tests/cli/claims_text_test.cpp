// What texts and JSON say of reports made by hand: claims, zeros, components without a claim.
#include "catch.hpp"
#include "support/json.hpp"

#include "cli/report/answer_text.hpp"
#include "cli/report/next_try.hpp"
#include "cli/report/solve_sentence.hpp"

#include <cmath>
#include <cstring>
#include <sstream>

using namespace ddla;
using namespace ddla::cli;
using nlohmann::json;

namespace {

/// Of a solve with factors in double-double.
solve_results of(solve_report report, bool is_complex = false)
{
    solve_results all;
    all.matrix = {.rows = 40, .columns = 40, .nonzeros = 100, .is_complex = is_complex};
    all.solves.push_back({precision_of<dd_real>, {}, std::move(report)});
    return all;
}

/// The digits of the largest component are known, those of three others are not.
solve_report partly_known()
{
    solve_report r;
    r.status = solve_status::stagnated;
    r.goal = solve_goal::digits;
    r.true_relative_residual = 1e-30;
    r.errors.normwise = 6e-32;
    r.errors.componentwise = 1;
    r.errors.trusted = true;
    r.normwise_digits = 31.2;
    r.errors.unsettled = {3, 16, "it is too small for a double"};
    return r;
}

json solve_of(const solve_results& all)
{
    reported_solve s;
    s.report = all.solves.front().report;
    return json::parse(report_json(all.matrix, {s}))["solves"][0];
}

/// With --verbose.
solve_request whole()
{
    solve_request r;
    r.verbose = true;
    return r;
}

bool has(const std::string& text, const std::string& part)
{
    INFO(text);
    return text.find(part) != std::string::npos;
}

}  // namespace

TEST_CASE("digits of the largest component are told where others have none")
{
    const solve_results all = of(partly_known());
    const std::string text = solve_table({}, all);
    CHECK(has(text, "digits right (est.)       -; 31.2 normwise\n"));
    CHECK(has(text, "has 31 digits of the largest component right, as estimated, but\n"
                    "cannot be sure of every component; its residual is 1.0e-30."));
    CHECK(has(text, "No claim is made of 3 components, the first is 17: it is too small for a "
                    "double.\n"));
    const json solve = solve_of(all);
    CHECK(solve["digits"].is_null());
    CHECK(solve["normwise_digits"] == 31.2);
    CHECK(solve["unsettled"] ==
          json({{"count", 3}, {"first", 17}, {"why", "it is too small for a double"}}));
}

TEST_CASE("a component without a claim is named as in a complex system")
{
    solve_report r = partly_known();
    CHECK(has(solve_table({}, of(r, true)), "the first is 9 re: it"));
    r.errors.unsettled = {1, 17, ""};
    const solve_results all = of(r, true);
    CHECK(has(solve_table({}, all), "No claim is made of component 9 im.\n"));
    const json solve = solve_of(all);
    CHECK(solve["unsettled"]["first"] == 9);
    CHECK(solve["unsettled"]["part"] == "imaginary");
    CHECK(solve["unsettled"]["why"].is_null());
}

TEST_CASE("of several right-hand sides, too, the digits of the largest component are told")
{
    solve_results all = of(partly_known());
    solve_report right = partly_known();
    right.status = solve_status::converged;
    right.digits = 30.5;
    all.solves.front().columns = {partly_known(), right};
    const std::string text = solve_table({}, all);
    CHECK(has(text, "   31.2*  "));
    CHECK(has(text, "    30.5  "));
    CHECK(has(text, "  * of the largest component\n"));
    all.solves.front().columns = {right, right};
    CHECK_FALSE(has(solve_table({}, all), "* of the largest component"));
}

TEST_CASE("zeros are counted, the proved ones apart")
{
    solve_report r = partly_known();
    r.errors.unsettled = {};
    CHECK_FALSE(has(solve_table({}, of(r)), "Zeros"));
    CHECK_FALSE(has(solve_table({}, of(r)), "No claim"));
    CHECK(solve_of(of(r))["unsettled"].is_null());
    r.errors.certain_zeros = 3;
    CHECK(has(solve_table({}, of(r)), "\nZeros: 3 almost certain.\n"));
    r.errors.proved_zeros = 12;
    CHECK(has(solve_table({}, of(r)), "\nZeros: 12 proved, 3 almost certain.\n"));
    const json solve = solve_of(of(r));
    CHECK(solve["proved_zeros"] == 12);
    CHECK(solve["certain_zeros"] == 3);
}

TEST_CASE("digits that are proved are not called estimates")
{
    solve_report r = partly_known();
    r.status = solve_status::converged;
    r.errors.unsettled = {};
    r.digits = 30.9;
    CHECK(has(solve_table({}, of(r)), "has 30 digits right, as estimated, and residual 1.0e-30."));
    CHECK(solve_of(of(r))["digits_proved"] == false);
    r.digits_proved = true;
    const std::string text = solve_table({}, of(r));
    CHECK(has(text, "  digits right                  30.9, proved\n"));
    CHECK(has(text, "has 30 digits right, proved, and residual 1.0e-30."));
    CHECK_FALSE(has(text, "(est.)"));
    CHECK(solve_of(of(r))["digits_proved"] == true);
    // Beside a solve whose digits are estimated.
    solve_results both = of(r);
    r.digits_proved = false;
    both.solves.push_back(both.solves.front());
    both.solves.back().report = r;
    CHECK(has(solve_table({}, both), "  digits right (est.)" + std::string(11, ' ') +
                                         "30.9, proved" + std::string(16, ' ') + "30.9\n"));
}

TEST_CASE("what is not known is no number")
{
    solve_report r = partly_known();
    r.errors.condition = {0, true};
    r.errors.condition_1 = {HUGE_VAL, false};
    r.errors.componentwise_backward_error = NAN;
    r.errors.componentwise = HUGE_VAL;
    r.rank = rank_report{.value = 40, .proved = true};
    const std::string text = solve_table(whole(), of(r));
    for (const char* label : {"condition (Skeel)  ", "condition (kappa_1)", "backward error     ",
                              "error, each component"})
        CHECK(has(text,
                  std::string(label) + std::string(41 - std::string(label).size(), ' ') + "-\n"));
    CHECK_FALSE(has(text, "nan"));
    CHECK_FALSE(has(text, "inf"));
    const json solve = solve_of(of(r));
    for (const char* field : {"condition", "condition_1", "componentwise_backward_error"})
        CHECK(solve[field].is_null());
    r.errors.condition = {1e20, true};
    CHECK(has(solve_table(whole(), of(r)), "> 1.0e+20\n"));
    CHECK(solve_of(of(r))["condition"]["at_least"] == true);
}

namespace {

/// The first words of each line of a table, up to two spaces.
std::vector<std::string> labels_of(const std::string& text)
{
    std::vector<std::string> labels;
    std::istringstream lines(text);
    for (std::string line; std::getline(lines, line);)
        if (line.size() > 2 && line.compare(0, 2, "  ") == 0 && line[2] != ' ')
            labels.push_back(line.substr(2, line.find("  ", 2) - 2));
    return labels;
}

}  // namespace

TEST_CASE("a report says first what a person needs, and all with --verbose")
{
    solve_report r = partly_known();
    r.status = solve_status::converged;
    r.digits = 30.9;
    r.errors.data_digits = 12.5;
    r.plan.push_back({.name = "factor in double"});
    using labels = std::vector<std::string>;
    CHECK(labels_of(solve_table({}, of(r))) ==
          labels{"status", "digits right (est.)", "trusted", "digits in the data", "time"});
    const std::string all = solve_table(whole(), of(r));
    CHECK(labels_of(all).size() == 19);
    CHECK(has(all, "solution hash"));
    CHECK(has(all, "Plan, double-double:\n  factor in double"));
    CHECK_FALSE(has(solve_table({}, of(r)), "Plan"));
    // Digits of which nothing is known, and which were not the goal.
    solve_report many = r;
    many.goal = solve_goal::residual;
    many.digits = many.normwise_digits = {};
    CHECK(labels_of(solve_table({}, of(many))) == labels{"status", "residual, true", "time"});
    many.goal = solve_goal::digits;
    CHECK(labels_of(solve_table({}, of(many))).size() == 5);
    // What is asked for is told.
    error_bound proved;
    proved.certified = true;
    proved.normwise = 1e-31;
    r.bound = proved;
    CHECK(has(solve_table({}, of(r)), "  proved, normwise"));
    // Two precisions have their names.
    solve_results both = of(r);
    both.solves.push_back(both.solves.front());
    CHECK(has(solve_table({}, both), "  double-double       double-double\n"));
    CHECK_FALSE(has(solve_table({}, of(r)), " double-double\n"));

    solve_report iterated;
    iterated.iterations = 7;
    CHECK(labels_of(solve_table({}, of(iterated))) ==
          labels{"status", "iterations", "residual, true", "time"});
    CHECK(labels_of(solve_table(whole(), of(iterated))).size() == 12);
    CHECK(has(solve_table(whole(), of(iterated)), "\nFormat "));
    CHECK_FALSE(has(solve_table({}, of(iterated)), "\nFormat "));
}

TEST_CASE("digits are trusted, those of the largest component are, or none")
{
    const auto trusted = [](const solve_report& r, const char* cell) {
        return has(solve_table({}, of(r)),
                   "  trusted" + std::string(35 - std::strlen(cell), ' ') + cell + '\n');
    };
    solve_report r = partly_known();
    CHECK(trusted(r, "normwise"));
    r.normwise_digits = {};
    CHECK(trusted(r, "no"));
    r.digits = 30.9;
    CHECK(trusted(r, "yes"));
}

TEST_CASE("the report says how many digits rounded data leave")
{
    solve_report r = partly_known();
    r.status = solve_status::converged;
    r.digits = 30.9;
    const auto note = [&](double digits) {
        r.errors.data_digits = digits;
        return data_note({}, r);
    };
    CHECK(note(3.9) == "If A or b were rounded to double, only the first 3 digits of x mean "
                       "something. Where a file has more digits, --values dd reads them.");
    CHECK(has(note(1.2), "only the first digit of x means something"));
    CHECK(has(note(0.9), "no digit of x means anything"));
    // As many as were asked for, values that were read with more, and an x that is not known.
    CHECK(note(12) == "");
    CHECK(note(11.9) != "");
    solve_request read;
    read.values = precision_of<dd_real>;
    CHECK(data_note(read, r) == "");
    CHECK(has(solve_table({}, of(r)), "rounded to double"));
    r.digits = {};
    CHECK(data_note({}, r) == "");
}

TEST_CASE("a sentence names the shortfall")
{
    solve_report r = partly_known();
    r.digits = 9.7;
    CHECK(solve_sentence({}, of(r)) == "double-double has 9 digits right, as estimated, and 12 "
                                       "were asked for; its residual is 1.0e-30.");
    r.goal = solve_goal::residual;
    CHECK(solve_sentence({}, of(r)) == "double-double has 9 digits right, as estimated, but misses "
                                       "the tolerance; its residual is 1.0e-30.");
}

TEST_CASE("advice of higher limits goes to the usual one, to ten times it, to as good as none")
{
    ddla::cli::solve_request r;
    const auto after = [&](ddla::limit_kind kind) {
        return ddla::cli::next_try_after(r, ddla::limit_error(kind, ""));
    };
    const std::vector<std::pair<double, std::string>> work{
        {1e-12, "4"}, {3.99, "4"}, {4, "40"}, {39, "40"}, {40, "1e+12"}, {1e12, "1e+13"}};
    for (const auto& [now, next] : work) {
        r.factorisation.most_work = now;
        CHECK(after(ddla::limit_kind::work) == "--most-work " + next);
    }
    const std::vector<std::pair<std::int64_t, std::string>> memory{
        {1, "8589934592"}, {std::int64_t{8} << 30, "85899345920"}};
    for (const auto& [now, next] : memory) {
        r.factorisation.most_memory = now;
        CHECK(after(ddla::limit_kind::memory) == "--most-memory " + next);
    }
}

TEST_CASE("advice raises the limit that ended an elimination for the rank, wherever it is")
{
    solve_report r = partly_known();
    r.plan = {{.name = "factor in double"},
              {.name = "rank modulo a prime",
               .passed = limit_kind::memory,
               .limited = limit_subject::rank},
              {.name = "refine"}};
    CHECK(next_try(solve_request(), of(r)) == "--most-memory 85899345920");
    // Factors that were too large before others were made are no limit at the end.
    r.plan[1].limited = limit_subject::factors;
    CHECK(next_try(solve_request(), of(r)).find("--most-") == std::string::npos);
}
