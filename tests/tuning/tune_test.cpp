// Measuring formats: what is tried, what is kept, and that no bit changes.
#include "catch.hpp"

#include "ddla/error.hpp"
#include "ddla/generate.hpp"
#include "ddla/solve.hpp"
#include "ddla/tune.hpp"
#include "matrix/measure.hpp"
#include "matrix/threads_per_row.hpp"

#include <chrono>
#include <limits>

using namespace ddla;

namespace {

/// Half a second later at each look.
struct ticking_clock {
    using duration = std::chrono::duration<std::int64_t, std::ratio<1, 2>>;
    using time_point = std::chrono::time_point<ticking_clock, duration>;
    static inline std::int64_t ticks = 0;
    static time_point now() { return time_point(duration(ticks++)); }
};

constexpr measure_options short_while{.seconds = 0, .repeats = 1};

template <scalar T, scalar V>
void check_tuning(csr_matrix<V> a)
{
    const vector<T> x(a.columns(), T(1) / T(3));
    vector<T> before(a.rows()), after(a.rows());
    spmv(T(1), a, x, T(0), before);
    const tuning t = tune<T>(a, {.measure = short_while});
    REQUIRE(t.formats.size() == formats_to_try().size());
    REQUIRE(t.fastest);
    CHECK(!t.interrupted);
    CHECK(t.copy_bandwidth > 0);
    CHECK_THAT(t.reason, Catch::Contains("the fastest of"));
    for (const measured_format& m : t.formats) {
        INFO(to_string(m.options.format) << " " << m.refused);
        if (!m.was_measured()) continue;
        CHECK(m.hash == t.fastest->hash);
        CHECK(m.seconds >= t.fastest->seconds);
        CHECK(m.bytes > 0);
        CHECK(m.report.format == m.options.format);
    }
    CHECK(format_of(a).format == t.fastest->report.format);
    spmv(T(1), a, x, T(0), after);
    CHECK(hash_of(after) == hash_of(before));
}

}  // namespace

TEST_CASE("tuning leaves a matrix in the fastest format and changes no bit", "[formats]")
{
    const auto a = generate::skewed(700, 9, 1.0, 3);
    check_tuning<double>(a);
    check_tuning<dd_real>(a);
    check_tuning<dd_real>(generate::hilbert_like<dd_real>(300, 4));
}

TEST_CASE("matrices without entries, and wide ones, can be tuned", "[formats]")
{
    check_tuning<double>(csr_matrix<double>(coordinates<double>{3, 5}));
    check_tuning<double>(
        csr_matrix<double>(coordinates<double>{2, 9, {0, 1, 1}, {8, 0, 4}, {1.0, 2.0, 3.0}}));
    csr_matrix<double> nothing;
    CHECK_NOTHROW(tune<dd_real>(nothing, {.measure = short_while}));
}

TEST_CASE("what is tried: every format, and the threads of crs_t", "[formats]")
{
    const auto count = [](sparse_format f) {
        index_t n = 0;
        for (const format_options& o : formats_to_try()) n += o.format == f;
        return n;
    };
    for (const sparse_format f : all_sparse_formats())
        CHECK(count(f) == (f == sparse_format::crs_t ? 6 : 1));
    CHECK(formats_to_try()[0].format == sparse_format::csr);
    CHECK(formats_to_try({sparse_format::tiles, sparse_format::slices}).size() == 2);
}

TEST_CASE("a matrix keeps what was measured for its later products", "[formats]")
{
    auto a = generate::poisson2d(20, 20);
    const vector<dd_real> b(a.rows(), dd_real(1));
    const solve_options options{.method = method::bicgstab};
    vector<dd_real> x(a.rows()), before(a.rows());
    CHECK(solve(a, b, before, options).status == solve_status::converged);
    const tuning t = tune<dd_real>(a, {.formats = {sparse_format::tiles}, .measure = short_while});
    const auto bytes = bytes_of_product<dd_real>(a);
    CHECK(bytes == t.fastest->bytes);
    CHECK(solve(a, b, x, options).status == solve_status::converged);
    CHECK(hash_of(x) == hash_of(before));
    CHECK(format_of(a).format == sparse_format::tiles);
    const csr_matrix<double> moved = std::move(a);
    CHECK(format_of(moved).format == sparse_format::tiles);
    csr_matrix<double> copy = moved;
    CHECK(bytes_of_product<dd_real>(copy) > bytes);
    set_format<dd_real>(copy, t.fastest->options);
    CHECK(bytes_of_product<dd_real>(copy) == bytes);
}

TEST_CASE("the threads of crs_t alone", "[formats]")
{
    auto a = generate::poisson2d(20, 20);
    const tuning t = tune<double>(a, {.formats = {sparse_format::crs_t}, .measure = short_while});
    REQUIRE(t.formats.size() == 6);
    CHECK(format_of(a).format == sparse_format::crs_t);
    CHECK(format_of(a).threads_per_row == t.fastest->options.threads_per_row);
    const format_report later = set_format<double>(a, {.format = sparse_format::crs_t});
    CHECK(later.threads_per_row == t.fastest->options.threads_per_row);
    CHECK(later.reason ==
          "asked for, " + api::fastest_of(t.formats).reason + ", as measured before");
    CHECK(a.threads().of(words_of<dd_real>) == nullptr);

    csr_matrix<double> some = generate::poisson2d(20, 20);  // not all were measured
    tune<double>(some, {.formats = {sparse_format::crs_t},
                        .measure = short_while,
                        .watch = [](const tune_progress& p) { return p.tried < 5; }});
    CHECK(some.threads().of(words_of<double>) == nullptr);
}

TEST_CASE("the fastest threads a row, and why", "[formats]")
{
    const auto took = [](int threads, double seconds) {
        return measured_format{
            .options = {.format = sparse_format::crs_t, .threads_per_row = threads},
            .seconds = seconds};
    };
    const auto of = [](const std::vector<measured_format>& all) { return api::fastest_of(all); };
    CHECK(of({took(1, 4e-6), took(2, 2e-6), took(4, 3e-6)}).threads == 2);
    CHECK(of({took(1, 4e-6), took(2, 2e-6), took(4, 3e-6)}).reason ==
          "2 threads a row: the fastest of 3, 2 microseconds a product, 4 microseconds a product "
          "with 1");
    CHECK(of({took(1, 2e-6), took(2, 2e-6)}).threads == 1);  // of equals the fewest
    CHECK(of({took(1, 2e-6), took(2, 2e-6)}).reason ==
          "1 thread a row: the fastest of 2, 2 microseconds a product");
    measured_format refused = took(1, 0);
    refused.refused = "no room";
    CHECK(of({refused, took(8, 2e-6)}).threads == 8);
    CHECK(of({refused, took(8, 2e-6)}).reason ==
          "8 threads a row: the fastest of 1, 2 microseconds a product");
    CHECK(of({refused}).threads == 0);
}

TEMPLATE_TEST_CASE("crs_t takes the fastest threads a row, and no other bits", "[formats]", double,
                   dd_real)
{
    auto a = generate::skewed(700, 9, 1.0, 3);
    const vector<TestType> x(a.columns(), TestType(1) / TestType(3));
    vector<TestType> before(a.rows()), after(a.rows());
    spmv(1.0, a, x, 0.0, before);
    const format_report found = set_format<TestType>(a, {.format = sparse_format::crs_t});
    const std::string reason = "asked for, " + std::to_string(found.threads_per_row) +
                               (found.threads_per_row == 1 ? " thread" : " threads") +
                               " a row: the fastest of 6, ";
    CHECK(found.reason.rfind(reason, 0) == 0);
    CHECK(found.seconds >= 6 * 0.002);  // it was measured
    CHECK(format_of(a).reason == found.reason);
    CHECK(format_of(a).threads_per_row == found.threads_per_row);
    spmv(1.0, a, x, 0.0, after);
    CHECK(hash_of(after) == hash_of(before));

    for (const int threads : {1, 8}) {  // given, they are taken
        const auto given =
            set_format<TestType>(a, {.format = sparse_format::crs_t, .threads_per_row = threads});
        CHECK(given.threads_per_row == threads);
        CHECK(given.reason == "asked for");
    }
    csr_matrix<double> nothing(coordinates<double>{3, 5});
    const auto by_rule = set_format<TestType>(nothing, {.format = sparse_format::crs_t});
    CHECK(by_rule.threads_per_row == 1);
    CHECK(by_rule.reason == "asked for, T by the rule of crs_vector, for there are no entries");
}

TEST_CASE("tuning can be watched and ended", "[formats]")
{
    auto a = generate::poisson2d(20, 20);
    std::vector<std::size_t> tried;
    const auto stop_at = [&](std::size_t end) {
        tried.clear();
        tune_options o{.measure = short_while};
        o.watch = [&tried, end](const tune_progress& p) {
            tried.push_back(p.tried);
            CHECK(p.total == formats_to_try().size());
            return p.tried < end;
        };
        return tune<double>(a, o);
    };
    const tuning some = stop_at(3);
    CHECK(some.interrupted);
    CHECK(some.formats.size() == 3);
    CHECK(some.fastest);
    CHECK(tried == std::vector<std::size_t>{0, 1, 2, 3});
    const tuning none = stop_at(0);
    CHECK(none.interrupted);
    CHECK(!none.fastest);
    CHECK(format_of(a).format == sparse_format::csr);
}

TEST_CASE("a format that takes too much memory is refused, the others are measured", "[formats]")
{
    constexpr index_t n = 10'000;
    auto a = generate::poisson2d(100, 100);
    const format_options too_much{.format = sparse_format::slices, .memory_limit = 10'000};
    CHECK_THROWS_AS(set_format(a, too_much), resource_error);
    const tuning t = tune<double>(a, {.formats = {sparse_format::csr, sparse_format::slices},
                                      .measure = short_while,
                                      .memory_limit = 10'000});
    REQUIRE(t.formats.size() == 2);
    CHECK(t.formats[0].was_measured());
    CHECK(!t.formats[1].was_measured());
    CHECK(t.formats[1].seconds == 0);
    CHECK(t.fastest->options.format == sparse_format::csr);

    vector<double> x(n, 1.0), y(n, 7.0);
    CHECK(!measure_format(a, too_much, x, y, short_while).was_measured());
    CHECK(y[3] == 7);
    CHECK(format_of(a).format == sparse_format::csr);
}

TEST_CASE("a measured product is y = A x", "[formats]")
{
    const auto a = generate::poisson2d(20, 20);
    const vector<dd_real> x(400, dd_real(1) / dd_real(3));
    vector<dd_real> y(400), z(400);
    spmv(dd_real(1), a, x, dd_real(0), y);
    const measured_format m = measure_product(a, x, z, {.seconds = 0.001, .repeats = 2});
    CHECK(m.hash == hash_of(y));
    CHECK(hash_of(z) == hash_of(y));
    CHECK(m.seconds > 0);
    CHECK(m.bytes == bytes_of_product<dd_real>(a));
    CHECK(m.share_of(1e9) == Approx(double(m.bytes) / 1e9 / m.seconds));
    CHECK(m.share_of(0) == 0);
    CHECK_THROWS_AS(measure_product(a, x, z, {.repeats = 0}), input_error);
    CHECK_THROWS_AS(measure_product(a, x, z, {.seconds = -1}), input_error);
    CHECK_THROWS_AS(measure_product(a, x, z, {.seconds = std::numeric_limits<double>::infinity()}),
                    input_error);
    vector<dd_real> shorter(399);
    CHECK_THROWS_AS(measure_product(a, x, shorter), input_error);
}

TEST_CASE("copies are measured in as much memory as wanted", "[formats]")
{
    const measure_options short_time{.seconds = 0.001, .repeats = 2};
    for (const std::size_t bytes : {std::size_t(0), std::size_t(1), std::size_t(1) << 20})
        CHECK(copy_bandwidth_of(bytes, host, short_time) > 0);
    CHECK_THROWS_AS(copy_bandwidth_of(1024, host, {.repeats = 0}), input_error);
}

TEST_CASE("the speed of a copy counts what is read and what is written, a second", "[formats]")
{
    const auto speed = [](std::size_t bytes, int repeats) {
        ticking_clock::ticks = 0;
        return api::copy_bandwidth_by<ticking_clock>(bytes, host,
                                                     {.seconds = 0, .repeats = repeats});
    };
    // Two vectors of half as much; copying takes a tick, half a second.
    CHECK(speed(1 << 20, 5) == 2 * (1 << 20));
    CHECK(speed(1000, 1) == 2 * 992);  // whole elements
    CHECK(speed(0, 1) == 2 * 16);      // at least one
    CHECK(ticking_clock::ticks > 0);
}

TEST_CASE("the median of what a call takes, short calls in batches", "[formats]")
{
    // A call takes as many ticks as there were calls before: it costs more than the one before.
    std::int64_t calls = 0;
    const auto call = [&] { ticking_clock::ticks += calls++; };
    const api::timed_call<ticking_clock, decltype(call)> watch(api::engine_at(host), call);
    // Two to begin with, then calls 2 ... 6, and a tick for the clock itself: call 4 is in the
    // middle.
    CHECK(watch.median_seconds({.seconds = 0, .repeats = 5}) == 0.5 * (4 + 1));
    CHECK(calls == 7);
    // Call 8 takes 4.5 seconds: one repeat in 90 is a batch of 20, which is more than enough.
    CHECK(watch.median_seconds({.seconds = 90, .repeats = 1}) == 0.5 * (18.5 * 20 + 1) / 20);
    CHECK(calls == 29);
}

TEST_CASE("other bits in another format are a fault of ddla", "[formats]")
{
    measured_format a, b, refused;
    a.hash = b.hash = 5;
    refused.refused = "no room";
    b.options.format = sparse_format::slices;
    CHECK_NOTHROW(require_equal_hashes({a, refused, b}));
    CHECK_NOTHROW(require_equal_hashes({}));
    b.hash = 6;
    CHECK_THROWS_AS(require_equal_hashes({refused, a, b}), internal_error);
    CHECK_THROWS_WITH(require_equal_hashes({a, b}),
                      Catch::Contains("5 in ") && Catch::Contains("6 in slices"));
}
