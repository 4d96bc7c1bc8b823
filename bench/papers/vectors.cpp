// Vector operations over n beside cuBLAS, and double-double in three layouts.
#include "layouts.hpp"
#include "paper_bench.hpp"

#include "support/cusparse_arrays.hpp"

#include "ddla/blas.hpp"
#include "ddla/error.hpp"
#include "ddla/generate.hpp"
#include "ddla/interop/pair.hpp"

#include <cmath>
#include <utility>

namespace bench {

using namespace ddla;

namespace {

constexpr double small = 1e-9;  ///< so that y stays as it is over many axpys

/// Device memory of what is measured for one n.
struct vectors_of_n {
    vector<double> x, y;
    vector<dd_real> x_dd, y_dd;
    buffer pairs_x, pairs_y, scratch{2048 * sizeof(dd_real), there};
    buffer factor{2 * sizeof(double), there}, result{sizeof(dd_real), there};

    explicit vectors_of_n(index_t n)
        : x(random_vector<double>(n, 1)), y(random_vector<double>(n, 2)),
          x_dd(random_vector<dd_real>(n, 1)), y_dd(random_vector<dd_real>(n, 2)),
          pairs_x(static_cast<std::size_t>(n) * sizeof(dd_pair), there),
          pairs_y(static_cast<std::size_t>(n) * sizeof(dd_pair), there)
    {
        const double a[2] = {small, 0};
        copy_bytes(factor.data(), there, a, host, sizeof a);
    }
    const double* a() const { return static_cast<const double*>(factor.data()); }
    const dd_real* a_dd() const { return static_cast<const dd_real*>(factor.data()); }
    double* sum() const { return static_cast<double*>(result.data()); }
    dd_real* sum_dd() const { return static_cast<dd_real*>(result.data()); }
    dd_real* sums() const { return static_cast<dd_real*>(scratch.data()); }
};

template <class Layout>
Layout in_layout(vec<dd_real> words, const buffer& pairs)
{
    return Layout::of(words.word(0), words.word(1), pairs.data());
}

/// The pairs become what the vectors are.
void fill_pairs(paper_bench& b, vectors_of_n& v, index_t n)
{
    const auto of = [n](const buffer& memory) {
        return std::span(static_cast<dd_pair*>(memory.data()), static_cast<std::size_t>(n));
    };
    interleave(b.on, std::as_const(v.x_dd).view().part(0, n), of(v.pairs_x));
    interleave(b.on, std::as_const(v.y_dd).view().part(0, n), of(v.pairs_y));
}

json times_of_cublas(paper_bench& b, vectors_of_n& v, index_t n)
{
    const double* const x = v.x.view().word(0);
    double* const y = v.y.view().word(0);
    b.rivals.scalars_on_device();
    return {{"dot", b.time([&] { b.rivals.dot(n, x, y, v.sum()); })},
            {"nrm2", b.time([&] { b.rivals.nrm2(n, x, v.sum()); })},
            {"axpy", b.time([&] { b.rivals.axpy(n, v.a(), x, y); })}};
}

template <scalar T>
json times_of_ddla(paper_bench& b, vec<const T> x, vec<T> y, const T* a, T* result)
{
    const scalar_operand<T> factor = a;
    return {{"dot", b.time([&] { dot(b.on, x, y, result); })},
            {"nrm2", b.time([&] { nrm2(b.on, x, result); })},
            {"axpy", b.time([&] { axpy(b.on, factor, x, y); })},
            {"axpyz", b.time([&] { axpyz(b.on, factor, x, y, y); })},
            {"xpay", b.time([&] { xpay(b.on, x, factor, y); })}};
}

dd_real read(const dd_real* at)
{
    dd_real value;
    copy_bytes(&value, host, at, there, sizeof value);
    return value;
}

/// Checked by the dot product of what axpy leaves, which ddla computes, too.
template <class Layout>
json times_of_layout(paper_bench& b, vectors_of_n& v, index_t n, dd_real expected)
{
    fill_pairs(b, v, n);
    const auto x = in_layout<Layout>(v.x_dd.view(), v.pairs_x),
               y = in_layout<Layout>(v.y_dd.view(), v.pairs_y);
    const auto dot_once = [&] { plain_dot(n, x, y, v.sums(), v.sum_dd(), b.native); };
    dot_once();
    b.on.wait();
    const double difference = std::abs(double(read(v.sum_dd()) - expected));
    b.agreements.require(difference <= 1e-29 * static_cast<double>(n),
                         std::string(Layout::name) + ": a dot product of " + std::to_string(n) +
                             " elements differs from ddla's by " + std::to_string(difference));
    const double of_dot = b.time(dot_once);
    return {{"layout", Layout::name},
            {"dot", of_dot},
            {"axpy", b.time([&] { plain_axpy(n, dd_real(small), x, y, b.native); })}};
}

json record_of_n(paper_bench& b, vectors_of_n& v, index_t n)
{
    const vec<const double> x = std::as_const(v.x).view().part(0, n);
    const vec<const dd_real> x_dd = std::as_const(v.x_dd).view().part(0, n);
    const vec<dd_real> y_dd = v.y_dd.view().part(0, n);
    json one = {{"name", std::to_string(n)}, {"kind", "vectors"}, {"n", n}};
    one["cublas"] = times_of_cublas(b, v, n);
    one["double"] = times_of_ddla<double>(b, x, v.y.view().part(0, n), v.a(), v.sum());
    const dd_real expected = dot(b.on, x_dd, y_dd);
    one["layouts"] = json::array();
    one["layouts"].push_back(times_of_layout<two_arrays>(b, v, n, expected));
    const dd_real now = dot(b.on, x_dd, y_dd);  // the first layout is ddla's own vectors
    one["layouts"].push_back(times_of_layout<one_array_of_pairs>(b, v, n, now));
    one["layouts"].push_back(times_of_layout<one_array_of_words>(b, v, n, now));
    one["double-double"] = times_of_ddla<dd_real>(b, x_dd, y_dd, v.a_dd(), v.sum_dd());
    return one;
}

template <class Layout>
json time_of_product(paper_bench& b, const csr_matrix<double>& a, const crs_rows& rows,
                     const vector<dd_real>& expected)
{
    const index_t n = a.rows();
    vectors_of_n v(n);
    fill_pairs(b, v, n);
    const auto x = in_layout<Layout>(v.x_dd.view(), v.pairs_x),
               y = in_layout<Layout>(v.y_dd.view(), v.pairs_y);
    plain_product(rows, x, y, b.native);
    if constexpr (!std::is_same_v<Layout, two_arrays>)
        split(b.on,
              std::span(static_cast<const dd_pair*>(v.pairs_y.data()), static_cast<std::size_t>(n)),
              v.y_dd.view());
    b.on.wait();
    vector<dd_real> difference = v.y_dd;
    axpy(dd_real(-1.0), expected, difference);
    const double relative = double(nrm2(difference)) / double(nrm2(expected));
    b.agreements.require(relative <= 1e-29, std::string(Layout::name) +
                                                ": a product differs from ddla's by " +
                                                std::to_string(relative));
    return {{"layout", Layout::name},
            {"spmv", b.time([&] { plain_product(rows, x, y, b.native); })}};
}

json record_of_products(paper_bench& b, const std::string& name, const csr_matrix<double>& a)
{
    const buffer begin = narrow_row_begin(a, b.native);
    const crs_rows rows{static_cast<int>(a.rows()), static_cast<const std::int32_t*>(begin.data()),
                        a.view().column, a.view().value.word(0)};
    const vector<dd_real> x = random_vector<dd_real>(a.columns(), 1);
    vector<dd_real> y(a.rows(), there);
    spmv(b.on, dd_real(1.0), a.view(), x.view(), dd_real(0.0), y.view());
    b.on.wait();
    return {{"name", name},
            {"kind", "layouts of a product"},
            {"rows", a.rows()},
            {"entries", a.nonzeros()},
            {"layouts", json::array({time_of_product<two_arrays>(b, a, rows, y),
                                     time_of_product<one_array_of_pairs>(b, a, rows, y),
                                     time_of_product<one_array_of_words>(b, a, rows, y)})}};
}

/// Eight sizes to each power of four, so that a step shows; and the two between which the paper
/// saw one.
std::vector<index_t> sizes(bool quick)
{
    std::vector<index_t> all{36'441, 38'434};
    for (int e = 40; e <= (quick ? 80 : 104); ++e)
        all.push_back(static_cast<index_t>(std::llround(std::exp2(e / 4.0))));
    std::sort(all.begin(), all.end());
    return all;
}

}  // namespace

void measure_vectors(paper_bench& b, record_file& results, bool quick)
{
    const std::vector<index_t> all = sizes(quick);
    vectors_of_n v(all.back());
    for (const index_t n : all) {
        if (b.out_of_time(results)) return;
        if (!results.has(std::to_string(n), "vectors")) results.add(record_of_n(b, v, n));
    }
    const int edge = quick ? 32 : 128;
    const std::string cube = "7-point " + std::to_string(edge) + "^3";
    if (!results.has(cube, "layouts of a product"))
        results.add(record_of_products(b, cube,
                                       generate::convection_diffusion(edge, edge, edge).to(there)));
    const index_t n = quick ? 50'000 : 1'000'000;
    const std::string random = "random " + std::to_string(n) + " x 21";
    if (!results.has(random, "layouts of a product"))
        results.add(record_of_products(b, random, generate::random(n, 21, 0.1, 1).to(there)));
}

}  // namespace bench
