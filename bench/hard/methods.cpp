#include "methods.hpp"

#include "ddla/ddla.hpp"

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <unistd.h>

namespace hard {

using ddla::dd_real;

void set_status(outcome& out, const std::string& text)
{
    std::snprintf(out.status, sizeof out.status, "%s", text.c_str());
}

int_columns columns_of(const ddla::csr_matrix<double>& a)
{
    const auto m = a.view();
    int_columns c;
    c.begin.resize(static_cast<std::size_t>(a.columns()) + 1);
    c.row.resize(static_cast<std::size_t>(a.nonzeros()));
    c.value.resize(c.row.size());
    for (ddla::index_t k = 0; k < a.nonzeros(); ++k)
        ++c.begin[static_cast<std::size_t>(m.column[k]) + 1];
    for (std::size_t j = 1; j < c.begin.size(); ++j) c.begin[j] += c.begin[j - 1];
    std::vector<int> next = c.begin;
    for (ddla::index_t i = 0; i < a.rows(); ++i)
        for (auto k = m.row_begin[i]; k < m.row_begin[i + 1]; ++k) {
            const auto at = static_cast<std::size_t>(next[static_cast<std::size_t>(m.column[k])]++);
            c.row[at] = static_cast<int>(i);
            c.value[at] = m.value.get(k);
        }
    return c;
}

namespace {

template <class T>
void run_ddla(const problem& p, const ddla::solve_options& o, outcome& out, dd_real* to)
{
    const ddla::index_t n = p.a.rows();
    ddla::vector<T> b(n), x(n);
    for (ddla::index_t i = 0; i < n; ++i) b.set(i, T(p.b[i]));
    const double begin = processor_seconds();
    const ddla::solve_report report = ddla::solve(p.a, b, x, o);
    out.seconds = processor_seconds() - begin;
    out.claims = report.status == ddla::solve_status::converged;
    set_status(out, std::string(to_string(report.status)));
    if (report.errors.componentwise && report.errors.componentwise_trusted)
        out.own_error = *report.errors.componentwise;
    out.own_bytes = static_cast<double>(report.peak_bytes);
    for (ddla::index_t i = 0; i < n; ++i) to[i] = dd_real(x[i]);
    out.has_x = true;
}

template <class T>
method automatic(const std::string& name)
{
    return {name, [](const problem& p, outcome& out, dd_real* x) { run_ddla<T>(p, {}, out, x); }};
}

void run_bicgstab(const problem& p, outcome& out, dd_real* x)
{
    ddla::solve_options o;
    o.method = ddla::method::bicgstab;
    o.tolerance = 1e-12;
    o.max_iterations = 10000;
    run_ddla<dd_real>(p, o, out, x);
}

void factor_ddla(const problem& p, outcome& out, dd_real*)
{
    ddla::factorisation_report about;
    out.factor_seconds =
        least_time(up_to_ten, [&] { about = ddla::lu_factors<double>(p.a).about(); });
    out.claims = about.rank == p.a.rows();
    out.own_bytes = static_cast<double>(about.bytes);
}

/// A folder that goes away with its files.
class temporary_folder {
public:
    temporary_folder()
    {
        std::string name = (std::filesystem::temp_directory_path() / "bench-hard-XXXXXX").string();
        if (!mkdtemp(name.data())) throw ddla::resource_error("no temporary folder");
        path_ = name;
    }
    ~temporary_folder()
    {
        std::error_code ignored;
        std::filesystem::remove_all(path_, ignored);
    }
    temporary_folder(const temporary_folder&) = delete;
    temporary_folder& operator=(const temporary_folder&) = delete;
    std::string file(const char* name) const { return (path_ / name).string(); }

private:
    std::filesystem::path path_;
};

void run_external(const std::string& command, const problem& p, outcome& out, dd_real* to)
{
    const temporary_folder folder;
    const std::string x_file = folder.file("x.mtx");
    ddla::write_matrix(folder.file("A.mtx"), p.a);
    ddla::write_vector(folder.file("b.mtx"), p.b);
    const std::string line =
        command + " " + folder.file("A.mtx") + " " + folder.file("b.mtx") + " " + x_file;
    FILE* const pipe = popen(line.c_str(), "r");
    if (!pipe) throw ddla::resource_error("cannot start " + command);
    char text[256];
    while (std::fgets(text, sizeof text, pipe)) {
        double number = 0;
        if (std::sscanf(text, "seconds %lf", &number) == 1) out.seconds = number;
        if (std::sscanf(text, "bytes %lf", &number) == 1) out.own_bytes = number;
    }
    const int status = pclose(pipe);
    out.claims = status == 0;
    set_status(out, "wait status " + std::to_string(status));
    if (!std::filesystem::exists(x_file)) return;
    const auto x = ddla::read_vector<dd_real>(x_file);
    if (x.size() != p.a.rows()) throw ddla::input_error(command + ": x has another size");
    for (ddla::index_t i = 0; i < x.size(); ++i) to[i] = x[i];
    out.has_x = true;
}

}  // namespace

method external(const std::string& name, const std::string& command)
{
    return {name, [command](const problem& p, outcome& out, dd_real* x) {
                run_external(command, p, out, x);
            }};
}

std::vector<method> solvers()
{
    std::vector<method> all = {automatic<dd_real>("ddla auto DD"),
                               automatic<double>("ddla auto double")};
#if defined(DDLA_BENCH_SUPERLU)
    all.push_back({"SuperLU", run_superlu});
#endif
#if defined(DDLA_BENCH_UMFPACK)
    all.push_back({"UMFPACK", run_umfpack});
#endif
#if defined(DDLA_BENCH_KLU)
    all.push_back({"KLU", run_klu});
#endif
    all.push_back({"ddla BiCGStab DD", run_bicgstab});
#if defined(DDLA_BENCH_LIS)
    all.push_back({"Lis quad ILU(0)", run_lis});
#endif
    return all;
}

std::vector<method> factorisations()
{
    std::vector<method> all = {{"ddla", factor_ddla}};
#if defined(DDLA_BENCH_KLU)
    all.push_back({"KLU", factor_klu});
#endif
#if defined(DDLA_BENCH_UMFPACK)
    all.push_back({"UMFPACK", factor_umfpack});
#endif
    return all;
}

std::vector<std::string> versions()
{
    std::vector<std::string> all;
#if defined(DDLA_BENCH_SUPERLU)
    all.push_back(superlu_version());
#endif
#if defined(DDLA_BENCH_UMFPACK)
    all.push_back(umfpack_version());
#endif
#if defined(DDLA_BENCH_KLU)
    all.push_back(klu_version());
#endif
#if defined(DDLA_BENCH_LIS)
    all.push_back(lis_version());
#endif
    return all;
}

std::vector<std::string> missing()
{
    std::vector<std::string> all;
#if !defined(DDLA_BENCH_SUPERLU)
    all.push_back("SuperLU");
#endif
#if !defined(DDLA_BENCH_UMFPACK)
    all.push_back("UMFPACK");
#endif
#if !defined(DDLA_BENCH_KLU)
    all.push_back("KLU");
#endif
#if !defined(DDLA_BENCH_LIS)
    all.push_back("Lis");
#endif
    return all;
}

}  // namespace hard
