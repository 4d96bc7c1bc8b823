// Solves, and checks of solutions, with the report as JSON.
#include "factors.hpp"
#include "options.hpp"

#include "ddla/report_json.hpp"

namespace ddla::python {
namespace {

/// x, what x leaves (an empty array unless four words were asked for), history, report.
template <scalar T>
nb::tuple answer(const reported_matrix& a, const vector<T>& x, const nb::object& low,
                 const solve_report& r, const solve_options& o, const std::string& precond)
{
    reported_solve s;
    s.report = r;
    s.precision = number_traits<T>::name;
    s.method = o.method;
    s.preconditioner = precond;
    s.tolerance = o.tolerance;
    s.normwise = o.normwise;
    vector<double> history(static_cast<index_t>(r.history.size()));
    std::copy(r.history.begin(), r.history.end(), history.word(0).begin());
    return nb::make_tuple(words_of_vector(x), low, words_of_vector(history), report_json(a, {s}));
}

template <scalar T>
preconditioner<T> preconditioner_of(const nb::object& k)
{
    if (k.is_none()) return {};
    const auto& given = nb::cast<const placed_preconditioner&>(k);
    if (const auto* const map = std::get_if<preconditioner<T>>(&given.map)) return *map;
    throw nb::type_error("M is not in the precision of the solve");
}

template <scalar T>
nb::tuple solve_in(const matrix& a, const nb::object& k, const words_in& b_words,
                   const words_in& x_words, const solve_options& o)
{
    const preconditioner<T> map = preconditioner_of<T>(k);
    const vector<T> b = vector_of<T>(b_words);
    vector<T> x = vector_of<T>(x_words);
    solve_report r;
    reported_matrix about;
    {
        const nb::gil_scoped_release released;
        with_rows<T>(a, [&](const auto& m) {
            r = solve(m, map, b, x, o);
            about = reported(m);
        });
    }
    const std::string name = map.is_none() ? std::string(to_string(o.precond)) : map.name();
    return answer(about, x, nb::none(), r, o, name);
}

template <scalar T>
nb::tuple solve_function(index_t n, nb::object function, const nb::object& k,
                         const words_in& b_words, const words_in& x_words, const solve_options& o)
{
    const preconditioner<T> map = preconditioner_of<T>(k);
    const linear_operator<T> a(n, n, host_code<T>(std::move(function)));
    const vector<T> b = vector_of<T>(b_words);
    vector<T> x = vector_of<T>(x_words);
    solve_report r;
    {
        const nb::gil_scoped_release released;
        r = solve(a, map, b, x, o);
    }
    const std::string name = map.is_none() ? std::string(to_string(o.precond)) : map.name();
    return answer({n, n, 0}, x, nb::none(), r, o, name);
}

template <scalar T>
nb::tuple solve_with(const matrix& a, const factors& f, const words_in& b_words,
                     const words_in& x_words, const solve_options& o)
{
    const vector<T> b = vector_of<T>(b_words);
    vector<T> x = vector_of<T>(x_words);
    solve_report r;
    reported_matrix about;
    {
        const nb::gil_scoped_release released;
        with_rows<T>(a, [&](const auto& m) {
            std::visit([&](const auto& lu) { r = solve(m, b, x, lu, o); }, f.lu);
            about = reported(m);
        });
    }
    return answer(about, x, nb::none(), r, o, "none");
}

nb::tuple solve_four_words(const matrix& a, const words_in& b_words, const words_in& x_words,
                           const solve_options& o)
{
    const vector<dd_real> b = vector_of<dd_real>(b_words);
    vector<dd_real> x = vector_of<dd_real>(x_words), low(x.size());
    solve_report r;
    reported_matrix about;
    {
        const nb::gil_scoped_release released;
        with_rows<dd_real>(a, [&](const auto& m) {
            r = solve(m, b, x, low, o);
            about = reported(m);
        });
    }
    return answer(about, x, nb::cast(words_of_vector(low)), r, o, "none");
}

template <scalar T>
std::string check_in(const matrix& a, const words_in& b_words, const words_in& x_words,
                     const check_options& o)
{
    const vector<T> b = vector_of<T>(b_words), x = vector_of<T>(x_words);
    const nb::gil_scoped_release released;
    return with_rows<T>(a, [&](const auto& m) {
        return report_json(reported(m), reported_check{check(m, b, x, o), o.digits, o.normwise});
    });
}

}  // namespace

void bind_solves(nb::module_& m)
{
    m.def(
        "solve",
        [](const matrix& a, const nb::object& k, words_in b, words_in x,
           const std::string& precision, const nb::dict& options) {
            const solve_options o = solve_options_of(options);
            return in_precision(precision, [&]<scalar T>() { return solve_in<T>(a, k, b, x, o); });
        },
        nb::arg("a"), nb::arg("k").none(), nb::arg("b"), nb::arg("x"), nb::arg("precision"),
        nb::arg("options"));
    m.def(
        "solve_function",
        [](index_t n, nb::object function, const nb::object& k, words_in b, words_in x,
           const std::string& precision, const nb::dict& options) {
            const solve_options o = solve_options_of(options);
            return in_precision(
                precision, [&]<scalar T>() { return solve_function<T>(n, function, k, b, x, o); });
        },
        nb::arg("n"), nb::arg("function"), nb::arg("k").none(), nb::arg("b"), nb::arg("x"),
        nb::arg("precision"), nb::arg("options"));
    m.def("solve_with", [](const matrix& a, const factors& f, words_in b, words_in x,
                           const std::string& precision, const nb::dict& options) {
        const solve_options o = solve_options_of(options);
        return in_precision(precision, [&]<scalar T>() { return solve_with<T>(a, f, b, x, o); });
    });
    m.def("solve_four_words", [](const matrix& a, words_in b, words_in x, const nb::dict& options) {
        return solve_four_words(a, b, x, solve_options_of(options));
    });
    m.def("check", [](const matrix& a, words_in b, words_in x, const std::string& precision,
                      const nb::dict& options) {
        const check_options o = check_options_of(options);
        return in_precision(precision, [&]<scalar T>() { return check_in<T>(a, b, x, o); });
    });
}

}  // namespace ddla::python
