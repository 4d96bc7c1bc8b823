// Hard systems by ddla and by other programs: is it solved, and how many digits of x are right?
//
//     bench_hard --json FILE [--answers FOLDER] [--matrices FOLDER] [--limit SECONDS]
//                [--only METHODS] [--rhs NAMES] [--matrix NAMES] [--external NAME=COMMAND]…
//                [--share K/N]
//
// Each solve is a process of its own.  FILE keeps what it has: a second call does what is missing,
// so the methods can be run in parts.  README.md says what is measured.
#include "child.hpp"
#include "systems.hpp"

#include "ddla/ddla.hpp"
#include "ddla/host_threads.hpp"
#include "support/machine.hpp"
#include "support/program.hpp"

#include <cmath>
#include <cstdio>
#include <filesystem>
#include <fstream>
#include <set>

namespace hard {
namespace {

using bench::json;
namespace fs = std::filesystem;

struct settings {
    std::string json_file;
    fs::path answers, matrices;
    std::vector<std::string> only, rhs, matrix, external;
    std::string share_of_shares = "1/1";
    limits most;
    double most_gigabytes = 4;
    bool factorisations = true;
    std::size_t share = 0, shares = 1;  ///< matrices share, share + shares, …
};

/// K of N, from 1.
void read_share(settings& to)
{
    const std::string& text = to.share_of_shares;
    char rest = 0;
    const int got = std::sscanf(text.c_str(), "%zu/%zu%c", &to.share, &to.shares, &rest);
    if (got != 2 || to.share < 1 || to.share > to.shares)
        throw bench::usage_error("--share wants K/N with 1 <= K <= N, not " + text);
    --to.share;
}

void add_options(CLI::App& app, settings& s)
{
    app.add_option("--json", s.json_file, "Results; those that it has are kept")->required();
    app.add_option("--answers", s.answers, "Folder of reference answers");
    app.add_option("--matrices", s.matrices, "Folder of NAME.mtx and NAME.mtx.gz");
    app.add_option("--limit", s.most.seconds, "Seconds of the processor for a solve");
    app.add_option("--hang", s.most.wall_seconds, "Seconds by the clock for a solve");
    app.add_option("--gigabytes", s.most_gigabytes, "Memory for a solve");
    app.add_option("--only", s.only, "Methods")->delimiter(',');
    app.add_option("--rhs", s.rhs, "Right-hand sides: ones, random, unit, large")->delimiter(',');
    app.add_option("--matrix", s.matrix, "Matrices")->delimiter(',');
    app.add_option("--external", s.external, "NAME=COMMAND of another program");
    app.add_option("--share", s.share_of_shares, "K/N: every N-th matrix, from number K on");
    app.add_flag("!--no-factorisations", s.factorisations,
                 "Leave out factorisations by themselves");
}

bool wanted(const std::vector<std::string>& names, const std::string& name)
{
    return names.empty() || std::find(names.begin(), names.end(), name) != names.end();
}

/// null for what is not known; JSON has no infinity.
json number(double x, bool known = true)
{
    if (!known || std::isnan(x)) return nullptr;
    return std::isinf(x) ? json(1e308) : json(x);
}

/// -log10 of a relative error, from 0 to 32.
double digits(double error)
{
    if (!(error < 1)) return 0;
    return error < 1e-32 ? 32 : -std::log10(error);
}

bool all_finite(const ddla::vector<ddla::dd_real>& x)
{
    for (ddla::index_t i = 0; i < x.size(); ++i)
        if (!std::isfinite(x[i].hi) || !std::isfinite(x[i].lo)) return false;
    return true;
}

/// Of the x that was returned: its true residual, and right digits where there is an answer.
void judge(const hard_system& s, const ddla::vector<ddla::dd_real>& x, json& record)
{
    if (!all_finite(x)) {
        record["status"] = record["status"].get<std::string>() + ", x not finite";
        return;
    }
    ddla::vector<ddla::dd_real> b(x.size());
    for (ddla::index_t i = 0; i < b.size(); ++i) b.set(i, ddla::dd_real(s.b[i]));
    record["true_relative_residual"] = number(true_residual(s.a, x, b).relative);
    if (!s.answer) return;
    const std::vector<double> right =
        s.answer->b.empty() ? reference::right_hand_side(s.rhs, s.a.rows()) : s.answer->b;
    const reference::errors e =
        reference::errors_of(s.a, right, reference::solution_of(*s.answer), reference::widened(x));
    record["componentwise_error"] = number(e.componentwise);
    record["normwise_error"] = number(e.normwise);
    record["worst_digits"] = digits(e.componentwise);
    record["normwise_digits"] = digits(e.normwise);
}

json solve(const method& m, const hard_system& s, const limits& most)
{
    const child_result got = run_in_child(m, {s.a, s.b}, most);
    json record = {
        {"method", m.name},
        {"end", got.end},
        {"claims", got.said.claims},
        {"status", got.said.status},
        {"seconds", number(got.said.seconds, got.said.seconds >= 0)},
        {"factor_seconds", number(got.said.factor_seconds, got.said.factor_seconds >= 0)},
        {"peak_bytes", number(got.peak_bytes, got.end == "ok")},
        {"own_bytes", number(got.said.own_bytes, got.said.own_bytes >= 0)},
        {"own_error", number(got.said.own_error, got.said.own_error >= 0)},
        {"true_relative_residual", nullptr}};
    if (got.said.has_x) judge(s, got.x, record);
    return record;
}

/// The file of results, by matrix and right-hand side.
class results {
public:
    explicit results(const std::string& file) : file_(file)
    {
        std::ifstream in(file);
        if (in) all_ = json::parse(in);
        if (!all_.contains("systems")) all_["systems"] = json::array();
    }
    json& head() { return all_; }
    json& of(const std::string& matrix, const std::string& rhs)
    {
        for (json& one : all_["systems"])
            if (one["matrix"] == matrix && one["rhs"] == rhs) return one;
        all_["systems"].push_back({{"matrix", matrix}, {"rhs", rhs}});
        return all_["systems"].back();
    }
    /// Through a file beside it, so that an interrupted run leaves a whole one.
    void write() const
    {
        bench::write_results(file_ + ".part", all_);
        fs::rename(file_ + ".part", file_);
    }

private:
    std::string file_;
    json all_ = json::object();
};

bool has(const json& records, const std::string& method)
{
    return std::any_of(records.begin(), records.end(),
                       [&](const json& r) { return r["method"] == method; });
}

void print(const std::string& matrix, const std::string& rhs, const json& r)
{
    const auto text = [&](const char* key) {
        char out[32] = "-";
        if (r.contains(key) && r[key].is_number())
            std::snprintf(out, sizeof out, "%.3g", r[key].get<double>());
        return std::string(out);
    };
    std::printf("%-20s %-7s %-18s %-12s %-16s residual %-9s digits %-5s %-5s seconds %s\n",
                matrix.c_str(), rhs.c_str(), r["method"].get<std::string>().c_str(),
                r["end"].get<std::string>().c_str(), r["status"].get<std::string>().c_str(),
                text("true_relative_residual").c_str(), text("worst_digits").c_str(),
                text("normwise_digits").c_str(), text("seconds").c_str());
    std::fflush(stdout);
}

void run_part(const std::vector<method>& methods, const char* part, const hard_system& s,
              const settings& with, json& of)
{
    if (!of.contains(part)) of[part] = json::array();
    for (const method& m : methods) {
        if (!wanted(with.only, m.name) || has(of[part], m.name)) continue;
        of[part].push_back(solve(m, s, with.most));
        print(s.matrix, s.rhs, of[part].back());
    }
}

void run_system(const hard_system& s, const settings& with, const std::vector<method>& methods,
                results& to)
{
    if (!wanted(with.rhs, s.rhs)) return;
    json& of = to.of(s.matrix, s.rhs);
    of["n"] = s.a.rows();
    of["nonzeros"] = s.a.nonzeros();
    of["generated"] = reference::is_generated(s.matrix);
    of["answered"] = s.answer != nullptr;
    of["kappa1"] = number(s.kappa1, s.kappa1 >= 0);
    of["skeel"] = s.answer ? number(s.answer->skeel.value) : json(nullptr);
    run_part(methods, "solves", s, with, of);
    if (with.factorisations && s.rhs == "ones")
        run_part(factorisations(), "factorisations", s, with, of);
    to.write();
}

/// The file of the BLAS that the others use: its speed is in their times.
std::string blas_in_use()
{
    std::ifstream maps("/proc/self/maps");
    for (std::string line; std::getline(maps, line);) {
        const auto path = line.find('/');
        if (path != std::string::npos && line.find("blas", path) != std::string::npos)
            return fs::path(line.substr(path)).filename().string();
    }
    return "none";
}

int measure(settings& with)
{
    read_share(with);
    with.most.bytes = with.most_gigabytes * 1024 * 1024 * 1024;
    ddla::set_host_threads(1);
    std::vector<method> methods = solvers();
    for (const std::string& one : with.external) {
        const auto equals = one.find('=');
        if (equals == std::string::npos) throw bench::usage_error("--external wants NAME=COMMAND");
        methods.push_back(external(one.substr(0, equals), one.substr(equals + 1)));
    }
    results to(with.json_file);
    to.head().update(bench::machine());
    to.head()["others"] = versions();
    to.head()["missing"] = missing();
    to.head()["blas"] = blas_in_use();
    to.head()["limit_seconds"] = std::ceil(with.most.seconds);
    std::size_t number = 0;
    for (const std::string& matrix : matrix_names(with.answers, with.matrices)) {
        if (!wanted(with.matrix, matrix) || number++ % with.shares != with.share) continue;
        const std::string why =
            for_each_system(matrix, with.answers, with.matrices,
                            [&](const hard_system& s) { run_system(s, with, methods, to); });
        if (!why.empty()) std::printf("%-20s skipped: %s\n", matrix.c_str(), why.c_str());
    }
    to.write();
    return 0;
}

}  // namespace
}  // namespace hard

int main(int argc, char** argv)
{
    hard::settings with;
    CLI::App app("Hard systems by ddla and by other programs");
    hard::add_options(app, with);
    return bench::run_program("bench_hard", app, argc, argv, [&] { return hard::measure(with); });
}
