// Whether views of the caller's memory are what an operation can work on.
#pragma once

#include "calls/place_of.hpp"
#include "ddla/stream.hpp"

#include <cstdint>
#include <functional>
#include <span>

namespace ddla::api {

/// Whether the words from `a` on and those from `b` on have one in common.
inline bool overlap(const double* a, index_t n, const double* b, index_t m)
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
    reach(engine& here, place where, const char* call) : here_(here), at_(where), call_(call) {}
    reach(const stream& s, const char* call) : reach(s.implementation(), s.where(), call) {}

    void require(const char* name, const void* data) const
    {
        if (!data) throw input_error(std::string(call_) + ": " + name + " is a null pointer");
        require_same_place(call_, name, here_.home_of(data), "the stream works", at_);
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

    /// As many pairs as x has elements, and nothing in common.
    void require_pairs(vec<const dd_real> x, std::span<const dd_pair> pairs) const
    {
        require("x", x);
        const auto count = static_cast<index_t>(pairs.size());
        if (count != x.size)
            throw input_error(std::string(call_) + ": x has " + std::to_string(x.size) +
                              " elements, the array " + std::to_string(count) + " pairs");
        if (count == 0) return;
        require("the array of pairs", pairs.data());
        if (reinterpret_cast<std::uintptr_t>(pairs.data()) % alignof(dd_pair) != 0)
            throw input_error(std::string(call_) +
                              ": the array of pairs is not aligned to 16 bytes");
        const auto* const words = reinterpret_cast<const double*>(pairs.data());
        if (overlap(vec<const double>(words, 2 * count), x))
            throw input_error(std::string(call_) + ": x and the array of pairs overlap");
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
    void require_wait() const { here_.require_wait(); }

private:
    engine& here_;
    place at_;
    const char* call_;
};

}  // namespace ddla::api
