#include "measure.hpp"

#include "same_bits.hpp"

#include "support/cusparse_matrix.hpp"

#include "ddla/blas.hpp"
#include "ddla/error.hpp"
#include "ddla/summation.hpp"

#include <algorithm>
#include <array>
#include <numeric>

namespace bench {

using namespace ddla;

namespace {

constexpr std::array<product_algorithm, 3> rivals_of_products{
    {{"ALG1", CUSPARSE_SPMV_CSR_ALG1}, {"ALG2", CUSPARSE_SPMV_CSR_ALG2}, sliced_ell}};

/// A matrix on the device, and what its products must be: those of its compressed rows.
struct problem {
    const matrix_case& what;
    csr_matrix<double> a;
    vec<const double> x;
    vec<const dd_real> x_dd;
    vector<double> expected{a.rows(), there};
    vector<dd_real> expected_dd{a.rows(), there};
    double rival = 0;  ///< microseconds of cuSPARSE's fastest
    const char* fastest = "";
};

template <scalar T>
void multiply(product_bench& b, const csr_matrix<double>& a, vec<const T> x, vector<T>& y)
{
    spmv(b.on, T(1), a.view(), x, T(0), y.view());
}

std::string in_short(double value)
{
    char text[40];
    std::snprintf(text, sizeof text, "%.1e", value);
    return text;
}

json time_of_rival(product_bench& b, problem& p, const product_algorithm& algorithm)
{
    json one = {{"algorithm", algorithm.name}};
    try {
        const cusparse_matrix m(b.rivals, p.a, algorithm);
        vector<double> y(p.a.rows(), there);
        const double us = microseconds(
            b.native, [&] { m.multiply(p.x.word(0), y.view().word(0)); }, 5);
        if (p.rival == 0 || us < p.rival) p.rival = us, p.fastest = algorithm.name;
        const double difference = relative_difference(p.expected, y);
        one["microseconds"] = us;
        b.agreements.require(difference <= 1e-12, p.what.name + ": ddla and cuSPARSE's " +
                                                      algorithm.name + " differ by " +
                                                      in_short(difference));
    } catch (const error& e) {
        one["skipped"] = e.what();
    }
    return one;
}

/// Bytes of compressed rows with 32-bit offsets, of x and of y.
template <scalar T>
double bytes_by_rows(const csr_matrix<double>& a)
{
    return 12.0 * static_cast<double>(a.nonzeros()) + 4.0 * static_cast<double>(a.rows()) +
           8.0 * words_of<T> * static_cast<double>(a.rows() + a.columns());
}

template <scalar T>
json time_of_format(product_bench& b, const problem& p, vec<const T> x, const vector<T>& expected,
                    const std::string& format)
{
    vector<T> y(p.a.rows(), there);
    const double us = microseconds(
        b.native, [&] { multiply(b, p.a, x, y); }, 5);
    const bool same = same_bits(y, expected, b.native);
    b.agreements.require(same, p.what.name + ": " + format + " has other bits than csr in " +
                                   number_traits<T>::name_in_text);
    const double bytes = static_cast<double>(bytes_of_product<T>(p.a));
    const double limit = bytes / b.copy.speed();
    const double limit_by_rows = bytes_by_rows<T>(p.a) / b.copy.speed();
    return {{"microseconds", us},
            {"bytes", bytes},
            {"limit_microseconds", limit},
            {"share", limit / us},
            {"bytes_by_rows", bytes_by_rows<T>(p.a)},
            {"share_by_rows", limit_by_rows / us},
            {"speed_up", p.rival / us},
            {"same_bits", same}};
}

json record_of(const format_report& r, const csr_matrix<double>& a, double us)
{
    return {{"stored_as", std::string(to_string(r.format))},
            {"threads_per_row", r.threads_per_row},
            {"reason", r.reason},
            {"conversion_seconds", r.seconds},
            {"conversion_in_products", r.seconds * 1e6 / us},
            {"padding", r.padding(a.nonzeros())},
            {"extra_bytes", r.extra_bytes},
            {"product_bytes", r.product_bytes}};
}

void print(const problem& p, const std::string& format, const json& r)
{
    const json &d = r["double"], &dd = r["double-double"];
    const auto number = [](const json& of, const char* key) { return of[key].get<double>(); };
    std::printf("%-27s %9ld | %8.1f %-4s | %-10s %-10s %8.1f %6.2f %6.2f | %8.1f %6.2f %6.2f\n",
                p.what.name.c_str(), static_cast<long>(p.a.nonzeros()), p.rival, p.fastest,
                format.c_str(), r["stored_as"].get<std::string>().c_str(),
                number(d, "microseconds"), number(d, "speed_up"), number(d, "share"),
                number(dd, "microseconds"), number(dd, "microseconds") / p.rival,
                number(dd, "share"));
}

/// The rows in the order of EVC-HYB, longest first, equally long ones by their first column: its
/// product with them is the other one's before it is put back in order.
csr_matrix<double> in_order_of_evc_hyb(const csr_matrix<double>& on_device)
{
    const csr_matrix<double> sorted_from = on_device.to(host);
    const csr<double> a = sorted_from.view();
    const auto key = [&](index_t i) {
        const index_t n = a.row_length(i);
        const bool stored = n <= tile_size;  // longer rows are summed apart
        return std::pair(stored ? -n : 0, n > 0 ? a.column[a.row_begin[i]] : 0);
    };
    std::vector<index_t> row(static_cast<std::size_t>(a.rows));
    std::iota(row.begin(), row.end(), index_t(0));
    std::stable_sort(row.begin(), row.end(), [&](index_t i, index_t j) { return key(i) < key(j); });
    std::vector<index_t> begin{0};
    std::vector<column_t> column;
    vector<double> value(a.nonzeros());
    column.reserve(static_cast<std::size_t>(a.nonzeros()));
    for (const index_t i : row) {
        for (index_t k = a.row_begin[i]; k < a.row_begin[i + 1]; ++k) {
            value.set(static_cast<index_t>(column.size()), a.value.get(k));
            column.push_back(a.column[k]);
        }
        begin.push_back(static_cast<index_t>(column.size()));
    }
    return csr_matrix<double>(a.rows, a.columns, std::move(begin), std::move(column), value)
        .to(there);
}

/// EVC-HYB without undoing the permutation, as its paper measures it, too.
json time_of_permuted(product_bench& b, const problem& p)
{
    csr_matrix<double> a = in_order_of_evc_hyb(p.a);
    vector<double> y(a.rows(), there), expected(a.rows(), there);
    vector<dd_real> y_dd(a.rows(), there), expected_dd(a.rows(), there);
    multiply(b, a, p.x, expected);
    multiply(b, a, p.x_dd, expected_dd);
    set_format(a, {.format = sparse_format::evc_hyb});
    multiply(b, a, p.x, y);
    multiply(b, a, p.x_dd, y_dd);
    b.agreements.require(same_bits(y, expected, b.native) && same_bits(y_dd, expected_dd, b.native),
                         p.what.name + ": permuted evc_hyb has other bits than csr");
    return {{"double", microseconds(
                           b.native, [&] { multiply(b, a, p.x, y); }, 5)},
            {"double-double", microseconds(
                                  b.native, [&] { multiply(b, a, p.x_dd, y_dd); }, 5)}};
}

json measure_format(product_bench& b, problem& p, sparse_format format)
{
    const std::string name(to_string(format));
    json one = {{"format", name}};
    try {
        const format_report report = set_format<double>(p.a, {.format = format});
        const json in_double = time_of_format(b, p, p.x, p.expected, name);
        one.update(record_of(report, p.a, in_double["microseconds"]));
        one["double"] = in_double;
        if (format == sparse_format::automatic || format == sparse_format::crs_t)
            set_format<dd_real>(p.a, {.format = format});
        one["double-double"] = time_of_format(b, p, p.x_dd, p.expected_dd, name);
        one["double-double"]["stored_as"] = std::string(to_string(format_of(p.a).format));
        print(p, name, one);
    } catch (const resource_error& e) {
        one["skipped"] = e.what();
    } catch (const input_error& e) {
        one["skipped"] = e.what();
    }
    if (b.permuted && format == sparse_format::evc_hyb && !one.contains("skipped"))
        one["permuted"] = time_of_permuted(b, p);
    if (one.contains("skipped"))
        std::printf("%-27s %s: %s\n", p.what.name.c_str(), name.c_str(),
                    one["skipped"].get<std::string>().c_str());
    return one;
}

/// crs_vector with every number of threads a row.
json measure_threads(product_bench& b, problem& p)
{
    json all = json::array();
    vector<double> y(p.a.rows(), there);
    vector<dd_real> y_dd(p.a.rows(), there);
    for (int threads = 1; threads <= 32; threads *= 2) {
        set_format(p.a, {.format = sparse_format::crs_vector, .threads_per_row = threads});
        const auto time = [&](const auto& f) { return microseconds(b.native, f, 3); };
        all.push_back(
            {{"threads", threads},
             {"microseconds", time([&] { multiply(b, p.a, p.x, y); })},
             {"double_double_microseconds", time([&] { multiply(b, p.a, p.x_dd, y_dd); })}});
    }
    return all;
}

json record_of(const matrix_case& what, const matrix_shape& s)
{
    return {{"name", what.name},       {"kind", what.kind},    {"note", what.note},
            {"rows", s.rows},          {"columns", s.columns}, {"entries", s.entries},
            {"shortest", s.shortest},  {"longest", s.longest}, {"mean", s.mean},
            {"deviation", s.deviation}};
}

}  // namespace

json measure(product_bench& b, const matrix_case& what, const built_matrix& built)
{
    problem p{what, built.matrix.to(there), b.x(built.shape.columns), b.x_dd(built.shape.columns)};
    multiply(b, p.a, p.x, p.expected);
    multiply(b, p.a, p.x_dd, p.expected_dd);
    b.on.wait();
    json record = record_of(what, built.shape);
    for (const product_algorithm& algorithm : rivals_of_products)
        record["cusparse"].push_back(time_of_rival(b, p, algorithm));
    if (p.rival == 0) throw resource_error("no algorithm of cuSPARSE can do it");
    record["cusparse_best"] = {{"algorithm", p.fastest}, {"microseconds", p.rival}};
    for (const sparse_format format : b.formats)
        record["formats"].push_back(measure_format(b, p, format));
    if (b.threads) record["threads"] = measure_threads(b, p);
    return record;
}

void print_heading()
{
    std::printf("Microseconds; cuSPARSE's time / ddla's; share of the limit by the bytes stored;\n"
                "for double-double: ddla's time / cuSPARSE's in double\n"
                "%-27s %9s | %13s | %-10s %-10s %8s %6s %6s | %8s %6s %6s\n",
                "", "entries", "cuSPARSE best", "format", "stored as", "double", "speed", "share",
                "DD", "ratio", "share");
}

}  // namespace bench
