// Where the cases of streams run: a stream, and memory that the test itself owns.
#pragma once

#include "same_bits.hpp"

#include "ddla/stream.hpp"

#include <cstring>
#include <memory>
#include <string>
#include <vector>

namespace test {

class site {
public:
    virtual ~site() = default;
    virtual std::string name() const = 0;
    virtual ddla::stream& on() = 0;
    /// Memory there, freed with the site.
    virtual void* allocate(std::size_t bytes) = 0;
    virtual void write(void* there, const void* from, std::size_t bytes) = 0;
    /// Once all work of the stream is done.
    virtual void read(void* to, const void* there, std::size_t bytes) = 0;
};

/// One for each kind of stream that this program has; the first is the usual one.
std::vector<std::unique_ptr<site>> every_site();

template <class Check>
void at_every_site(const Check& check)
{
    for (const auto& at : every_site()) {
        INFO(at->name());
        check(*at);
    }
}

/// Values in the middle of a larger allocation, whose other bytes must stay what they are.
template <class U>
class array_there {
public:
    array_there(site& at, const std::vector<U>& values)
        : at_(&at), count_(values.size()), memory_(static_cast<U*>(at.allocate(bytes())))
    {
        put(values);
    }
    U* data() const { return memory_ + margin; }
    void put(const std::vector<U>& values) const
    {
        std::vector<unsigned char> all(bytes(), canary);
        if (count_ > 0)
            std::memcpy(all.data() + margin * sizeof(U), values.data(), count_ * sizeof(U));
        at_->write(memory_, all.data(), bytes());
    }
    std::vector<U> values() const
    {
        std::vector<unsigned char> all(bytes());
        at_->read(all.data(), memory_, bytes());
        std::vector<U> middle(count_);
        if (count_ > 0)
            std::memcpy(static_cast<void*>(middle.data()), all.data() + margin * sizeof(U),
                        count_ * sizeof(U));
        const std::size_t begin = margin * sizeof(U), end = begin + count_ * sizeof(U);
        bool untouched = true;
        for (std::size_t i = 0; i < bytes(); ++i)
            untouched = untouched && ((i >= begin && i < end) || all[i] == canary);
        CHECK(untouched);
        return middle;
    }

private:
    static constexpr std::size_t margin = 3;
    static constexpr unsigned char canary = 0xa5;
    std::size_t bytes() const { return (count_ + 2 * margin) * sizeof(U); }

    site* at_;
    std::size_t count_;
    U* memory_;
};

/// One number there.
template <class T>
class spot {
public:
    explicit spot(site& at, T value = T(-77)) : memory_(at, {value}) {}
    T* at() const { return memory_.data(); }
    T value() const { return memory_.values()[0]; }

private:
    array_there<T> memory_;
};

/// Where the low words of a vector are: in the allocation of the high ones, or in one of their own.
enum class words { together, apart };

/// The numbers of a vector there.
template <class T>
class numbers {
public:
    numbers(site& at, const ddla::vector<T>& x, words how = words::together)
        : size_(x.size()), memory_(at, all_words(x, how != words::apart)),
          low_memory_(at, how == words::apart ? low_words(x) : std::vector<double>()),
          low_(ddla::words_of<T> == 1   ? nullptr
               : how == words::together ? memory_.data() + size_
                                        : low_memory_.data())
    {
    }
    ddla::vec<T> view() const
    {
        if constexpr (ddla::words_of<T> == 1)
            return {memory_.data(), size_};
        else
            return {memory_.data(), low_, size_};
    }
    ddla::vec<const T> constant() const { return view(); }
    void put(const ddla::vector<T>& x) const
    {
        memory_.put(all_words(x, together()));
        if (!together()) low_memory_.put(low_words(x));
    }
    ddla::vector<T> values() const
    {
        const auto high = memory_.values(), apart = low_memory_.values();
        ddla::vector<T> x(size_);
        for (std::size_t i = 0; i < static_cast<std::size_t>(size_); ++i)
            if constexpr (ddla::words_of<T> == 1)
                x.set(ddla::index_t(i), high[i]);
            else
                x.set(ddla::index_t(i),
                      {high[i], together() ? high[std::size_t(size_) + i] : apart[i]});
        return x;
    }

private:
    bool together() const { return low_ != low_memory_.data(); }
    static std::vector<double> low_words(const ddla::vector<T>& x)
    {
        if constexpr (ddla::words_of<T> == 2) return {x.word(1).begin(), x.word(1).end()};
        return {};
    }
    static std::vector<double> all_words(const ddla::vector<T>& x, bool with_low)
    {
        std::vector<double> all(x.word(0).begin(), x.word(0).end());
        if (with_low)
            for (const double low : low_words(x)) all.push_back(low);
        return all;
    }

    ddla::index_t size_;
    array_there<double> memory_, low_memory_;
    double* low_;
};

/// The bits of the row offsets of a matrix.
enum class offsets { wide, narrow };

template <class V>
class matrix_there {
public:
    matrix_there(site& at, const ddla::csr_matrix<V>& a, offsets how = offsets::wide,
                 words in = words::together)
        : view_(a.view()), wide_(at, row_begin<ddla::index_t>(a)),
          narrow_(at, row_begin<std::int32_t>(a)),
          column_(at, {view_.column, view_.column + a.nonzeros()}), value_(at, values(a), in)
    {
        view_.row_begin = how == offsets::wide ? ddla::row_offsets(wide_.data())
                                               : ddla::row_offsets(narrow_.data());
        view_.column = column_.data();
        view_.value = value_.view();
        view_.long_rows = {};  // a's own list lies elsewhere
    }
    const ddla::csr<V>& view() const { return view_; }

private:
    template <class I>
    static std::vector<I> row_begin(const ddla::csr_matrix<V>& a)
    {
        std::vector<I> all;
        for (ddla::index_t i = 0; i <= a.rows(); ++i)
            all.push_back(static_cast<I>(a.view().row_begin[i]));
        return all;
    }
    static ddla::vector<V> values(const ddla::csr_matrix<V>& a)
    {
        ddla::vector<V> all(a.nonzeros());
        for (ddla::index_t k = 0; k < a.nonzeros(); ++k) all.set(k, a.view().value.get(k));
        return all;
    }

    ddla::csr<V> view_;
    array_there<ddla::index_t> wide_;
    array_there<std::int32_t> narrow_;
    array_there<ddla::column_t> column_;
    numbers<V> value_;
};

}  // namespace test
