// vector<T>: n numbers that live at a place, word by word: the largest words of all first.
//
//     ddla::vector<ddla::dd_real> x(1000);          // zeros on the host
//     x[7] = ddla::dd_real(1) / 3;
#pragma once

#include "buffer.hpp"
#include "elements.hpp"

#include <initializer_list>
#include <span>

namespace ddla {

namespace detail {
[[noreturn]] void refuse_elements(place at);
}

template <scalar T>
class vector {
    /// double is one word: its elements have addresses.
    static constexpr bool is_plain = words_of<T> == 1;

public:
    using value_type = T;
    using iterator = std::conditional_t<is_plain, T*, element_iterator<T>>;
    using const_iterator = std::conditional_t<is_plain, const T*, element_iterator<const T>>;

    vector() = default;
    /// n zeros.  Throws input_error if n < 0, resource_error if the place has no room.
    explicit vector(index_t n, place at = host);
    /// n times `value`.
    vector(index_t n, T value, place at = host);
    vector(std::initializer_list<T> values);
    vector(const vector& other);
    vector(vector&& other) noexcept { swap(other); }
    vector& operator=(const vector& other);
    vector& operator=(vector&& other) noexcept
    {
        swap(other);
        return *this;
    }
    ~vector() = default;

    index_t size() const { return size_; }
    place where() const { return memory_.where(); }

    vec<T> view() { return vec<T>::in_memory(words(), size_); }
    vec<const T> view() const { return vec<const T>::in_memory(words(), size_); }

    // Elements, on the host only: at a device these throw input_error.  i is not checked.

    /// Element i: a double&, or what stands for a dd_real (elements.hpp).
    std::conditional_t<is_plain, T&, element<T>> operator[](index_t i) &
    {
        require_host();
        if constexpr (is_plain)
            return words()[i];
        else
            return {view(), i};
    }
    /// Const, so that an assignment to it does not compile.
    const T operator[](index_t i) const& { return get(i); }
    /// Of a vector that is about to go: the number.
    const T operator[](index_t i) && { return get(i); }
    void set(index_t i, T value)
    {
        require_host();
        view().set(i, value);
    }

    iterator begin() { return at<iterator>(view(), 0); }
    iterator end() { return at<iterator>(view(), size_); }
    const_iterator begin() const { return at<const_iterator>(view(), 0); }
    const_iterator end() const { return at<const_iterator>(view(), size_); }

    /// Word k of all elements; k = 0: the largest.
    std::span<double> word(int k) { return {words() + k * size_, static_cast<std::size_t>(size_)}; }
    std::span<const double> word(int k) const
    {
        return {words() + k * size_, static_cast<std::size_t>(size_)};
    }

    /// The same numbers at another place.
    vector to(place at) const;

private:
    T get(index_t i) const
    {
        require_host();
        return view().get(i);
    }
    template <class Iterator, class View>
    Iterator at(View all, index_t i) const
    {
        require_host();
        if constexpr (is_plain)
            return all.word(0) + i;
        else
            return {all, i};
    }
    void require_host() const
    {
        if (!where().is_host()) detail::refuse_elements(where());
    }
    void swap(vector& other) noexcept
    {
        std::swap(memory_, other.memory_);
        std::swap(size_, other.size_);
    }
    double* words() const { return static_cast<double*>(memory_.data()); }

    buffer memory_;
    index_t size_ = 0;
};

extern template class vector<double>;
extern template class vector<dd_real>;

}  // namespace ddla
