// The caller's floating-point mode changes no bit of ddla's results, and comes back as it was.
#include "catch.hpp"

#include <ddla/ddla.hpp>

#include <cfenv>
#include <functional>
#include <memory>
#include <thread>
#include <utility>

#if defined(__SSE2__)
#include <immintrin.h>

namespace {

/// Runs f in a mode, on a thread of its own, and requires that it keeps that mode.
void in_mode(unsigned bits, const std::function<void()>& f)
{
    unsigned before = 0, after = 0;
    std::thread([&] {
        _mm_setcsr(_mm_getcsr() | bits);
        before = _mm_getcsr() & 0xffc0;
        f();
        after = _mm_getcsr() & 0xffc0;
    }).join();
    CHECK(before == after);
    CHECK((before & bits) == bits);
}

constexpr unsigned modes[] = {0x8000, 0x0040, 0x8040, 0x2000, 0x4000, 0x6000, 0xe040};

}  // namespace

TEST_CASE("A caller's floating-point mode changes no bit", "[fp_mode]")
{
    const ddla::csr_matrix<double> a = ddla::generate::poisson2d(40, 40);
    ddla::vector<ddla::dd_real> b(a.rows(), ddla::dd_real(1) / 3), x(a.rows());
    const ddla::vector<double> tiny(1000, 0x1p-1030), tenth(1000, 0.1);
    ddla::solve(a, b, x, {.tolerance = 1e-25});
    const auto hash = ddla::hash_of(x);
    const double sum = ddla::asum(tenth);
    for (const unsigned mode : modes) {
        CAPTURE(mode);
        ddla::dd_real read, tiny_sum;
        std::string text;
        double again = 0;
        std::uint64_t hash_again = 0;
        in_mode(mode, [&] {
            ddla::vector<ddla::dd_real> y(a.rows());
            ddla::solve(a, b, y, {.tolerance = 1e-25});
            hash_again = ddla::hash_of(y);
            again = ddla::asum(tenth);
            tiny_sum = ddla::asum(tiny);
            read = ddla::parse_dd("0.1");
            text = ddla::to_string(ddla::dd_real(0.1, 0x1p-60), 30);
        });
        CHECK(hash_again == hash);
        CHECK(again == sum);
        CHECK(double(tiny_sum) == 1000 * 0x1p-1030);
        CHECK(read.hi == 0.1);
        CHECK(read.lo == -0x1.999999999999ap-58);
        CHECK(text == ddla::to_string(ddla::dd_real(0.1, 0x1p-60), 30));
    }
}

TEST_CASE("Threads of the pool begin in the right mode, callers' code leaves none", "[fp_mode]")
{
    const ddla::csr_matrix<double> a = ddla::generate::poisson2d(40, 40);
    const ddla::vector<ddla::dd_real> b(a.rows(), 1.0);
    ddla::vector<ddla::dd_real> x(a.rows()), y(a.rows());
    const auto apply = [&](bool spoils) {
        return ddla::linear_operator<ddla::dd_real>(
            a.rows(), a.rows(),
            [&a, spoils](ddla::vec<const ddla::dd_real> in, ddla::vec<ddla::dd_real> out) {
                ddla::vector<ddla::dd_real> u(in.size), v(in.size);
                for (ddla::index_t i = 0; i < in.size; ++i) u.set(i, in.get(i));
                ddla::spmv(1.0, a, u, 0.0, v);
                for (ddla::index_t i = 0; i < in.size; ++i) out.set(i, v[i]);
                if (spoils) _mm_setcsr(_mm_getcsr() | 0xe040);
            });
    };
    const ddla::solve_options options{.method = ddla::method::cg, .tolerance = 1e-25};
    ddla::solve(apply(false), b, x, options);
    ddla::solve(apply(true), b, y, options);
    CHECK(ddla::hash_of(x) == ddla::hash_of(y));
    CHECK((_mm_getcsr() & 0xe040) == 0);
}

namespace {

/// A watch that leaves another mode, and has seen which modes it was called in.
class spoiling_watch {
public:
    template <class... Progress>
    bool operator()(const Progress&...)
    {
        seen_->first |= _mm_getcsr() & 0xe040;
        ++seen_->second;
        _mm_setcsr(_mm_getcsr() | 0xe040);
        return true;
    }
    /// The modes it was called in since the last call of this; it must have been called twice.
    unsigned seen()
    {
        CHECK(seen_->second > 1);
        return std::exchange(*seen_, {0, 0}).first;
    }

private:
    std::shared_ptr<std::pair<unsigned, int>> seen_ = std::make_shared<std::pair<unsigned, int>>();
};

}  // namespace

TEST_CASE("Watches that leave another mode do not change ddla's", "[fp_mode]")
{
    using ddla::dd_real;
    using ddla::vector;
    const auto a = ddla::generate::poisson2d(60, 60);
    const vector<dd_real> b(a.rows(), 1.0);
    spoiling_watch watch;
    vector<dd_real> x(a.rows()), low(a.rows());
    const auto in_each_mode = [&](const char* what, const std::function<void()>& f) {
        INFO(what);
        in_mode(0x2000, f);
        CHECK(watch.seen() == 0);
    };
    in_each_mode("iterations", [&] {
        ddla::solve(a, b, x, {.method = ddla::method::cg, .check_every = 1, .watch = watch});
    });
    in_each_mode("factors", [&] { ddla::solve(a, b, x, {.watch = watch}); });
    in_each_mode("four words", [&] { ddla::solve(a, b, x, low, {.watch = watch}); });
    const ddla::lu_factors<double> f(a);
    in_each_mode("factors of the caller", [&] {
        vector<dd_real> y(a.rows());
        ddla::solve(a, b, y, f, {.digits = 31, .watch = watch});
    });
    in_each_mode("several systems", [&] {
        std::vector<vector<dd_real>> several_b(2, b), several_x(2, vector<dd_real>(a.rows()));
        ddla::solve(a, several_b, several_x,
                    {.method = ddla::method::cg, .check_every = 1, .watch = watch});
    });
    in_each_mode("check", [&] { ddla::check(a, b, x, {.watch = watch}); });
    in_each_mode("a scope", [&] {
        const ddla::watched_scope scope(watch);
        ddla::lu_factors<dd_real> made(a);
    });
    in_each_mode("the choice of a format", [&] {
        auto tuned = a;
        ddla::tune<double>(tuned,
                           {.formats = {ddla::sparse_format::csr, ddla::sparse_format::crs_scalar},
                            .measure = {.seconds = 1e-4, .repeats = 1},
                            .watch = watch});
    });
}

TEST_CASE("Who says where to iterate may leave another mode", "[fp_mode]")
{
    const auto a = ddla::generate::poisson2d(40, 40);
    const ddla::vector<ddla::dd_real> b(a.rows(), ddla::dd_real(1) / 3);
    bool spoils = false;
    ddla::solve_options options{.tolerance = 1e-25, .place_of_iterations = [&] {
                                    if (spoils) _mm_setcsr(_mm_getcsr() | 0xe040);
                                    return ddla::host;
                                }};
    options.factorisation.most_work = 1e-9;
    ddla::vector<ddla::dd_real> x(a.rows()), y(a.rows());
    ddla::solve(a, b, x, options);
    spoils = true;
    in_mode(0, [&] { ddla::solve(a, b, y, options); });
    CHECK(ddla::hash_of(x) == ddla::hash_of(y));
}

TEST_CASE("The mode comes back behind an error", "[fp_mode]")
{
    const auto a = ddla::generate::poisson2d(4, 4);
    for (const unsigned mode : modes)
        in_mode(mode, [&] {
            ddla::vector<double> x(3), b(a.rows());
            CHECK_THROWS_AS(ddla::solve(a, b, x), ddla::input_error);
            CHECK_THROWS_AS(ddla::parse_dd("one"), ddla::input_error);
            const ddla::linear_operator<double> fails(
                16, 16, [](ddla::vec<const double>, ddla::vec<double>) {
                    _mm_setcsr(_mm_getcsr() ^ 0xe040);
                    throw std::runtime_error("no product");
                });
            ddla::vector<double> y(a.rows());
            b.set(0, 1);
            CHECK_THROWS_AS(ddla::solve(fails, b, y, {.method = ddla::method::cg}),
                            std::runtime_error);
        });
}
#endif
