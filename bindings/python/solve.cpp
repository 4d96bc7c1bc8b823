// Solves, and checks of solutions, with the report as JSON.
#include "options.hpp"
#include "preconditioner_argument.hpp"
#include "reports.hpp"

namespace ddla::python {
namespace {

/// x, what x leaves (None unless `low` has it), history, report.
template <scalar T>
nb::tuple told(solve_report&& report, const vector<T>& x, const solve_options& o,
               const std::string& precond, const reported_matrix& about,
               const vector<T>* low = nullptr)
{
    const auto [history, text] = reported_parts<T>(about, std::move(report), o, precond);
    return nb::make_tuple(words_of_vector(x),
                          low ? nb::cast(words_of_vector(*low)) : nb::object(nb::none()), history,
                          text);
}

/// run(b, x, about) solves, without the GIL, and says what A is.
template <scalar T, class Run>
nb::tuple solved(const words_in& b_words, const words_in& x_words, const solve_options& o,
                 const std::string& precond, const Run& run, const vector<T>* low = nullptr)
{
    const vector<T> b = vector_of<T>(b_words);
    vector<T> x = vector_of<T>(x_words);
    reported_matrix about;
    solve_report report;
    {
        const nb::gil_scoped_release released;
        report = run(b, x, about);
    }
    return told(std::move(report), x, o, precond, about, low);
}

template <scalar T>
nb::tuple solve_in(const matrix& a, const nb::object& k, const words_in& b, const words_in& x,
                   const solve_options& o)
{
    const preconditioner<T> map = preconditioner_of<T>(k);
    return solved<T>(b, x, o, name_of(map, o), [&](const auto& rhs, auto& to, auto& about) {
        return with_rows<T>(a, [&](const auto& m) {
            about = reported(m);
            return solve(m, map, rhs, to, o);
        });
    });
}

/// `count` systems, one after the other in b and x; for each what `told` returns.
template <scalar T>
nb::list solve_columns(const matrix& a, const nb::object& k, const words_in& b_words,
                       const words_in& x_words, index_t count, const solve_options& o)
{
    const preconditioner<T> map = preconditioner_of<T>(k);
    const std::vector<vector<T>> b = columns_of<T>(b_words, count);
    std::vector<vector<T>> x = columns_of<T>(x_words, count);
    reported_matrix about;
    std::vector<solve_report> reports;
    {
        const nb::gil_scoped_release released;
        reports = with_rows<T>(a, [&](const auto& m) {
            about = reported(m);
            return solve(m, map, b, x, o);
        });
    }
    nb::list all;
    for (std::size_t j = 0; j < reports.size(); ++j)
        all.append(told(std::move(reports[j]), x[j], o, name_of(map, o), about));
    return all;
}

template <scalar T>
nb::tuple solve_function(index_t n, nb::object function, const nb::object& k, const words_in& b,
                         const words_in& x, const solve_options& o)
{
    const preconditioner<T> map = preconditioner_of<T>(k);
    const linear_operator<T> a(n, n, host_code<T>(std::move(function)));
    return solved<T>(b, x, o, name_of(map, o), [&](const auto& rhs, auto& to, auto& about) {
        about = {n, n, 0};
        return solve(a, map, rhs, to, o);
    });
}

template <scalar T>
nb::tuple solve_with(const matrix& a, const factors& f, const words_in& b, const words_in& x,
                     const solve_options& o)
{
    const factors kept = f;  // another thread may refactor f
    return solved<T>(b, x, o, "none", [&](const auto& rhs, auto& to, auto& about) {
        return with_rows<T>(a, [&](const auto& m) {
            about = reported(m);
            return std::visit([&](const auto& lu) { return solve(m, rhs, to, lu, o); }, kept.lu);
        });
    });
}

nb::tuple solve_four_words(const matrix& a, const words_in& b, const words_in& x,
                           const solve_options& o)
{
    vector<dd_real> low(size_of(x));
    return solved<dd_real>(
        b, x, o, "none",
        [&](const auto& rhs, auto& to, auto& about) {
            return with_rows<dd_real>(a, [&](const auto& m) {
                about = reported(m);
                return solve(m, rhs, to, low, o);
            });
        },
        &low);
}

template <scalar T>
std::string check_in(const matrix& a, const words_in& b_words, const words_in& x_words,
                     const check_options& o, bool is_complex)
{
    const vector<T> b = vector_of<T>(b_words), x = vector_of<T>(x_words);
    const nb::gil_scoped_release released;
    return with_rows<T>(a, [&](const auto& m) {
        reported_matrix about = reported(m);
        about.is_complex = is_complex;
        return report_json(about, reported_check{check(m, b, x, o), o.digits, o.normwise});
    });
}

/// Those with an A and a preconditioner.
void bind_iterated(nb::module_& m)
{
    m.def(
        "solve",
        [](const matrix& a, const nb::object& k, words_in b, words_in x,
           const std::string& precision, const nb::dict& options) {
            const solve_options o = solve_options_of(options, k);
            return in_precision(precision, [&]<scalar T>() { return solve_in<T>(a, k, b, x, o); });
        },
        nb::arg("a"), nb::arg("k").none(), nb::arg("b"), nb::arg("x"), nb::arg("precision"),
        nb::arg("options"));
    m.def(
        "solve_columns",
        [](const matrix& a, const nb::object& k, words_in b, words_in x, index_t count,
           const std::string& precision, const nb::dict& options) {
            const solve_options o = solve_options_of(options, k);
            return in_precision(precision,
                                [&]<scalar T>() { return solve_columns<T>(a, k, b, x, count, o); });
        },
        nb::arg("a"), nb::arg("k").none(), nb::arg("b"), nb::arg("x"), nb::arg("count"),
        nb::arg("precision"), nb::arg("options"));
    m.def(
        "solve_function",
        [](index_t n, nb::object function, const nb::object& k, words_in b, words_in x,
           const std::string& precision, const nb::dict& options) {
            const solve_options o = solve_options_of(options, k);
            return in_precision(
                precision, [&]<scalar T>() { return solve_function<T>(n, function, k, b, x, o); });
        },
        nb::arg("n"), nb::arg("function"), nb::arg("k").none(), nb::arg("b"), nb::arg("x"),
        nb::arg("precision"), nb::arg("options"));
}

}  // namespace

void bind_solves(nb::module_& m)
{
    bind_iterated(m);
    m.def("solve_with", [](const matrix& a, const factors& f, words_in b, words_in x,
                           const std::string& precision, const nb::dict& options) {
        const solve_options o = solve_options_of(options);
        return in_precision(precision, [&]<scalar T>() { return solve_with<T>(a, f, b, x, o); });
    });
    m.def("solve_four_words", [](const matrix& a, words_in b, words_in x, const nb::dict& options) {
        return solve_four_words(a, b, x, solve_options_of(options));
    });
    m.def("check", [](const matrix& a, words_in b, words_in x, const std::string& precision,
                      const nb::dict& options, bool is_complex) {
        const check_options o = check_options_of(options);
        return in_precision(precision,
                            [&]<scalar T>() { return check_in<T>(a, b, x, o, is_complex); });
    });
}

}  // namespace ddla::python
