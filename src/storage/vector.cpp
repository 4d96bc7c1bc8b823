#include "ddla/vector.hpp"

#include "ddla/error.hpp"
#include "memory.hpp"

#include <algorithm>

namespace ddla {

namespace {

template <scalar T>
std::size_t bytes_for(index_t n)
{
    if (n < 0) throw input_error("a vector cannot have " + std::to_string(n) + " elements");
    if (n > INT64_MAX / static_cast<index_t>(sizeof(T)))
        throw resource_error("a vector of " + std::to_string(n) + " elements has no address");
    return static_cast<std::size_t>(n) * sizeof(T);
}

template <scalar T>
void fill(vec<T> x, T value)
{
    each_word(value, [&](int k, double word) { std::fill_n(x.word(k), x.size, word); });
}

}  // namespace

void detail::refuse_elements(place where)
{
    throw input_error("the elements of a vector at " + to_string(where) +
                      " cannot be used on the host: copy it with to(ddla::host)");
}

template <scalar T>
vector<T>::vector(index_t n, place where) : memory_(bytes_for<T>(n), where), size_(n)
{
    if (n > 0) memory_at(where).fill_with_zero(memory_.data(), memory_.bytes());
}

template <scalar T>
vector<T>::vector(index_t n, T value, place where) : memory_(bytes_for<T>(n), where), size_(n)
{
    if (where.is_host()) {
        fill(view(), value);
    } else {
        const vector there(n, value, host);
        copy_bytes(memory_.data(), where, there.memory_.data(), host, memory_.bytes());
    }
}

template <scalar T>
vector<T>::vector(std::initializer_list<T> values)
    : memory_(values.size() * sizeof(T), host), size_(static_cast<index_t>(values.size()))
{
    index_t i = 0;
    for (const T value : values) set(i++, value);
}

template <scalar T>
vector<T> vector<T>::from_spans(std::initializer_list<std::span<const double>> words)
{
    const std::size_t n = words.begin()->size();
    for (const std::span<const double>& word : words)
        if (word.size() != n)
            throw input_error("words of a vector have " + std::to_string(n) + " and " +
                              std::to_string(word.size()) + " elements");
    vector x(static_cast<index_t>(n));
    int k = 0;
    for (const std::span<const double>& word : words) std::ranges::copy(word, x.word(k++).begin());
    return x;
}

template <scalar T>
vector<T>::vector(const vector& other) : vector(other.to(other.where()))
{
}

template <scalar T>
vector<T>& vector<T>::operator=(const vector& other)
{
    return *this = vector(other);
}

template <scalar T>
vector<T> vector<T>::to(place target) const
{
    vector there;
    there.memory_ = buffer(memory_.bytes(), target);
    there.size_ = size_;
    copy_bytes(there.memory_.data(), target, memory_.data(), where(), memory_.bytes());
    return there;
}

#define DDLA_INSTANTIATE(T) template class vector<T>;
DDLA_FOR_PRECISIONS(DDLA_INSTANTIATE)
#undef DDLA_INSTANTIATE

}  // namespace ddla
