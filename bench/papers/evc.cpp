// EVC-HYB: the paper's kernel, ddla's, and cuSPARSE; and the memory that both read from.
#include "checked.hpp"
#include "evc_kernels.hpp"
#include "hyb.hpp"
#include "memory.hpp"
#include "paper_bench.hpp"

#include "support/cusparse_matrix.hpp"

#include "ddla/error.hpp"
#include "ddla/sparse_format.hpp"

#include <cuda_profiler_api.h>

namespace bench {

using namespace ddla;

namespace {

constexpr std::array<product_algorithm, 3> algorithms{
    {{"ALG1", CUSPARSE_SPMV_CSR_ALG1}, {"ALG2", CUSPARSE_SPMV_CSR_ALG2}, sliced_ell}};

double seconds_of(const std::function<void()>& f)
{
    const auto begin = std::chrono::steady_clock::now();
    f();
    return std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
}

/// Table 3 of the paper.
json record_of_layout(const evc_layout& layout, index_t entries)
{
    return {{"split", layout.split},
            {"entries_of_ell", layout.entries_of_ell},
            {"entries_of_csr", entries - layout.entries_of_ell},
            {"slots", layout.slots()}};
}

/// The paper's kernel in one precision.
template <scalar T>
json times_of_paper(paper_bench& b, const matrix_case& what, const csr_matrix<double>& on_host,
                    const evc_matrix& a)
{
    const index_t n = on_host.rows();
    const vector<T> two = random_vector<T>(2, 17, host);
    const T alpha = two.view().get(0), beta = two.view().get(1);
    const vector<T> x_host = random_vector<T>(on_host.columns(), 3, host), before(n);
    const expected_there expected(
        multiply_on_host<T>(alpha, on_host, x_host.view(), beta, before.view()));
    const vector<T> x = x_host.to(there);
    vector<T> sorted(n, there), y(n, there);
    const evc_product<T> p{alpha, beta, x.view(), sorted.view()};
    const evc_product<T> fresh{alpha, T(0.0), x.view(), sorted.view()};
    const auto in_order = [&] {
        multiply(a, evc_loads::all, fresh, b.native);
        put_in_order<T>(a, std::as_const(sorted).view(), beta, y.view(), b.native);
    };
    in_order();
    const index_t wrong = wrong_elements<T>(expected, std::as_const(y).view(), b.native);
    b.agreements.require(wrong == 0, what.name + ": EVC-HYB in " + number_traits<T>::name_in_text +
                                         " has " + std::to_string(wrong) +
                                         " elements further from the host's than rounding");
    const auto with = [&](evc_loads loads) {
        return b.time([&] { multiply(a, loads, p, b.native); });
    };
    return {{"in_order", b.time(in_order)},
            {"permuted", with(evc_loads::all)},
            {"no_x", with(evc_loads::no_x)},
            {"no_a", with(evc_loads::no_a)},
            {"neither", with(evc_loads::neither)},
            {"x_without_read_only_path", with(evc_loads::x_without_read_only_path)}};
}

/// The rows in the layout's order: ddla's product of them is the other one's before it is put back.
csr_matrix<double> in_order_of(const evc_layout& layout, const csr_matrix<double>& a)
{
    const csr<double> v = a.view();
    std::vector<index_t> begin{0};
    std::vector<column_t> column;
    vector<double> value(a.nonzeros());
    column.reserve(static_cast<std::size_t>(a.nonzeros()));
    begin.reserve(layout.order.size() + 1);
    for (const std::int32_t i : layout.order) {
        for (index_t k = v.row_begin[i]; k < v.row_begin[i + 1]; ++k) {
            value.view().set(static_cast<index_t>(column.size()), v.value.get(k));
            column.push_back(v.column[k]);
        }
        begin.push_back(static_cast<index_t>(column.size()));
    }
    return {a.rows(), a.columns(), std::move(begin), std::move(column), std::move(value)};
}

template <scalar T>
double time_of_ddla(paper_bench& b, csr_matrix<double>& a, sparse_format format)
{
    set_format<T>(a, {.format = format});
    const vector<T> x = random_vector<T>(a.columns(), 3);
    vector<T> y(a.rows(), there);
    return b.time([&] { spmv(b.on, T(0.7), a.view(), x.view(), T(-0.3), y.view()); });
}

json times_of_ddla(paper_bench& b, csr_matrix<double>& a, csr_matrix<double>& sorted)
{
    constexpr auto evc = sparse_format::evc_hyb;
    json t;
    t["double"] = {{"in_order", time_of_ddla<double>(b, a, evc)},
                   {"permuted", time_of_ddla<double>(b, sorted, evc)}};
    t["double-double"] = {{"in_order", time_of_ddla<dd_real>(b, a, evc)},
                          {"permuted", time_of_ddla<dd_real>(b, sorted, evc)}};
    t["double"]["auto"] = time_of_ddla<double>(b, a, sparse_format::automatic);
    t["double-double"]["auto"] = time_of_ddla<dd_real>(b, a, sparse_format::automatic);
    t["conversion_seconds"] = set_format<double>(a, {.format = evc}).seconds;
    return t;
}

json time_of_rival(paper_bench& b, const csr_matrix<double>& a, const product_algorithm& algorithm)
try {
    const cusparse_matrix m(b.rivals, a, algorithm);
    const vector<double> x = random_vector<double>(a.columns(), 3);
    vector<double> y(a.rows(), there);
    const double us = b.time([&] { m.multiply(0.7, x.view().word(0), -0.3, y.view().word(0)); });
    return {{"algorithm", algorithm.name}, {"microseconds", us}};
} catch (const error& e) {
    return {{"algorithm", algorithm.name}, {"skipped", e.what()}};
}

bool is_worth_it(const hyb_layout& layout, const csr_matrix<double>& a)
{
    return static_cast<double>(layout.value.size()) <= 8.0 * static_cast<double>(a.nonzeros());
}

/// In double, checked as the others are.
json time_of_hyb(paper_bench& b, const matrix_case& what, const csr_matrix<double>& on_host)
{
    const hyb_layout layout = hyb_layout_of(on_host);
    if (!is_worth_it(layout, on_host)) return {{"skipped", "more than 8 slots an entry"}};
    const hyb_matrix a(layout);
    const vector<double> x_host = random_vector<double>(on_host.columns(), 3, host),
                         before(on_host.rows());
    const expected_there expected(
        multiply_on_host<double>(0.7, on_host, x_host.view(), -0.3, before.view()));
    const vector<double> x = x_host.to(there);
    vector<double> y(on_host.rows(), there);
    const auto once = [&] { a.multiply(0.7, x.view().word(0), -0.3, y.view().word(0), b.native); };
    once();
    const index_t wrong = wrong_elements<double>(expected, std::as_const(y).view(), b.native);
    b.agreements.require(wrong == 0, what.name + ": HYB has " + std::to_string(wrong) +
                                         " elements further from the host's than rounding");
    return {{"width", layout.width},
            {"list_entries", layout.list_value.size()},
            {"microseconds", b.time(once)}};
}

json stream_record(paper_bench& b)
{
    json one = {{"name", "STREAM"}, {"kind", "memory"}};
    const index_t n = 20'000'000;  // the paper's
    const vector<double> x(n, 1.0, there), z(n, 2.0, there);
    vector<double> y(n, there);
    const auto speed = [&](stream_kernel kernel, int vectors) {
        const double us = b.time([&] {
            run_stream(kernel, n, x.view().word(0), z.view().word(0), y.view().word(0), b.native);
        });
        return 8e-3 * vectors * static_cast<double>(n) / us;  // GB/s
    };
    one["copy"] = speed(stream_kernel::copy, 2);
    one["scale"] = speed(stream_kernel::scale, 2);
    one["add"] = speed(stream_kernel::add, 3);
    one["triad"] = speed(stream_kernel::triad, 3);
    return one;
}

json latency_record(paper_bench& b)
{
    json one = {{"name", "latency"}, {"kind", "memory"}, {"cycles", json::array()}};
    for (std::size_t bytes = std::size_t{1} << 13; bytes <= std::size_t{1} << 31; bytes *= 2)
        one["cycles"].push_back(
            {{"bytes", bytes},
             {"plain", cycles_of_load(load_path::plain, bytes, b.native)},
             {"read_only", cycles_of_load(load_path::read_only, bytes, b.native)},
             {"past_l1", cycles_of_load(load_path::past_l1, bytes, b.native)}});
    return one;
}

}  // namespace

void measure_memory(paper_bench& b, record_file& results)
{
    if (!results.has("STREAM", "memory")) results.add(stream_record(b));
    if (!results.has("latency", "memory")) results.add(latency_record(b));
}

json measure_counted(paper_bench& b, const matrix_case& what, const built_matrix& built)
{
    json record = record_of(what, built.shape);
    const evc_layout layout = evc_layout_of(built.matrix);
    record["layout"] = record_of_layout(layout, built.matrix.nonzeros());
    const vector<double> x = random_vector<double>(built.matrix.columns(), 3);
    vector<double> y(built.matrix.rows(), there);
    const auto count = [&](const std::function<void()>& launch,
                           const std::vector<std::string>& kernels) {
        launch();  // so that the caches hold what they hold in a loop
        check(cudaStreamSynchronize(b.native), "cudaStreamSynchronize");
        check(cudaProfilerStart(), "cudaProfilerStart");
        launch();
        check(cudaStreamSynchronize(b.native), "cudaStreamSynchronize");
        check(cudaProfilerStop(), "cudaProfilerStop");
        for (const std::string& kernel : kernels) record["launches"].push_back(kernel);
    };
    {
        const evc_matrix a(layout);
        const evc_product<double> p{0.7, -0.3, x.view(), y.view()};
        const std::map<std::string, evc_loads> launches{
            {"all", evc_loads::all},
            {"no_x", evc_loads::no_x},
            {"no_a", evc_loads::no_a},
            {"neither", evc_loads::neither},
            {"x_without_read_only_path", evc_loads::x_without_read_only_path}};
        for (const auto& [name, loads] : launches)
            count([&, of = loads] { multiply(a, of, p, b.native); }, {name});
    }
    const hyb_layout hyb = hyb_layout_of(built.matrix);
    if (!is_worth_it(hyb, built.matrix)) return record;
    const hyb_matrix a(hyb);
    std::vector<std::string> kernels{"hyb_ell"};
    if (!hyb.list_value.empty()) kernels.push_back("hyb_list");
    count([&] { a.multiply(0.7, x.view().word(0), -0.3, y.view().word(0), b.native); }, kernels);
    return record;
}

json measure_evc(paper_bench& b, const matrix_case& what, const built_matrix& built)
{
    json record = record_of(what, built.shape);
    evc_layout layout;
    record["paper_conversion_seconds"] =
        seconds_of([&] { layout = evc_layout_of(built.matrix); });  // one thread of the host
    record["layout"] = record_of_layout(layout, built.matrix.nonzeros());
    {
        const evc_matrix paper(layout);
        record["paper"] = {
            {"double", times_of_paper<double>(b, what, built.matrix, paper)},
            {"double-double", times_of_paper<dd_real>(b, what, built.matrix, paper)}};
    }
    csr_matrix<double> a = built.matrix.to(there),
                       sorted = in_order_of(layout, built.matrix).to(there);
    record["ddla"] = times_of_ddla(b, a, sorted);
    record["hyb"] = time_of_hyb(b, what, built.matrix);
    for (const product_algorithm& algorithm : algorithms)
        record["cusparse"].push_back(time_of_rival(b, a, algorithm));
    std::printf("%-27s %-11s EVC-HYB\n", what.name.c_str(), what.kind.c_str());
    return record;
}

}  // namespace bench
