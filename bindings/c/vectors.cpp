#include "handles.hpp"

using namespace ddla;
using namespace ddla::c;

namespace {

/// f(x) for the vector of a handle.
template <class X, class F>
void with_vector(X* x, const F& f)
{
    std::visit(f, required(x, "x").numbers);
}

template <scalar T>
void require_size(const vector<T>& x, int64_t n)
{
    if (n != x.size())
        throw input_error("the arrays have " + std::to_string(n) + " elements, x has " +
                          std::to_string(x.size()));
}

/// Throws misuse unless there is an array for each word that numbers of T have, and no other.
template <scalar T>
void require_words(int64_t n, const double* hi, const double* lo)
{
    required_array(hi, n, "hi");
    if constexpr (words_of<T> == 2)
        required_array(lo, n, "lo");
    else if (lo)
        throw misuse("lo is given, but x is in double");
}

/// The words of x from or to arrays on the host.
template <scalar T>
void set_word(vector<T>& x, int k, const double* from)
{
    copy_bytes(x.word(k).data(), x.where(), from, host, x.word(k).size_bytes());
}
template <scalar T>
void get_word(const vector<T>& x, int k, double* to)
{
    copy_bytes(to, host, x.word(k).data(), x.where(), x.word(k).size_bytes());
}

template <scalar T>
T from_pair(ddla_dd p, index_t i)
{
    return number<T>(p, ("element " + std::to_string(i)).c_str());
}

}  // namespace

extern "C" {

ddla_status ddla_vector_create(ddla_precision precision, int64_t n, ddla_place at, ddla_vector** x)
{
    return guarded([&] {
        auto& to = required_handle(x, "x");
        in_precision(precision, [&]<scalar T>() { to = new_vector(vector<T>(n, place_of(at))); });
    });
}

ddla_status ddla_vector_copy_to(const ddla_vector* x, ddla_place at, ddla_vector** copy)
{
    return guarded([&] {
        auto& to = required_handle(copy, "copy");
        with_vector(x, [&](const auto& v) { to = new_vector(v.to(place_of(at))); });
    });
}

ddla_status ddla_vector_read(const char* file, ddla_precision precision, ddla_vector** x)
{
    return guarded([&] {
        auto& to = required_handle(x, "x");
        in_precision(precision, [&]<scalar T>() {
            to = new_vector(read_vector<T>(&required(file, "file"), 0, &last_read()));
        });
    });
}

ddla_status ddla_last_read(int64_t* underflowed, int64_t* subnormal, int64_t* rounded)
{
    return guarded([&] {
        const read_losses& lost = last_read();
        int64_t &first = required(underflowed, "underflowed"),
                &second = required(subnormal, "subnormal"), &third = required(rounded, "rounded");
        first = lost.underflowed;
        second = lost.subnormal;
        third = lost.rounded;
    });
}

ddla_status ddla_vector_write(const ddla_vector* x, const char* file, const char* comment)
{
    return guarded([&] {
        with_vector(x, [&](const auto& v) {
            write_vector(&required(file, "file"), v.to(host), comment ? comment : "");
        });
    });
}

void ddla_vector_destroy(ddla_vector* x)
{
    delete x;
}

ddla_status ddla_vector_size(const ddla_vector* x, int64_t* n)
{
    return guarded([&] { with_vector(x, [&](const auto& v) { required(n, "n") = v.size(); }); });
}

ddla_status ddla_vector_precision(const ddla_vector* x, ddla_precision* precision)
{
    return guarded([&] { required(precision, "precision") = precision_of_vector(x, "x"); });
}

ddla_status ddla_vector_place(const ddla_vector* x, ddla_place* at)
{
    return guarded([&] {
        with_vector(x, [&](const auto& v) { required(at, "at") = v.where().device_index; });
    });
}

ddla_status ddla_vector_set_words(ddla_vector* x, int64_t n, const double* hi, const double* lo)
{
    return guarded([&] {
        with_vector(x, [&]<scalar T>(vector<T>& v) {
            require_size(v, n);
            require_words<T>(n, hi, lo);
            set_word(v, 0, hi);
            if constexpr (words_of<T> == 2) set_word(v, 1, lo);
        });
    });
}

ddla_status ddla_vector_get_words(const ddla_vector* x, int64_t n, double* hi, double* lo)
{
    return guarded([&] {
        with_vector(x, [&]<scalar T>(const vector<T>& v) {
            require_size(v, n);
            require_words<T>(n, hi, lo);
            get_word(v, 0, hi);
            if constexpr (words_of<T> == 2) get_word(v, 1, lo);
        });
    });
}

ddla_status ddla_vector_set_pairs(ddla_vector* x, int64_t n, const ddla_dd* pairs)
{
    return guarded([&] {
        with_vector(x, [&]<scalar T>(vector<T>& v) {
            require_size(v, n);
            required_array(pairs, n, "pairs");
            vector<T> here(n);
            for (index_t i = 0; i < n; ++i) here.set(i, from_pair<T>(pairs[i], i));
            for (int k = 0; k < words_of<T>; ++k) set_word(v, k, here.word(k).data());
        });
    });
}

ddla_status ddla_vector_get_pairs(const ddla_vector* x, int64_t n, ddla_dd* pairs)
{
    return guarded([&] {
        with_vector(x, [&]<scalar T>(const vector<T>& v) {
            require_size(v, n);
            required_array(pairs, n, "pairs");
            const vector<T> copied = v.where().is_host() ? vector<T>() : v.to(host);
            const vec<const T> here = v.where().is_host() ? v.view() : copied.view();
            for (index_t i = 0; i < n; ++i) pairs[i] = pair(here.get(i));
        });
    });
}

ddla_status ddla_vector_fill(ddla_vector* x, ddla_dd value)
{
    return guarded([&] {
        with_vector(x, [&]<scalar T>(vector<T>& v) {
            const vector<T> filled(v.size(), number<T>(value, "value"), v.where());
            copy(filled, v);
        });
    });
}

ddla_status ddla_vector_words(ddla_vector* x, double** hi, double** lo)
{
    return guarded([&] {
        with_vector(x, [&](auto& v) {
            required(hi, "hi") = v.view().word(0);
            required(lo, "lo") = low_word(v.view());
        });
    });
}

ddla_status ddla_hash(const ddla_vector* x, uint64_t* hash)
{
    return guarded(
        [&] { with_vector(x, [&](const auto& v) { required(hash, "hash") = hash_of(v); }); });
}
}
