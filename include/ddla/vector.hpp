// vector<T>: n numbers that live at a place, word by word: the largest words of all first.
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

    vec<T> view() { return vec<T>::in_memory(words(), size_); }
    vec<const T> view() const { return vec<const T>::in_memory(words(), size_); }

    /// Element i; host only, unchecked.
    T operator[](index_t i) const { return view().get(i); }
    void set(index_t i, T value) { view().set(i, value); }

    /// Word k of all elements; k = 0: the largest.
    std::span<double> word(int k) { return {words() + k * size_, static_cast<std::size_t>(size_)}; }
    std::span<const double> word(int k) const
    {
        return {words() + k * size_, static_cast<std::size_t>(size_)};
    }

    /// The same numbers at another place.
    vector to(place at) const;

private:
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
