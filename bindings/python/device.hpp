// Memory on a device: arrays of other libraries, read where they are, and numbers of ddla's own.
#pragma once

#include "matrices.hpp"

#include <map>
#include <mutex>

namespace ddla::python {

/// One for each device, of CUDA's default stream: what the producers of arrays are told to order
/// their work before.  Made at the first use, never destroyed.
stream& stream_at(place where);

/// Keeps an object of Python alive; may be dropped without the GIL.
std::shared_ptr<const void> kept(nb::object owner);

/// Numbers on a device, word by word without gaps.
struct device_words {
    double* data = nullptr;
    int words = 1;
    index_t size = 0;
    place at;
    std::shared_ptr<const void> keep;  ///< who owns the memory

    bool is_dd() const { return words == 2; }
    double* word(int k) const { return data + k * size; }
};

/// The numbers as T; the low words of those in double are zeros.
template <scalar T>
class device_operand {
public:
    explicit device_operand(const device_words& x) : x_(x)
    {
        if (x.words > words_of<T>)
            throw nb::type_error("the numbers are in double-double, the operation is in double");
        if (x.words < words_of<T>) zeros_ = vector<double>(x.size, x.at);
    }
    vec<const T> view() const
    {
        if constexpr (words_of<T> == 1)
            return {x_.data, x_.size};
        else
            return {x_.data, x_.is_dd() ? x_.word(1) : zeros_.word(0).data(), x_.size};
    }

private:
    const device_words& x_;
    vector<double> zeros_;
};

/// Takes over the memory of a vector at a device.
template <scalar T>
device_words words_there(vector<T>&& x)
{
    // Work of others that still reads the memory is on CUDA's default stream or ordered before it.
    const std::shared_ptr<vector<T>> owner(new vector<T>(std::move(x)), [](vector<T>* p) {
        try {
            stream_at(p->where()).wait();
        } catch (const error&) {
            // The device is lost: the next call says so.
        }
        delete p;
    });
    return {owner->word(0).data(), words_of<T>, owner->size(), owner->where(), owner};
}

/// The rows of a matrix in memory of the caller, or of ddla.
struct device_matrix {
    std::variant<csr<double>, csr<dd_real>> rows;
    place at;
    std::shared_ptr<const void> keep;
};

/// f.operator()<T>(a) for a csr that acts on vectors of T.
template <scalar T, class F>
auto with_device_rows(const device_matrix& a, const F& f)
{
    using result = decltype(f(std::declval<const csr<double>&>()));
    return std::visit(
        [&]<scalar V>(const csr<V>& rows) -> result {
            if constexpr (acts_on<T, V>)
                return f(rows);
            else
                throw nb::type_error("A has values in double-double, the work is in double");
        },
        a.rows);
}

}  // namespace ddla::python
