// Matrices whose rows are shared among ranks, by a communicator of Python.
#include "matrices.hpp"
#include "options.hpp"
#include "reports.hpp"

#include "ddla/distributed.hpp"

#include <memory>
#include <span>

namespace ddla::python {
namespace {

nb::object memory_of(const std::byte* data, std::size_t bytes, int access)
{
    // The memory of what is sent is only read.
    char* const memory = reinterpret_cast<char*>(const_cast<std::byte*>(data));
    static char nothing = 0;
    return nb::steal(PyMemoryView_FromMemory(bytes > 0 ? memory : &nothing,
                                             static_cast<Py_ssize_t>(bytes), access));
}
nb::object memory_of(std::span<const std::byte> bytes)
{
    return memory_of(bytes.data(), bytes.size(), PyBUF_READ);
}
nb::object memory_of(std::span<std::byte> bytes)
{
    return memory_of(bytes.data(), bytes.size(), PyBUF_WRITE);
}

/// By an object of _ranks.py, whose functions move bytes; called where the GIL is not held.
class called_communicator final : public communicator {
public:
    called_communicator(nb::object functions, int rank, int size)
        : functions_(new nb::object(std::move(functions)),
                     [](nb::object* p) {
                         const nb::gil_scoped_acquire held;
                         delete p;
                     }),
          rank_(rank), size_(size)
    {
    }

    int rank() const override { return rank_; }
    int size() const override { return size_; }
    void all_gather(std::span<const std::byte> mine, std::span<std::byte> all,
                    std::span<const std::size_t> bytes) override
    {
        const nb::gil_scoped_acquire held;
        nb::list counts;
        for (const std::size_t n : bytes) counts.append(n);
        functions_->attr("all_gather")(memory_of(mine), memory_of(all), counts);
    }
    void start_exchange(std::span<const outgoing> sent, std::span<const incoming> received) override
    {
        const nb::gil_scoped_acquire held;
        nb::list out, in;
        for (const outgoing& one : sent) out.append(nb::make_tuple(one.to, memory_of(one.bytes)));
        for (const incoming& one : received)
            in.append(nb::make_tuple(one.from, memory_of(one.bytes)));
        functions_->attr("start_exchange")(out, in);
    }
    void finish_exchange() override
    {
        const nb::gil_scoped_acquire held;
        functions_->attr("finish_exchange")();
    }
    void fail(const char* why) noexcept override
    {
        const nb::gil_scoped_acquire held;
        try {
            functions_->attr("fail")(why);
        } catch (...) {  // the error of the call is the one to be seen
        }
    }

private:
    std::shared_ptr<nb::object> functions_;
    int rank_, size_;
};

struct distributed {
    std::variant<distributed_matrix<double>, distributed_matrix<dd_real>> rows;
};

template <scalar V>
distributed shared_rows(std::shared_ptr<communicator> ranks, const csr_matrix<V>& own,
                        index_t all_rows, index_t alignment)
{
    const csr<V> a = own.view();
    std::vector<index_t> begin, column(a.column, a.column + a.nonzeros());
    for (index_t i = 0; i <= a.rows; ++i) begin.push_back(a.row_begin[i]);
    vector<V> value(a.nonzeros());
    for (int w = 0; w < words_of<V>; ++w)
        std::copy_n(a.value.word(w), a.nonzeros(), value.word(w).data());
    return {distributed_matrix<V>(std::move(ranks), all_rows, a.columns, std::move(begin),
                                  std::move(column), std::move(value), alignment)};
}

/// f.operator()<T>(a) for a matrix that acts on vectors of T.
template <scalar T, class F>
auto with_shared(const distributed& a, const F& f)
{
    using result = decltype(f(std::declval<const distributed_matrix<double>&>()));
    return std::visit(
        [&]<scalar V>(const distributed_matrix<V>& m) -> result {
            if constexpr (acts_on<T, V>)
                return f(m);
            else
                throw nb::type_error("A has values in double-double, the work is in double");
        },
        a.rows);
}

template <scalar T>
words_out multiplied(const distributed& a, const words_in& words, bool transposed)
{
    const vector<T> x = vector_of<T>(words);
    vector<T> y;
    {
        const nb::gil_scoped_release released;
        with_shared<T>(a, [&](const auto& m) {
            y = vector<T>(transposed ? m.local_columns() : m.local_rows());
            if (transposed)
                m.multiply_transposed(x, y);
            else
                m.multiply(x, y);
        });
    }
    return words_of_vector(y);
}

/// (x, y), or the norm of x where there is no y.
template <scalar T>
words_out summed(const distributed& a, const words_in& x_words, const words_in* y_words)
{
    const vector<T> x = vector_of<T>(x_words), y = y_words ? vector_of<T>(*y_words) : vector<T>();
    vector<T> result(1);
    {
        const nb::gil_scoped_release released;
        result.set(
            0, with_shared<T>(a, [&](const auto& m) { return y_words ? m.dot(x, y) : m.nrm2(x); }));
    }
    return words_of_vector(result);
}

template <scalar T>
nb::tuple solved(const distributed& a, const words_in& b_words, const words_in& x_words,
                 const solve_options& o)
{
    const vector<T> b = vector_of<T>(b_words);
    vector<T> x = vector_of<T>(x_words);
    reported_matrix about;
    solve_report report;
    {
        const nb::gil_scoped_release released;
        report = with_shared<T>(a, [&](const auto& m) {
            about = {m.rows(), m.columns(), m.nonzeros()};
            return solve(m, b, x, o);
        });
    }
    const auto [history, text] =
        reported_parts<T>(about, std::move(report), o, std::string(to_string(o.precond)));
    return nb::make_tuple(words_of_vector(x), history, text);
}

nb::tuple shape_on_ranks(const distributed& a)
{
    return std::visit(
        [](const auto& m) {
            return nb::make_tuple(m.rows(), m.columns(), m.nonzeros(), m.first_row(),
                                  m.local_rows(), m.first_column(), m.local_columns());
        },
        a.rows);
}

void bind_making(nb::module_& m)
{
    m.def(
        "share_rows",
        [](nb::object functions, int rank, int size, const matrix& own, index_t all_rows,
           index_t alignment) {
            const auto ranks =
                std::make_shared<called_communicator>(std::move(functions), rank, size);
            const nb::gil_scoped_release released;
            return std::visit(
                [&](const auto& rows) { return shared_rows(ranks, *rows, all_rows, alignment); },
                own.rows);
        },
        nb::arg("functions"), nb::arg("rank"), nb::arg("size"), nb::arg("own"), nb::arg("all_rows"),
        nb::arg("alignment"));
}

}  // namespace

void bind_ranks(nb::module_& m)
{
    nb::class_<distributed>(m, "distributed")
        .def("shape", &shape_on_ranks)
        .def_prop_ro("is_dd", [](const distributed& a) { return a.rows.index() == 1; })
        .def(
            "multiply",
            [](const distributed& a, words_in x, const std::string& precision, bool transposed) {
                return in_precision(precision,
                                    [&]<scalar T>() { return multiplied<T>(a, x, transposed); });
            },
            nb::arg("x"), nb::arg("precision"), nb::arg("transposed"))
        .def(
            "dot",
            [](const distributed& a, words_in x, words_in y, const std::string& precision) {
                return in_precision(precision, [&]<scalar T>() { return summed<T>(a, x, &y); });
            },
            nb::arg("x"), nb::arg("y"), nb::arg("precision"))
        .def(
            "nrm2",
            [](const distributed& a, words_in x, const std::string& precision) {
                return in_precision(precision,
                                    [&]<scalar T>() { return summed<T>(a, x, nullptr); });
            },
            nb::arg("x"), nb::arg("precision"))
        .def(
            "solve",
            [](const distributed& a, words_in b, words_in x, const std::string& precision,
               const nb::dict& options) {
                const solve_options o = solve_options_of(options, nb::none());
                return in_precision(precision, [&]<scalar T>() { return solved<T>(a, b, x, o); });
            },
            nb::arg("b"), nb::arg("x"), nb::arg("precision"), nb::arg("options"));
    bind_making(m);
}

}  // namespace ddla::python
