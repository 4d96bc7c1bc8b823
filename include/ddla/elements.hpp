// Elements of a vector whose words lie apart: what x[i] and *x.begin() are where they can be
// written.
//
//     ddla::vector<ddla::dd_real> x(10);
//     x[7] = 3.0;  x[7] += x[6];         // writes into x
//     auto y = x[7];                     // the number as it is now; y = 4.0 does not compile
//     for (auto&& e : x) e *= 2.0;       // e stands for the element, as a reference would
//     std::ranges::sort(x);
#pragma once

#include "views.hpp"

#include <cstddef>
#include <iterator>
#include <utility>

namespace ddla {

namespace detail {

/// What an element shows of the number that was read: x[7].hi, say.
template <scalar T>
struct number_read {
    explicit number_read(T x) : value(x) {}
    operator T() const { return value; }
    const T value;
};
template <>
struct number_read<dd_real> {
    explicit number_read(dd_real x) : hi(x.hi), lo(x.lo) {}
    operator dd_real() const { return {hi, lo}; }
    const double hi, lo;
};

}  // namespace detail

/// x[i]: the number that was read, and where to write another.  Kept in a variable it is the number
/// alone: it does not change with x, does not dangle, and cannot be assigned to.
template <scalar T>
class element : public detail::number_read<T> {
public:
    element(vec<T> in, index_t i) : detail::number_read<T>(in.get(i)), in_(in), i_(i) {}
    element(const element&) = default;

    // These return the number that was written.
    T operator=(T y) && { return write(y); }
    T operator=(const element& y) && { return write(y); }
    template <class Y>
    T operator+=(const Y& y) &&
    {
        return write(now() + y);
    }
    template <class Y>
    T operator-=(const Y& y) &&
    {
        return write(now() - y);
    }
    template <class Y>
    T operator*=(const Y& y) &&
    {
        return write(now() * y);
    }
    template <class Y>
    T operator/=(const Y& y) &&
    {
        return write(now() / y);
    }

    /// What T converts to when asked: double(x[7]).
    template <class U>
    requires(!std::is_same_v<U, T> && std::is_constructible_v<U, T>) explicit operator U() const
    {
        return static_cast<U>(T(*this));
    }

private:
    T now() const { return *this; }
    T write(T y) const
    {
        in_.set(i_, y);
        return y;
    }

    vec<T> in_;
    index_t i_;
};

/// *iterator: stands for the element as a reference would, and like one it must not outlive the
/// vector.
template <scalar T>
class element_reference {
public:
    element_reference(vec<T> in, index_t i) : in_(in), i_(i) {}
    element_reference(const element_reference&) = default;

    operator T() const { return in_.get(i_); }
    template <class U>
    requires(!std::is_same_v<U, T> && std::is_constructible_v<U, T>) explicit operator U() const
    {
        return static_cast<U>(in_.get(i_));
    }

    const element_reference& operator=(T y) const
    {
        in_.set(i_, y);
        return *this;
    }
    /// Writes the number, as an assignment of references does.
    const element_reference& operator=(const element_reference& y) const { return *this = T(y); }
    const element_reference& operator=(const element_reference& y)
    {
        return std::as_const(*this) = T(y);
    }
    template <class Y>
    const element_reference& operator+=(const Y& y) const
    {
        return *this = T(*this) + y;
    }
    template <class Y>
    const element_reference& operator-=(const Y& y) const
    {
        return *this = T(*this) - y;
    }
    template <class Y>
    const element_reference& operator*=(const Y& y) const
    {
        return *this = T(*this) * y;
    }
    template <class Y>
    const element_reference& operator/=(const Y& y) const
    {
        return *this = T(*this) / y;
    }

    friend void swap(element_reference a, element_reference b)
    {
        const T first = a;
        a = b;
        b = first;
    }

private:
    vec<T> in_;
    index_t i_;
};

/// Random access to the elements of a view; those of vec<const T> are numbers.
template <class T>
requires scalar<std::remove_const_t<T>>
class element_iterator {
public:
    using value_type = std::remove_const_t<T>;
    using difference_type = std::ptrdiff_t;
    using reference =
        std::conditional_t<std::is_const_v<T>, const value_type, element_reference<value_type>>;
    using pointer = void;
    // As of std::vector<bool>: algorithms older than ranges take it for what it can do.
    using iterator_category = std::random_access_iterator_tag;
    using iterator_concept = std::random_access_iterator_tag;

    element_iterator() = default;
    element_iterator(vec<T> in, index_t i) : in_(in), i_(i) {}
    /// An iterator that writes reads, too.
    template <class U>
    requires(std::is_const_v<T>&& std::is_same_v<U, value_type>)
        element_iterator(const element_iterator<U>& other)
        : in_(other.in_), i_(other.i_)
    {
    }

    reference operator*() const { return at(i_); }
    reference operator[](difference_type n) const { return at(i_ + n); }

    element_iterator& operator+=(difference_type n)
    {
        i_ += n;
        return *this;
    }
    element_iterator& operator-=(difference_type n) { return *this += -n; }
    element_iterator& operator++() { return *this += 1; }
    element_iterator& operator--() { return *this += -1; }
    element_iterator operator++(int) { return std::exchange(*this, *this + 1); }
    element_iterator operator--(int) { return std::exchange(*this, *this - 1); }

    friend element_iterator operator+(element_iterator it, difference_type n) { return it += n; }
    friend element_iterator operator+(difference_type n, element_iterator it) { return it += n; }
    friend element_iterator operator-(element_iterator it, difference_type n) { return it -= n; }
    friend difference_type operator-(const element_iterator& a, const element_iterator& b)
    {
        return a.i_ - b.i_;
    }
    friend bool operator==(const element_iterator& a, const element_iterator& b)
    {
        return a.i_ == b.i_;
    }
    friend auto operator<=>(const element_iterator& a, const element_iterator& b)
    {
        return a.i_ <=> b.i_;
    }

private:
    template <class U>
    requires scalar<std::remove_const_t<U>>
    friend class element_iterator;

    reference at(index_t i) const
    {
        if constexpr (std::is_const_v<T>)
            return in_.get(i);
        else
            return {in_, i};
    }

    vec<T> in_;
    index_t i_ = 0;
};

}  // namespace ddla
