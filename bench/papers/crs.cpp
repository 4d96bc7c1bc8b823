// Products of the papers' kernels, of ddla and of cuSPARSE on one matrix.
#include "checked.hpp"
#include "crs_kernels.hpp"
#include "paper_bench.hpp"

#include "support/cusparse_matrix.hpp"

#include "ddla/error.hpp"
#include "formats/row_threads.hpp"

namespace bench {

using namespace ddla;

namespace {

constexpr std::array<product_algorithm, 3> algorithms{
    {{"ALG1", CUSPARSE_SPMV_CSR_ALG1}, {"ALG2", CUSPARSE_SPMV_CSR_ALG2}, sliced_ell}};

/// alpha and beta between -1 and 1, both full of digits; |beta| < 1 keeps y from growing.
template <scalar T>
struct factors {
    T alpha, beta;

    factors()
    {
        const vector<T> two = random_vector<T>(2, 17, host);
        alpha = two.view().get(0);
        beta = two.view().get(1);
    }
};

/// One matrix and one precision.
template <scalar T>
class products {
public:
    products(paper_bench& b, const matrix_case& what, const csr_matrix<double>& on_host,
             csr_matrix<double>& a, const std::int32_t* begin)
        : b_(b), what_(what), a_(a), x_host_(random_vector<T>(a.columns(), 3, host)),
          y_host_(random_vector<T>(a.rows(), 5, host)), x_(x_host_.to(there)),
          y_first_(y_host_.to(there)), y_(a.rows(), there),
          expected_(multiply_on_host<T>(f_.alpha, on_host, std::as_const(x_host_).view(), f_.beta,
                                        std::as_const(y_host_).view()))
    {
        p_ = {{static_cast<int>(a.rows()), begin, a.view().column, a.view().value.word(0)},
              f_.alpha,
              f_.beta,
              std::as_const(x_).view(),
              y_.view()};
        try {
            textures_.emplace(std::as_const(x_).view());
            for (int k = 0; k < words_of<T>; ++k) p_.x_word[k] = textures_->word(k);
        } catch (const resource_error&) {
        }
    }
    static const char* precision() { return number_traits<T>::name_in_text; }

    /// Checked, then timed.
    template <class F>
    double checked_time(const std::string& who, const F& multiply_once)
    {
        const auto bytes = static_cast<std::size_t>(y_.size()) * words_of<T> * sizeof(double);
        check(cudaMemcpyAsync(y_.view().word(0), y_first_.view().word(0), bytes,
                              cudaMemcpyDeviceToDevice, b_.native),
              "cudaMemcpyAsync");
        multiply_once();
        const index_t wrong = wrong_elements<T>(expected_, std::as_const(y_).view(), b_.native);
        b_.agreements.require(wrong == 0, what_.name + ", " + what_.kind + ": " + who + " in " +
                                              precision() + " has " + std::to_string(wrong) +
                                              " elements further from the host's than rounding");
        return b_.time(multiply_once);
    }
    double time_of_paper(crs_version version, int threads)
    {
        return checked_time(std::string(name_of(version)) + " with " + std::to_string(threads),
                            [&] { multiply(version, threads, p_, b_.native); });
    }
    double time_of_ddla(const std::string& format)
    {
        return checked_time(format, [&] {
            spmv(b_.on, f_.alpha, a_.view(), std::as_const(x_).view(), f_.beta, y_.view());
        });
    }
    bool has_textures() const { return textures_.has_value(); }
    double bytes() const
    {
        return 12.0 * static_cast<double>(a_.nonzeros()) + 4.0 * static_cast<double>(a_.rows()) +
               8.0 * words_of<T> * static_cast<double>(2 * a_.rows() + a_.columns());
    }

    const factors<T>& scalars() const { return f_; }
    const double* x() const { return x_.view().word(0); }
    double* y() { return y_.view().word(0); }

private:
    factors<T> f_{};
    paper_bench& b_;
    const matrix_case& what_;
    csr_matrix<double>& a_;
    const vector<T> x_host_, y_host_;
    vector<T> x_, y_first_, y_;
    expected_there expected_;
    crs_product<T> p_{};
    std::optional<x_textures<T>> textures_;
};

struct both {
    products<double> in_double;
    products<dd_real> in_dd;
};

json times_of_paper(both& p, int rule)
{
    json all = json::array();
    for (const crs_version version : crs_versions) {
        const bool every = version == crs_version::crs_t || version == crs_version::ver4;
        const bool texture = version == crs_version::ver0 || version == crs_version::ver2 ||
                             version == crs_version::ver3;
        if (texture && !p.in_dd.has_textures()) continue;
        const int fixed = version == crs_version::bicgstab ? 8 : rule;
        for (int threads = 1; threads <= 32; threads *= 2)
            if (every || threads == fixed)
                all.push_back({{"version", name_of(version)},
                               {"threads", threads},
                               {"double", p.in_double.time_of_paper(version, threads)},
                               {"double-double", p.in_dd.time_of_paper(version, threads)}});
    }
    return all;
}

json time_of_format(both& p, csr_matrix<double>& a, const format_options& o)
{
    const std::string name(to_string(o.format));
    json one = {{"format", name}};
    const format_report first = set_format<double>(a, o);
    one["stored_as"] = std::string(to_string(first.format));
    one["threads"] = first.threads_per_row;
    one["conversion_seconds"] = first.seconds;
    one["double"] = p.in_double.time_of_ddla(name);
    const format_report second = set_format<dd_real>(a, o);
    one["stored_as_dd"] = std::string(to_string(second.format));
    one["threads_dd"] = second.threads_per_row;
    one["double-double"] = p.in_dd.time_of_ddla(name);
    return one;
}

json times_of_ddla(paper_bench& b, both& p, const matrix_case& what, csr_matrix<double>& a)
{
    json all = json::array();
    std::vector<format_options> wanted{{.format = sparse_format::automatic},
                                       {.format = sparse_format::crs_t}};
    for (int threads = 1; threads <= 32; threads *= 2)
        wanted.push_back({.format = sparse_format::crs_vector, .threads_per_row = threads});
    for (const format_options& o : wanted) try {
            all.push_back(time_of_format(p, a, o));
        } catch (const resource_error& e) {
            b.agreements.require(false, what.name + ": " + e.what());
        }
    return all;
}

json time_of_rival(paper_bench& b, both& p, const csr_matrix<double>& a,
                   const product_algorithm& algorithm)
try {
    const cusparse_matrix m(b.rivals, a, algorithm);
    const factors<double>& f = p.in_double.scalars();
    const double us = p.in_double.checked_time(
        algorithm.name, [&] { m.multiply(f.alpha, p.in_double.x(), f.beta, p.in_double.y()); });
    return {{"algorithm", algorithm.name}, {"microseconds", us}};
} catch (const error& e) {
    return {{"algorithm", algorithm.name}, {"skipped", e.what()}};
}

}  // namespace

json record_of(const matrix_case& what, const matrix_shape& s)
{
    return {{"name", what.name},       {"kind", what.kind},    {"note", what.note},
            {"rows", s.rows},          {"columns", s.columns}, {"entries", s.entries},
            {"shortest", s.shortest},  {"longest", s.longest}, {"mean", s.mean},
            {"deviation", s.deviation}};
}

json measure_crs(paper_bench& b, const matrix_case& what, const built_matrix& built)
{
    csr_matrix<double> a = built.matrix.to(there);
    const buffer begin = narrow_row_begin(a, b.native);
    const auto* const offsets = static_cast<const std::int32_t*>(begin.data());
    both p{{b, what, built.matrix, a, offsets}, {b, what, built.matrix, a, offsets}};
    const int rule = formats::threads_by_rule(a.nonzeros(), a.rows());
    json record = record_of(what, built.shape);
    record["rule"] = rule;
    record["bytes"] = {{"double", p.in_double.bytes()}, {"double-double", p.in_dd.bytes()}};
    for (const product_algorithm& algorithm : algorithms)
        record["cusparse"].push_back(time_of_rival(b, p, a, algorithm));
    record["papers"] = times_of_paper(p, rule);
    record["ddla"] = times_of_ddla(b, p, what, a);
    std::printf("%-27s %-11s %9ld entries, rule %2d\n", what.name.c_str(), what.kind.c_str(),
                static_cast<long>(a.nonzeros()), rule);
    return record;
}

}  // namespace bench
