// The operations on views: checks, then the engine of the stream.
#include "ddla/stream.hpp"

#include "place_of.hpp"
#include "solve_on.hpp"

#include <functional>

namespace ddla {

using namespace api;

namespace {

/// Whether the words from `a` on and those from `b` on have one in common.
bool overlap(const double* a, index_t n, const double* b, index_t m)
{
    const std::less<const double*> before;
    return n > 0 && m > 0 && a && b && before(a, b + m) && before(b, a + n);
}
template <class X, class Y>
bool overlap(vec<X> x, vec<Y> y)
{
    for (int k = 0; k < x.words; ++k)
        for (int j = 0; j < y.words; ++j)
            if (overlap(x.word(k), x.size, y.word(j), y.size)) return true;
    return false;
}

/// Throws input_error unless the memory of an operand is where the stream can reach it.
class reach {
public:
    reach(const stream& on, const char* call) : on_(on), call_(call) {}

    void require(const char* name, const void* data) const
    {
        if (!data) throw input_error(std::string(call_) + ": " + name + " is a null pointer");
        require_same_place(call_, name, on_.implementation().home_of(data), "the stream works",
                           on_.where());
    }
    template <class X>
    void require(const char* name, vec<X> x) const
    {
        if (x.size < 0)
            throw input_error(std::string(call_) + ": " + name + " has " + std::to_string(x.size) +
                              " elements");
        if (x.size == 0) return;
        for (int k = 0; k < x.words; ++k) require(name, x.word(k));
    }
    /// A scalar of a call that writes y.
    template <scalar T>
    void require(const char* name, const scalar_operand<T>& a, const char* y_name, vec<T> y) const
    {
        if (a.is_value()) return;
        require(name, static_cast<const void*>(a.at()));
        const auto* const words = reinterpret_cast<const double*>(a.at());
        if (overlap(vec<const double>(words, words_of<T>), y))
            throw input_error(std::string(call_) + ": " + name + " lies in " + y_name +
                              ", which is written");
    }
    template <scalar V>
    void require(const csr<V>& a) const
    {
        if (a.rows < 0 || a.columns < 0)
            throw input_error(std::string(call_) + ": A is " + std::to_string(a.rows) + " x " +
                              std::to_string(a.columns));
        constexpr index_t most = csr_matrix<V>::max_dimension;
        if (a.rows > most || a.columns > most)
            throw input_error(std::string(call_) + ": A is " + std::to_string(a.rows) + " x " +
                              std::to_string(a.columns) + ", more than the " +
                              std::to_string(most) + " that column numbers of 32 bits count");
        require("the row offsets of A", a.row_begin.data());
        require("the values of A", a.value);
        if (a.nonzeros() > 0) require("the columns of A", a.column);
        if (a.rows > 0 && a.longest_row < (a.nonzeros() + a.rows - 1) / a.rows)
            throw input_error(std::string(call_) + ": A has " + std::to_string(a.nonzeros()) +
                              " entries, more than " + std::to_string(a.rows) +
                              " rows of at most " + std::to_string(a.longest_row) + " hold");
        if (a.long_rows.count == 0) return;
        require("the list of long rows of A", a.long_rows.row);
        require("the list of long rows of A", a.long_rows.first_tile);
    }

    template <class X, class Y>
    void require_equal(const char* x_name, vec<X> x, const char* y_name, vec<Y> y) const
    {
        require(x_name, x);
        require(y_name, y);
        require_same_size(call_, x_name, x.size, y_name, y.size);
    }
    /// For y = A x with x and y under these names.
    template <scalar V, class X, class Y>
    void require_product(const csr<V>& a, const char* x_name, vec<X> x, const char* y_name,
                         vec<Y> y) const
    {
        require(a);
        require(x_name, x);
        require(y_name, y);
        require_fit(call_, x_name, x.size, "columns", a.columns);
        require_fit(call_, y_name, y.size, "rows", a.rows);
        if (overlap(x, y))
            throw input_error(std::string(call_) + ": " + x_name + " and " + y_name +
                              " overlap: what is written would be read again");
    }
    /// x is read and y written element by element: they are one vector or have nothing in common.
    template <class X, class Y>
    void require_one_or_apart(const char* x_name, vec<X> x, const char* y_name, vec<Y> y) const
    {
        require_equal(x_name, x, y_name, y);
        bool are_one = true;
        for (int k = 0; k < x.words; ++k) are_one &= x.word(k) == y.word(k);
        if (!are_one && overlap(x, y))
            throw input_error(std::string(call_) + ": " + x_name + " and " + y_name +
                              " overlap, but not element by element");
    }
    /// The caller can wait for an answer.
    void require_wait() const { on_.implementation().require_wait(); }

private:
    const stream& on_;
    const char* call_;
};

template <scalar T>
vector_operations<T>& vectors(const stream& on)
{
    return on.implementation().vectors<T>();
}

}  // namespace

namespace on_views {

template <scalar T>
void dot(stream& on, vec<const T> x, vec<const T> y, T* result)
{
    const reach in(on, "dot");
    in.require_equal("x", x, "y", y);
    in.require("the result", static_cast<const void*>(result));
    vectors<T>(on).dot(x, y, result);
}

template <scalar T>
T dot(stream& on, vec<const T> x, vec<const T> y)
{
    const reach in(on, "dot");
    in.require_equal("x", x, "y", y);
    in.require_wait();
    return vectors<T>(on).dot(x, y);
}

template <scalar T>
void nrm2(stream& on, vec<const T> x, T* result)
{
    const reach in(on, "nrm2");
    in.require("x", x);
    in.require("the result", static_cast<const void*>(result));
    vectors<T>(on).nrm2(x, result);
}

template <scalar T>
T nrm2(stream& on, vec<const T> x)
{
    const reach in(on, "nrm2");
    in.require("x", x);
    in.require_wait();
    return vectors<T>(on).nrm2(x);
}

template <scalar T>
void asum(stream& on, vec<const T> x, T* result)
{
    const reach in(on, "asum");
    in.require("x", x);
    in.require("the result", static_cast<const void*>(result));
    vectors<T>(on).asum(x, result);
}

template <scalar T>
T asum(stream& on, vec<const T> x)
{
    const reach in(on, "asum");
    in.require("x", x);
    in.require_wait();
    return vectors<T>(on).asum(x);
}

template <scalar T>
void axpy(stream& on, scalar_operand<T> a, vec<const T> x, vec<T> y)
{
    const reach in(on, "axpy");
    in.require("a", a, "y", y);
    in.require_one_or_apart("x", x, "y", y);
    vectors<T>(on).axpyz(a, x, y, y);
}

template <scalar T>
void xpay(stream& on, vec<const T> x, scalar_operand<T> a, vec<T> y)
{
    const reach in(on, "xpay");
    in.require("a", a, "y", y);
    in.require_one_or_apart("x", x, "y", y);
    vectors<T>(on).axpyz(a, y, x, y);
}

template <scalar T>
void axpyz(stream& on, scalar_operand<T> a, vec<const T> x, vec<const T> y, vec<T> z)
{
    const reach in(on, "axpyz");
    in.require("a", a, "z", z);
    in.require_equal("x", x, "y", y);
    in.require_one_or_apart("x", x, "z", z);
    in.require_one_or_apart("y", y, "z", z);
    vectors<T>(on).axpyz(a, x, y, z);
}

template <scalar T>
void scal(stream& on, scalar_operand<T> a, vec<T> x)
{
    const reach in(on, "scal");
    in.require("a", a, "x", x);
    in.require("x", x);
    vectors<T>(on).scal(a, x);
}

template <scalar T>
void copy(stream& on, vec<const T> x, vec<T> y)
{
    reach(on, "copy").require_one_or_apart("x", x, "y", y);
    vectors<T>(on).copy(x, y);
}

template <scalar T, scalar V>
void spmv(stream& on, scalar_operand<T> alpha, const csr<V>& a, vec<const T> x,
          scalar_operand<T> beta, vec<T> y)
{
    const reach in(on, "spmv");
    in.require("alpha", alpha, "y", y);
    in.require("beta", beta, "y", y);
    in.require_product(a, "x", x, "y", y);
    on.implementation().template matrices<T, V>().spmv(alpha, a, x, beta, y);
}

template <scalar T, scalar V>
void residual(stream& on, const csr<V>& a, vec<const T> x, vec<const T> b, vec<T> r)
{
    const reach in(on, "residual");
    in.require_product(a, "x", x, "r", r);
    in.require_one_or_apart("b", b, "r", r);
    on.implementation().template matrices<T, V>().residual(a, x, b, r);
}

template <scalar T, scalar V>
solve_report solve(stream& on, const csr<V>& a, vec<const T> b, vec<T> x,
                   const solve_options& options)
{
    require_square("solve", a.rows, a.columns);
    const reach in(on, "solve");
    in.require_product(a, "x", x, "b", b);
    in.require_wait();
    return solve_on<T, V>(on.implementation(), on.where(), a, b, x, options);
}

#define DDLA_INSTANTIATE(T)                                                                        \
    template void dot(stream&, vec<const T>, vec<const T>, T*);                                    \
    template T dot(stream&, vec<const T>, vec<const T>);                                           \
    template void nrm2(stream&, vec<const T>, T*);                                                 \
    template T nrm2(stream&, vec<const T>);                                                        \
    template void asum(stream&, vec<const T>, T*);                                                 \
    template T asum(stream&, vec<const T>);                                                        \
    template void axpy(stream&, scalar_operand<T>, vec<const T>, vec<T>);                          \
    template void xpay(stream&, vec<const T>, scalar_operand<T>, vec<T>);                          \
    template void axpyz(stream&, scalar_operand<T>, vec<const T>, vec<const T>, vec<T>);           \
    template void scal(stream&, scalar_operand<T>, vec<T>);                                        \
    template void copy(stream&, vec<const T>, vec<T>);
DDLA_FOR_PRECISIONS(DDLA_INSTANTIATE)
#undef DDLA_INSTANTIATE

#define DDLA_INSTANTIATE(T, V)                                                                     \
    template void spmv(stream&, scalar_operand<T>, const csr<V>&, vec<const T>, scalar_operand<T>, \
                       vec<T>);                                                                    \
    template void residual(stream&, const csr<V>&, vec<const T>, vec<const T>, vec<T>);            \
    template solve_report solve(stream&, const csr<V>&, vec<const T>, vec<T>, const solve_options&);
DDLA_FOR_PRODUCTS(DDLA_INSTANTIATE)
#undef DDLA_INSTANTIATE

}  // namespace on_views

}  // namespace ddla
