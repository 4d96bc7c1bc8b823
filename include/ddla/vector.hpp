// vector<T>: n numbers that live at a place, high words first, then low words.
//
//     ddla::vector<ddla::dd_real> x(1000);          // zeros on the host
//     x.set(7, ddla::dd_real(1) / ddla::dd_real(3));
#pragma once

#include "buffer.hpp"
#include "views.hpp"

#include <initializer_list>
#include <span>

namespace ddla {

template <scalar T>
class vector {
public:
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

    vec<T> view() { return {high_words(), low_words(), size_}; }
    vec<const T> view() const { return {high_words(), low_words(), size_}; }

    /// Element i; host only, unchecked.
    T operator[](index_t i) const { return view().get(i); }
    void set(index_t i, T value) { view().set(i, value); }

    std::span<double> high() { return {high_words(), static_cast<std::size_t>(size_)}; }
    std::span<const double> high() const { return {high_words(), static_cast<std::size_t>(size_)}; }
    std::span<double> low() requires(words_of<T> == 2)
    {
        return {low_words(), static_cast<std::size_t>(size_)};
    }
    std::span<const double> low() const requires(words_of<T> == 2)
    {
        return {low_words(), static_cast<std::size_t>(size_)};
    }

    /// The same numbers at another place.
    vector to(place at) const;

private:
    void swap(vector& other) noexcept
    {
        std::swap(memory_, other.memory_);
        std::swap(size_, other.size_);
    }
    double* high_words() const { return static_cast<double*>(memory_.data()); }
    double* low_words() const { return words_of<T> == 2 ? high_words() + size_ : nullptr; }

    buffer memory_;
    index_t size_ = 0;
};

extern template class vector<double>;
extern template class vector<dd_real>;

}  // namespace ddla
