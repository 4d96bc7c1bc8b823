// ddla spmv: y = A x, and what it costs in one format or in all of them.
#include "cli/shell/command.hpp"

#include "cli/options/format_choice.hpp"
#include "cli/shell/arguments.hpp"
#include "cli/shell/text_format.hpp"
#include "products.hpp"

#include "ddla/version.hpp"

#include <memory>
#include <optional>

namespace ddla::cli {
namespace {

struct spmv_request : product_request {
    std::string x = "ones";  ///< or a file
    sparse_format format = sparse_format::automatic;
    bool all_formats = false;
    std::filesystem::path output;

    bool x_is_file() const { return x != "ones"; }
};

const char* const examples_of_spmv =
    "Examples:\n"
    "  ddla spmv a.mtx --all-formats\n"
    "  ddla spmv a.mtx --format tiles --place device --precision both\n"
    "  ddla spmv a.mtx --x x.mtx --output y.mtx --quiet\n\n"
    "The table: bytes that a product must move; the time they take at the speed of\n"
    "copies at the same place; the measured time; the first as a share of the second;\n"
    "stored slots an entry; the conversion, in products.\n"
    "Exit status: 0 done, 1 interrupted, 2 bad usage or input, 3 internal or resource\n"
    "failure, as if two formats had different bits.";

void add_options(CLI::App& app, spmv_request& r)
{
    require(add_matrix(app, r));
    const auto take = [&r](const std::string& value) { r.x = input_file("--x", value).string(); };
    add_text_option(app, "--x", take, "FILE|ones", "FILE|ones", "The vector x (ones)");
    add_format(app, r.format);
    add_flag(app, "--all-formats", r.all_formats, "Measure every format, and compare the bits");
    add_product_options(app, r, "multiply");
    add_option(app, "--output", r.output, file_name, "y.mtx",
               "Write y (with both: in double-double)");
    add_footer(app, examples_of_spmv);
}

void check(const spmv_request& r)
{
    if (r.all_formats && r.format != sparse_format::automatic)
        throw input_error("--all-formats: does not go with --format");
    check_values(r);
    check_is_read_once(r, "--x", r.x);
    check_files({{"A.mtx", r.matrix}, {"--x", r.x_is_file() ? r.x : ""}},
                {{"--output", r.output, file_form::matrix_market}, {"--report", r.report}});
}

/// x at the place of A; a complex one makes A complex.
template <scalar T, scalar V>
vector<T> operand(const spmv_request& r, any_matrix<V>& a)
{
    const place at = a.numbers.where();
    if (!r.x_is_file()) return ones<T>(a.numbers.columns(), a.is_complex, at);
    any_vector<T> x = read_sized<T>(r.x, columns_of(r.matrix, a));
    agree(a, x);
    return x.numbers.to(at);
}

/// y = A x in every format; false once an interrupt came.
template <scalar T, scalar V>
bool measure_all(const spmv_request& r, csr_matrix<V>& a, const vector<T>& x, vector<T>& y,
                 format_watch& watch, products& p)
{
    std::vector<format_options> all = formats_to_try();
    for (format_options& o : all) o.memory_limit = static_cast<std::size_t>(r.memory_limit);
    if (!completed(
            [&] {
                return watch({0, all.size(), all.front()});
            },
            [&] { p.bandwidth = copy_bandwidth(a.where(), r.measure); }))
        return false;
    for (const format_options& next : all) {
        const auto goes_on = [&] { return watch({p.formats.size(), all.size(), next}); };
        const auto measure = [&] { p.formats.push_back(measure_format(a, next, x, y, r.measure)); };
        if (!goes_on() || !completed(goes_on, measure)) return false;
    }
    return true;
}

/// y = A x in the format that was asked for, likewise.
template <scalar T, scalar V>
bool measure_one(const spmv_request& r, csr_matrix<V>& a, const vector<T>& x, vector<T>& y,
                 format_watch& watch, products& p)
{
    return completed(
        [&] {
            return watch({0, 1, {r.format}});
        },
        [&] {
            p.bandwidth = copy_bandwidth(a.where(), r.measure);
            p.reason = set_format<T>(a, wanted_format(r)).reason;
            p.formats.push_back(measure_product(a, x, y, r.measure));
        });
}

template <scalar T>
void write_product(const spmv_request& r, const products& p, const vector<T>& y, bool is_complex)
{
    require_equal_hashes(p.formats);
    if (r.output.empty() || p.in != r.precisions.back() || !p.hash) return;
    const std::string comment =
        one_line("ddla " DDLA_VERSION ": y = A x, A = " + r.matrix.string() + ", x = " + r.x +
                 ", " + std::string(name(p.in)));
    if (is_complex)
        write_complex_vectors<T>(r.output, {y}, comment);
    else
        write_vector(r.output, y, comment);
}

template <scalar T, scalar V>
void multiply_in(const spmv_request& r, const interrupt_guard& interrupt, any_matrix<V>& file,
                 product_results& results)
{
    constexpr precision in = precision_of<T>;
    const vector<T> x = operand<T>(r, file);
    csr_matrix<V>& a = file.numbers;
    vector<T> y(a.rows(), a.where());
    products p{.in = in};
    format_watch watch(in, r.quiet, interrupt);
    const bool done =
        r.all_formats ? measure_all(r, a, x, y, watch, p) : measure_one(r, a, x, y, watch, p);
    results.interrupted = !done || (interrupt.requested() && in != r.precisions.back());
    if (!p.formats.empty()) p.hash = hash_of(y);
    try {
        write_product(r, p, y, file.is_complex);
    } catch (const error&) {
        results.failed = std::current_exception();
    }
    results.all.push_back(p);
}

exit_status run(const spmv_request& r)
{
    check(r);
    const interrupt_guard interrupt;
    std::optional<watched_work> reading;  // what is measured later is reported
    reading.emplace("reading " + r.matrix.string(), interrupt, r.quiet);
    product_results results = measure_products(r, [&]<class T>(auto& a, product_results& into) {
        reading.reset();
        multiply_in<T>(r, interrupt, a, into);
    });
    results.operand =
        "x = " + (r.x_is_file() ? std::filesystem::path(r.x).filename().string() : r.x);
    return report(r, results);
}

}  // namespace

command add_spmv_command(CLI::App& app)
{
    CLI::App* spmv = add_command(app, "spmv", "Multiply, and say what that costs.");
    const auto request = std::make_shared<spmv_request>();
    add_options(*spmv, *request);
    return {spmv, [request] { return run(*request); }};
}

}  // namespace ddla::cli
