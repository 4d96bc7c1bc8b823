#include "set.hpp"

#include "record.hpp"
#include "rival_bench.hpp"

#include "support/built_ahead.hpp"
#include "support/copy_time.hpp"

#include "ddla/error.hpp"
#include "ddla/sparse_format.hpp"

#include <chrono>
#include <cmath>

namespace bench {

using namespace ddla;

namespace {

using clock = std::chrono::steady_clock;

constexpr int iterations_of_rivals = 64, solves_of_ddla = 2;

struct set_bench {
    bench::agreements agreements{};
    rival_bench rivals{agreements};
    copy_time copy{};
    right_hand_side<double> numbers{};
};

struct system_there {
    csr_matrix<double> a;
    vector<double> b;
    vector<dd_real> b_dd;

    linear_system view() const { return {a, b, b_dd}; }
};

double seconds_since(clock::time_point begin)
{
    return std::chrono::duration<double>(clock::now() - begin).count();
}

system_there to_device(set_bench& s, const csr_matrix<double>& matrix)
{
    system_there all{matrix.to(there), vector<double>(matrix.rows(), there), {}};
    copy_bytes(all.b.view().word(0), there, s.numbers(matrix.rows()).word(0), there,
               static_cast<std::size_t>(matrix.rows()) * sizeof(double));
    all.b_dd = widened(all.b);
    return all;
}

/// With which both precisions do full work; 0 and why not, in the other member.
interval_choice common_interval(const linear_system& s)
{
    const interval_choice one =
        longest_interval<double>(s, method::bicgstab, intervals[0], INFINITY);
    if (one.interval == 0) return {0, "double: " + one.limited_by};
    interval_choice both = longest_interval<dd_real>(s, method::bicgstab, one.interval, INFINITY);
    if (both.interval == 0 || !both.limited_by.empty())
        both.limited_by = "double-double: " + both.limited_by;
    else if (!one.limited_by.empty())
        both.limited_by = "double: " + one.limited_by;
    return both;
}

template <scalar T>
json time_of_ddla(const set_bench& s, const linear_system& p, int interval)
{
    const iteration_time t = time_of_iteration<T>(p, method::bicgstab, interval, solves_of_ddla, 0);
    return record_of(t, s.copy.speed());
}

void print(const json& r)
{
    const auto us = [&](const char* who) { return r[who]["microseconds"].get<double>(); };
    const double a = us("textbook"), best = std::min(a, us("graph")), mine = us("double"),
                 mine_dd = us("double-double");
    std::printf("%-27s %9ld %9ld | %9.1f %9.1f | %9.1f %5.2f %5.2f | %9.1f %5.2f %5.2f %5.2f\n",
                r["name"].get<std::string>().c_str(), r["rows"].get<long>(),
                r["entries"].get<long>(), a, us("graph"), mine, mine / best,
                r["double"]["share"].get<double>(), mine_dd, mine_dd / a, mine_dd / best,
                r["double-double"]["share"].get<double>());
}

json skipped(json record, const std::string& why)
{
    std::printf("%-27s not measured: %s\n", record["name"].get<std::string>().c_str(), why.c_str());
    record["skipped"] = why;
    return record;
}

json measure(set_bench& s, const matrix_case& what, const built_matrix& built)
{
    const matrix_shape& shape = built.shape;
    json record = {{"name", what.name},  {"kind", what.kind},        {"note", what.note},
                   {"rows", shape.rows}, {"columns", shape.columns}, {"entries", shape.entries}};
    if (shape.rows != shape.columns)
        return skipped(std::move(record), std::to_string(shape.rows) + " x " +
                                              std::to_string(shape.columns) + ", not square");
    system_there p = to_device(s, built.matrix);
    const auto name_of = [](const format_report& r) { return std::string(to_string(r.format)); };
    record["stored_as_dd"] = name_of(set_format<dd_real>(p.a));
    const interval_choice found = common_interval(p.view());
    if (found.interval == 0) return skipped(std::move(record), found.limited_by);
    record["interval"] = found.interval;
    if (!found.limited_by.empty()) record["limited_by"] = found.limited_by;
    record["double-double"] = time_of_ddla<dd_real>(s, p.view(), found.interval);
    record["stored_as"] = name_of(set_format<double>(p.a));
    record["double"] = time_of_ddla<double>(s, p.view(), found.interval);
    record.update(s.rivals.time(what.name, p.view(), iterations_of_rivals));
    print(record);
    return record;
}

json measure_next(set_bench& s, built_ahead& ahead)
{
    const matrix_case what = ahead.front();
    const auto begin = clock::now();
    try {
        const built_matrix built = ahead.pop();
        const double waited = seconds_since(begin);
        json record = measure(s, what, built);
        record["seconds"] = {{"all", seconds_since(begin)}, {"waiting_for_the_matrix", waited}};
        return record;
    } catch (const std::exception& e) {
        s.agreements.require(false, what.name + ": " + e.what());
        return {{"name", what.name}, {"kind", what.kind}, {"failed", e.what()}};
    }
}

void print_heading(const json& results)
{
    std::printf("ddla on %s, a copy at %.0f GB/s\n"
                "BiCGStab, microseconds an iteration; (a) cuBLAS + cuSPARSE as in a textbook, (b) "
                "the same in a CUDA graph without waits, both in double;\n"
                "ddla's time / that of (a), of the faster of both; share of the limit by bytes\n"
                "%-27s %9s %9s | %9s %9s | %9s %5s %5s | %9s %5s %5s %5s\n",
                results["device"]["name"].get<std::string>().c_str(),
                results["copy"]["gigabytes_per_second"].get<double>(), "", "rows", "entries", "(a)",
                "(b)", "double", "/best", "share", "DD", "/(a)", "/best", "share");
}

}  // namespace

int measure_set(const set_options& o)
{
    const auto begin = clock::now();
    built_ahead ahead(o.matrices.cases(), builders());
    set_bench s;
    s.copy = time_copy(s.rivals.stream());
    json results = environment(s.rivals.libraries());
    results["quick"] = o.matrices.quick;
    results["copy"] = record_of(s.copy);
    results["rival_iterations"] = iterations_of_rivals;
    results["matrices"] = json::array();
    write_results(o.json_file, results);  // or fail at once
    print_heading(results);
    while (!ahead.empty()) {
        results["matrices"].push_back(measure_next(s, ahead));
        results["seconds"] = seconds_since(begin);
        write_results(o.json_file, results);  // a run that is cut short leaves what it has
    }
    std::printf("%zu matrices in %.0f s\n", results["matrices"].size(), seconds_since(begin));
    if (s.agreements.failures() == 0) return 0;
    std::printf("%d disagreements or failures\n", s.agreements.failures());
    return 1;
}

}  // namespace bench
