// Elementwise operations, sums, and decimal text.
#include "arrays.hpp"

#include "ddla/fp_mode.hpp"
#include "ddla/summation.hpp"
#include "ddla/text.hpp"

#include <nanobind/stl/pair.h>

#include <memory>
#include <optional>

namespace ddla::python {
namespace {

/// z_i = f(x_i, y_i); an operand in double keeps its own, cheaper operation.
template <class F>
words_out each_pair(const words_in& x, const words_in& y, const F& f)
{
    const index_t n = size_of(x);
    if (size_of(y) != n) throw nb::value_error("the operands differ in size");
    words_out z = new_words(2, n);
    double *const hi = z.data(), *const lo = hi + n;
    const auto loop = [&](const auto& x_at, const auto& y_at) {
        for (index_t i = 0; i < n; ++i) {
            const dd_real r = f(x_at(i), y_at(i));
            hi[i] = r.hi;
            lo[i] = r.lo;
        }
    };
    const double *const a = x.data(), *const b = y.data();
    const auto x_dd = [=](index_t i) { return dd_real(a[i], a[i + n]); };
    const auto y_dd = [=](index_t i) { return dd_real(b[i], b[i + n]); };
    const auto x_double = [=](index_t i) { return a[i]; };
    const auto y_double = [=](index_t i) { return b[i]; };
    const fp_mode_guard exact;
    const nb::gil_scoped_release released;
    if (is_dd(x) && is_dd(y))
        loop(x_dd, y_dd);
    else if (is_dd(x))
        loop(x_dd, y_double);
    else if (is_dd(y))
        loop(x_double, y_dd);
    else
        loop([&](index_t i) { return dd_real(x_double(i)); }, y_double);
    return z;
}

words_out add(const words_in& x, const words_in& y)
{
    return each_pair(x, y, [](auto a, auto b) { return a + b; });
}
words_out subtract(const words_in& x, const words_in& y)
{
    return each_pair(x, y, [](auto a, auto b) { return a - b; });
}
words_out multiply(const words_in& x, const words_in& y)
{
    return each_pair(x, y, [](auto a, auto b) { return a * b; });
}
words_out divide(const words_in& x, const words_in& y)
{
    return each_pair(x, y, [](auto a, auto b) { return a / b; });
}
words_out square_root(const words_in& x)
{
    return each_pair(x, x, [](auto a, auto) { return sqrt(dd_real(a)); });
}

/// f(vectors) without the GIL, in the precision of x and y together.
template <class F>
std::pair<double, double> reduce(const words_in& x, const words_in& y, const F& f)
{
    if (size_of(x) != size_of(y)) throw nb::value_error("the operands differ in size");
    const vector<dd_real> a = vector_of<dd_real>(x), b = vector_of<dd_real>(y);
    const nb::gil_scoped_release released;
    const dd_real r = f(a, b);
    return {r.hi, r.lo};
}

std::pair<double, double> dot_of(const words_in& x, const words_in& y)
{
    return reduce(x, y, [](const auto& a, const auto& b) { return dot(a, b); });
}
std::pair<double, double> nrm2_of(const words_in& x)
{
    return reduce(x, x, [](const auto& a, const auto&) { return nrm2(a); });
}
std::pair<double, double> asum_of(const words_in& x)
{
    return reduce(x, x, [](const auto& a, const auto&) { return asum(a); });
}

/// The sum by the library's rule.
std::pair<double, double> sum_of(const words_in& x)
{
    const vector<dd_real> a = vector_of<dd_real>(x);
    const fp_mode_guard exact;
    const nb::gil_scoped_release released;
    // Five tiles would be much for the stack of a thread.
    const auto rule = std::make_unique<running_sum<dd_real>>();
    for (const dd_real term : a) rule->add(term);
    const dd_real r = rule->sum(dd_real(0));
    return {r.hi, r.lo};
}

std::uint64_t hash_of_words(const words_in& x)
{
    return is_dd(x) ? hash_of(vector_of<dd_real>(x)) : hash_of(vector_of<double>(x));
}

/// The mode of the processor for a block of Python's own arithmetic.
class exact_mode {
public:
    void enter() { guard_.emplace(); }
    void exit(const nb::args&) { guard_.reset(); }

private:
    std::optional<fp_mode_guard> guard_;
};

std::pair<double, double> parse(const std::string& text)
{
    const dd_real x = parse_dd(text);
    return {x.hi, x.lo};
}

}  // namespace

void bind_numbers(nb::module_& m)
{
    nb::class_<exact_mode>(m, "exact_mode")
        .def(nb::init<>())
        .def("__enter__", &exact_mode::enter)
        .def("__exit__", &exact_mode::exit);
    m.def("add", add);
    m.def("subtract", subtract);
    m.def("multiply", multiply);
    m.def("divide", divide);
    m.def("sqrt", square_root);
    m.def("dot", dot_of);
    m.def("nrm2", nrm2_of);
    m.def("asum", asum_of);
    m.def("sum", sum_of);
    m.def("hash_of", hash_of_words);
    m.def("parse", parse);
    m.def("to_string", [](double hi, double lo) { return to_string(dd_real(hi, lo)); });
    m.def("to_string",
          [](double hi, double lo, int digits) { return to_string(dd_real(hi, lo), digits); });
}

}  // namespace ddla::python
