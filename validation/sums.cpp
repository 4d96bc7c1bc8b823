// Sums and products against exact answers, for lengths up to 10^7 and condition numbers up to 1e60:
// error over bound (docs/arithmetic.md, "Bounds of sums").
//
//     validate_sums RESULTS.json [longest = 1e7]
//
// The results are the same on every machine.  1e7 takes about three minutes and 2 GB.  Exit code 0:
// every error is within its bound; 1: some are not (the first are printed); 2: usage.
#include "../tests/support/ill_conditioned.hpp"
#include "../tests/support/sum_operands.hpp"

#include <ddla/blas.hpp>
#include <ddla/self_test.hpp>
#include <ddla/version.hpp>

#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <map>
#include <nlohmann/json.hpp>

namespace {

using dd = ddla::dd_real;
using ddla::index_t;
using json = nlohmann::ordered_json;
using test::bounded;
using test::exact_number;

template <class T, class V>
constexpr const char* precision()
{
    if constexpr (std::is_same_v<T, double>) return "double";
    return std::is_same_v<V, double> ? "DD, matrix in double" : "DD";
}

/// To three digits: all that a plot shows.
double rounded(double x)
{
    char digits[32];
    std::snprintf(digits, sizeof digits, "%.3g", x);
    return std::strtod(digits, nullptr);
}

/// The largest parts of the bounds that errors take, with what was computed there.
class results {
public:
    /// Of one number.  `where` names the list and the entry of it.
    void add(const char* list, const json& where, bool within, double used)
    {
        ++checked_;
        if (!within && outside_++ < 10)
            std::printf("outside its bound: %s, error / bound %g\n", where.dump().c_str(), used);
        double& most = most_[{list, where.dump()}];
        most = std::fmax(most, used);
    }
    void add_point(json point) { points_.push_back(std::move(point)); }

    bool all_within() const { return outside_ == 0; }
    json to_json(index_t longest) const
    {
        json all{{"ddla", DDLA_VERSION}, {"longest", longest},       {"checked", checked_},
                 {"outside", outside_},  {"lengths", json::array()}, {"ranges", json::array()},
                 {"points", points_}};
        for (const auto& [key, used] : most_) {
            json entry = json::parse(key.second);
            entry["used"] = rounded(used);
            all[key.first].push_back(entry);
        }
        return all;
    }

private:
    std::int64_t checked_ = 0, outside_ = 0;
    std::map<std::pair<std::string, std::string>, double> most_;
    json points_ = json::array();
};

/// DOT, SpMV and the residual of one product; f(name, computed, expected) for each.
template <class T, class V, class F>
void for_each_operation(const test::dot_product<V, T>& p, const F& f)
{
    const index_t n = p.size();
    const auto y = test::vector_of(p.y);
    const bounded dot = test::bounded_dot<T, V>(n, p.value, p.magnitudes);
    if constexpr (std::is_same_v<T, V>) f("dot", ddla::dot(test::vector_of(p.x), y), dot);
    std::vector<ddla::column_t> column(static_cast<std::size_t>(n));
    std::iota(column.begin(), column.end(), ddla::column_t(0));
    const ddla::csr_matrix<V> row(1, n, {0, n}, std::move(column), test::vector_of(p.x));
    ddla::vector<T> z(1);
    ddla::spmv(T(1), row, y, T(0), z);
    f("spmv", T(z[0]), dot);
    const T b = test::close_to<T>(p.value);
    ddla::residual(row, y, ddla::vector<T>{b}, z);
    f("residual", T(z[0]), test::subtracted<T>(test::given(b), dot));
}

template <class T, class V>
class sums_of {
public:
    explicit sums_of(results& to) : to_(to) {}

    /// The largest part of the bound at every length.
    void lengths(index_t longest)
    {
        for (const index_t n : all_lengths(longest)) {
            std::fprintf(stderr, "%s, n = %lld\n", precision<T, V>(), static_cast<long long>(n));
            for (const double c : conditions(n))
                for (int k = 0; k < repetitions(n); ++k)
                    check(n, test::dot_product_of<V, T>(n, c, ++seed_));
        }
    }
    /// Errors of sums of 1000 against their condition number.
    void points()
    {
        for (int power = 0; power <= 60; ++power) {
            const auto p = test::dot_product_of<V, T>(1000, std::pow(10.0, power), ++seed_);
            for_each_operation<T, V>(p, [&](const char* name, const T& z, const bounded& z_exact) {
                if (std::string(name) == "residual") return;
                const auto relative = [&](const exact_number& x) {
                    return rounded(ratio(x, z_exact.value));
                };
                to_.add_point({{"operation", name},
                               {"precision", precision<T, V>()},
                               {"condition", rounded(p.condition())},
                               {"error", relative(exact_number(z) - z_exact.value)},
                               {"bound", relative(z_exact.error)}});
            });
        }
    }

private:
    static std::vector<index_t> all_lengths(index_t longest)
    {
        std::vector<index_t> all(18);
        std::iota(all.begin(), all.end(), index_t(0));
        std::vector<index_t> around;
        for (index_t power = 32; power <= 65536; power *= 2) around.push_back(power);
        for (const index_t tiles : {3, 5, 7, 9, 100, 257, 1000, 4096})
            around.push_back(tiles * 256);
        for (const index_t n : around)
            for (const index_t m : {n - 1, n, n + 1}) all.push_back(m);
        all.push_back(longest);
        std::erase_if(all, [=](index_t n) { return n > longest; });
        std::sort(all.begin(), all.end());
        all.erase(std::unique(all.begin(), all.end()), all.end());
        return all;
    }
    /// Fewer for the longest, for the sake of time.
    static std::vector<double> conditions(index_t n)
    {
        if (n > 1000000) return {2, 1e16, 1e60};
        if (n > 20000) return {2, 1e16, 1e32, 1e60};
        std::vector<double> all{2};
        for (int power = 4; power <= 60; power += 4) all.push_back(std::pow(10.0, power));
        return all;
    }
    static int repetitions(index_t n) { return n < 100 ? 40 : n < 2000 ? 5 : 1; }

    void check(index_t n, const test::dot_product<V, T>& p)
    {
        for_each_operation<T, V>(p, [&](const char* name, const T& z, const bounded& expected) {
            to_.add("lengths", {{"operation", name}, {"precision", precision<T, V>()}, {"n", n}},
                    test::within(z, expected), test::used_of_bound(z, expected));
        });
    }

    results& to_;
    std::uint64_t seed_ = 0;
};

/// ASUM and NRM2 of numbers below 2^e, of about one size and of many.
template <class T>
void norms(results& to, index_t n, int e, int spread)
{
    const auto x = test::scaled(test::random_vector<T>(n, 21, spread), e - spread);
    const auto expected = test::exact_norms_of(x);
    const auto where = [&](const char* name) {
        return json{{"operation", name}, {"precision", precision<T, T>()}, {"exponent", e}};
    };
    const T sum = ddla::asum(x), norm = ddla::nrm2(x);
    to.add("ranges", where("asum"), test::within(sum, expected.asum),
           test::used_of_bound(sum, expected.asum));
    // The bound of the least norms is almost all underflow.
    const bool ordinary = e > -960;
    to.add("ranges", where("nrm2"), test::norm_within(norm, n, expected.squares),
           ordinary ? test::used_of_norm_bound(norm, n, expected.squares) : 0);
}

template <class T>
void ranges(results& to, index_t longest)
{
    std::fprintf(stderr, "%s, ranges\n", precision<T, T>());
    for (const index_t n : {index_t(1), index_t(2), index_t(3), index_t(10), index_t(256),
                            index_t(257), index_t(65537), std::min(longest, index_t(1000001))})
        for (const int e : test::exponents_of_sums(n))
            for (const int spread : {0, 60}) norms<T>(to, n, e, spread);
    for (const int e : {-1000, 999}) norms<T>(to, longest, e, 0);
    test::for_exponents_of_axpy([&](int of_a, int of_x, int of_y) {
        const auto all = test::axpy_operands_of<T>(of_a, of_x, of_y, 500);
        auto z = all.y;
        ddla::axpy(all.a, all.x, z);
        bool within = true;
        double used = 0;
        for (index_t i = 0; i < z.size(); ++i) {
            const bounded& expected = all.expected[static_cast<std::size_t>(i)];
            within = within && test::within(T(z[i]), expected);
            used = std::fmax(used, test::used_of_bound(T(z[i]), expected));
        }
        to.add("ranges",
               {{"operation", "axpy"}, {"precision", precision<T, T>()}, {"exponent", of_a + of_x}},
               within, used);
    });
}

template <class T, class V>
void run(results& to, index_t longest)
{
    sums_of<T, V> sums(to);
    sums.lengths(longest);
    sums.points();
    if constexpr (std::is_same_v<T, V>) ranges<T>(to, longest);
}

}  // namespace

int main(int argc, char** argv)
{
    const double longest = argc > 2 ? std::strtod(argv[2], nullptr) : 1e7;
    if (argc < 2 || argc > 3 || !(longest >= 1 && longest < 1e9)) {
        std::fprintf(stderr, "usage: %s RESULTS.json [longest]\n", argv[0]);
        return 2;
    }
    ddla::require_exact_arithmetic();
    results all;
    run<double, double>(all, static_cast<index_t>(longest));
    run<dd, double>(all, static_cast<index_t>(longest));
    run<dd, dd>(all, static_cast<index_t>(longest));
    std::ofstream out(argv[1]);
    out << all.to_json(static_cast<index_t>(longest)).dump(1) << std::endl;
    if (!out) {
        std::fprintf(stderr, "cannot write %s\n", argv[1]);
        return 2;
    }
    std::printf(all.all_within() ? "every error is within its bound\n" : "OUTSIDE THE BOUND\n");
    return all.all_within() ? 0 : 1;
}
