// What the factorisation asks of a number, and lists of numbers, word by word.
//
// A number F has + - * / and assignment, and beside them magnitude(x): a double that pivots are
// compared by, zero exactly for zero.  double and dd_real are here, numbers modulo a prime in
// residue.hpp.
#pragma once

#include "steps/words.hpp"
#include "unfilled.hpp"

#include "ddla/dd_math.hpp"
#include "ddla/views.hpp"

#include <array>
#include <cmath>
#include <vector>

namespace ddla::factor {

template <class I>
constexpr std::size_t as_size(I i)
{
    return static_cast<std::size_t>(i);
}

inline double magnitude(double x)
{
    return std::fabs(x);
}
inline double magnitude(dd_real x)
{
    return std::fabs(x.hi);
}

using steps::exponent_of;
using steps::rounded;
using steps::scaled;
using steps::wider;

/// Divides many numbers by one.
template <class F>
class divisor {
public:
    explicit divisor(const F& by) : by_(by) {}
    F operator()(const F& x) const { return x / by_; }

private:
    F by_;
};

/// A list of F; of numbers with words the words lie apart, so that loops over them are vector
/// loops.
template <class F>
class number_list {
public:
    index_t size() const { return static_cast<index_t>(values_.size()); }
    void resize(index_t n) { values_.resize(as_size(n)); }
    void resize_unfilled(index_t n) { resize(n); }
    /// Zeros, counted for a watch.
    void resize_touched(index_t n)
    {
        constexpr std::size_t piece = bytes_at_once / sizeof(F);
        values_.reserve(as_size(n));
        while (values_.size() != as_size(n)) {
            count_work(static_cast<std::int64_t>(bytes_at_once / 8));
            values_.resize(std::min(as_size(n), values_.size() + piece));
        }
    }
    void make_room(index_t n) { factor::make_room(values_, as_size(n)); }
    void reserve(index_t n) { values_.reserve(as_size(n)); }
    void push_back(const F& x) { values_.push_back(x); }
    const F& get(index_t i) const { return values_[as_size(i)]; }
    void set(index_t i, const F& x) { values_[as_size(i)] = x; }
    const number_list& view() const { return *this; }
    number_list& view() { return *this; }

private:
    std::vector<F> values_;
};

template <scalar F>
class number_list<F> {
public:
    index_t size() const { return static_cast<index_t>(words_[0].size()); }
    void resize(index_t n)
    {
        for (auto& w : words_) w.resize(as_size(n), 0.0);
    }
    /// New numbers have no value yet.
    void resize_unfilled(index_t n)
    {
        for (auto& w : words_) w.resize(as_size(n));
    }
    /// … and are there, see unfilled.hpp.
    void resize_touched(index_t n)
    {
        for (auto& w : words_) factor::resize_touched(w, as_size(n));
    }
    void make_room(index_t n)
    {
        for (auto& w : words_) factor::make_room(w, as_size(n));
    }
    void reserve(index_t n)
    {
        for (auto& w : words_) w.reserve(as_size(n));
    }
    void push_back(const F& x)
    {
        each_word(x, [&](auto k, double w) { words_[as_size(int{k})].push_back(w); });
    }
    F get(index_t i) const { return view().get(i); }
    void set(index_t i, const F& x) { view().set(i, x); }
    vec<F> view() { return view_of<vec<F>>(words_); }
    vec<const F> view() const { return view_of<vec<const F>>(words_); }

private:
    template <class View, class Words>
    static View view_of(Words& words)
    {
        const auto n = static_cast<index_t>(words[0].size());
        if constexpr (words_of<F> == 1)
            return View(words[0].data(), n);
        else
            return View(words[0].data(), words[1].data(), n);
    }

    std::array<unfilled<double>, as_size(words_of<F>)> words_;
};

}  // namespace ddla::factor
