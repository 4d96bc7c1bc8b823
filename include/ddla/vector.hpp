// vector<T>: n numbers that live at a place, word by word: the largest words of all first.
//
//     ddla::vector<ddla::dd_real> x(1000);          // zeros on the host
//     x[7] = ddla::dd_real(1) / 3;
//     std::ranges::fill(x.word(1), 0.0);            // the low words, a std::span<double>
//
//     const std::vector<double> mine = {1.0, 2.0, 3.0};
//     const ddla::vector<ddla::dd_real> y(mine | std::views::reverse);  // of any range
#pragma once

#include "buffer.hpp"
#include "elements.hpp"

#include <concepts>
#include <initializer_list>
#include <ranges>
#include <span>
#include <vector>

namespace ddla {

namespace detail {
[[noreturn]] void refuse_elements(place where);
}

/// Ranges of what converts to T without asking: of double for dd_real, never the other way.
template <class R, class T>
concept range_of =
    std::ranges::input_range<R> && std::convertible_to<std::ranges::range_reference_t<R>, T>;

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
    explicit vector(index_t n, place where = host);
    /// n times `value`.
    vector(index_t n, T value, place where = host);
    vector(std::initializer_list<T> values);
    /// The numbers of a range, on the host: a std::span, a std::vector, a view.  Cost: one pass, or
    /// two where the range does not know its size.
    template <range_of<T> R>
    requires(!std::same_as<std::remove_cvref_t<R>, vector>) explicit vector(R&& numbers)
    {
        if constexpr (std::ranges::sized_range<R> || std::ranges::forward_range<R>) {
            *this = vector(static_cast<index_t>(std::ranges::distance(numbers)));
            index_t i = 0;
            for (auto&& number : numbers) view().set(i++, static_cast<T>(number));
        } else {
            std::vector<T> read;
            for (auto&& number : numbers) read.push_back(static_cast<T>(number));
            *this = vector(read);
        }
    }
    /// The numbers whose words these are, the largest first; on the host.  Throws input_error
    /// unless all have one size.
    template <std::convertible_to<std::span<const double>>... Words>
    requires(sizeof...(Words) == words_of<T>) static vector from_words(const Words&... words)
    {
        return from_spans({std::span<const double>(words)...});
    }
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
    vector to(place target) const;

private:
    static vector from_spans(std::initializer_list<std::span<const double>> words);
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
