// Solves, and checks of solutions.
#include "options.hpp"
#include "preconditioner_argument.hpp"
#include "reports.hpp"
#include "several.hpp"
#include "view.hpp"

using namespace ddla;
using namespace ddla::c;

namespace {

/// A report to hand over.
template <scalar T>
std::unique_ptr<ddla_report> made_report(const reported_matrix& a, solve_report report,
                                         const solve_options& o, const std::string& precond,
                                         const format_report& format)
{
    reported_solve s;
    s.report = std::move(report);
    s.precision = number_traits<T>::name;
    s.method = o.method;
    s.preconditioner = precond;
    s.format = format;
    s.tolerance = o.tolerance;
    s.normwise = o.normwise;
    return std::make_unique<ddla_report>(a, std::move(s));
}

/// The same, if one was asked for.
template <scalar T>
void give_report(ddla_report** to, const reported_matrix& a, solve_report report,
                 const solve_options& o, const std::string& precond, const format_report& format)
{
    if (to) *to = made_report<T>(a, std::move(report), o, precond, format).release();
}

/// Report handles read NULL until a solve is done.
void clear(ddla_report** report)
{
    if (report) *report = nullptr;
}

}  // namespace

extern "C" {

ddla_status ddla_solve(const ddla_matrix* a, const ddla_preconditioner* k, const ddla_vector* b,
                       ddla_vector* x, const ddla_solve_options* options, ddla_report** report)
{
    return guarded([&] {
        clear(report);
        const solve_options o = options_of(options);
        with_product(a, precision_of_vector(b, "b"), [&]<scalar T>(const auto& m) {
            const preconditioner<T> map = preconditioner_of<T>(k);
            auto done = solve(m, map, in<T>(b, "b"), in<T>(x, "x"), o);
            give_report<T>(report, reported(m), std::move(done), o, name_of(map, o), format_of(m));
        });
    });
}

ddla_status ddla_solve_several(const ddla_matrix* a, const ddla_preconditioner* k, int64_t count,
                               const ddla_vector* const* b, ddla_vector* const* x,
                               const ddla_solve_options* options, ddla_report** reports)
{
    return guarded([&] {
        require_count(count);
        for (std::int64_t j = 0; reports && j < count; ++j) reports[j] = nullptr;
        required(b, "b");
        required(x, "x");
        const solve_options o = options_of(options);
        with_product(a, precision_of_vector(b[0], "b[0]"), [&]<scalar T>(const auto& m) {
            const preconditioner<T> map = preconditioner_of<T>(k);
            const auto of_b = vectors_in<T>(b, count, "b");
            const auto of_x = vectors_in<T>(x, count, "x");
            require_apart<T>(of_b, "b", of_x, "x");
            const std::vector<vector<T>> right = copies_of<T>(of_b);
            taken_vectors<T> unknown(of_x);
            std::vector<solve_report> done = solve(m, map, right, unknown.all, o);
            if (!reports) return;
            std::vector<std::unique_ptr<ddla_report>> all;  // all of them, or none
            for (solve_report& one : done)
                all.push_back(
                    made_report<T>(reported(m), std::move(one), o, name_of(map, o), format_of(m)));
            for (std::size_t j = 0; j < all.size(); ++j) reports[j] = all[j].release();
        });
    });
}

ddla_status ddla_solve_operator(const ddla_operator* a, const ddla_preconditioner* k,
                                const ddla_vector* b, ddla_vector* x,
                                const ddla_solve_options* options, ddla_report** report)
{
    return guarded([&] {
        clear(report);
        const solve_options o = options_of(options);
        std::visit(
            [&]<scalar T>(const linear_operator<T>& f) {
                const preconditioner<T> map = preconditioner_of<T>(k);
                auto done = solve(f, map, in<T>(b, "b"), in<T>(x, "x"), o);
                give_report<T>(report, {f.rows(), f.columns(), 0}, std::move(done), o,
                               name_of(map, o), {});
            },
            required(a, "a").map);
    });
}

ddla_status ddla_solve_factors(const ddla_matrix* a, const ddla_factors* f, const ddla_vector* b,
                               ddla_vector* x, const ddla_solve_options* options,
                               ddla_report** report)
{
    return guarded([&] {
        clear(report);
        const solve_options o = options_of(options);
        with_product(a, precision_of_vector(b, "b"), [&]<scalar T>(const auto& m) {
            std::visit(
                [&](const auto& lu) {
                    auto done = solve(m, in<T>(b, "b"), in<T>(x, "x"), lu, o);
                    give_report<T>(report, reported(m), std::move(done), o, "none", format_of(m));
                },
                required(f, "f").lu);
        });
    });
}

ddla_status ddla_solve_four_words(const ddla_matrix* a, const ddla_vector* b, ddla_vector* x,
                                  ddla_vector* x_low, const ddla_solve_options* options,
                                  ddla_report** report)
{
    return guarded([&] {
        clear(report);
        const solve_options o = options_of(options);
        with_matrix(a, "a", [&](const auto& m) {
            auto done =
                solve(m, in<dd_real>(b, "b"), in<dd_real>(x, "x"), in<dd_real>(x_low, "x_low"), o);
            give_report<dd_real>(report, reported(m), std::move(done), o, "none", format_of(m));
        });
    });
}

ddla_status ddla_check_four_words(const ddla_matrix* a, const ddla_vector* b, const ddla_vector* x,
                                  const ddla_vector* x_low, const ddla_check_options* options,
                                  ddla_report** report)
{
    return guarded([&] {
        auto& to = required_handle(report, "report");
        const check_options o = options_of(options);
        with_matrix(a, "a", [&](const auto& m) {
            reported_check checked{
                check(m, in<dd_real>(b, "b"), in<dd_real>(x, "x"), in<dd_real>(x_low, "x_low"), o),
                o.digits, o.normwise};
            checked.solution_words = 4;
            to = new ddla_report(reported(m), std::move(checked));
        });
    });
}

ddla_status ddla_check(const ddla_matrix* a, const ddla_vector* b, const ddla_vector* x,
                       const ddla_check_options* options, ddla_report** report)
{
    return guarded([&] {
        auto& to = required_handle(report, "report");
        const check_options o = options_of(options);
        with_product(a, precision_of_vector(x, "x"), [&]<scalar T>(const auto& m) {
            reported_check checked{check(m, in<T>(b, "b"), in<T>(x, "x"), o), o.digits, o.normwise};
            to = new ddla_report(reported(m), std::move(checked));
        });
    });
}

ddla_status ddla_stream_solve(ddla_stream* on, const ddla_matrix* a, ddla_view b, ddla_view x,
                              const ddla_solve_options* options, ddla_report** report)
{
    return guarded([&] {
        clear(report);
        const solve_options o = options_of(options);
        stream& order = required(on, "on").stream;
        with_view_product(a, b, [&]<scalar T>(const auto& m) {
            auto done = solve(order, m, read<T>(b, "b"), written<T>(x, "x"), o);
            give_report<T>(report, {m.rows, m.columns, m.nonzeros()}, std::move(done), o,
                           std::string(to_string(o.precond)), {});
        });
    });
}
}
