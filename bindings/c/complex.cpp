// Real forms of complex matrices and vectors, and complex files.
#include "handles.hpp"

using namespace ddla;
using namespace ddla::c;

namespace {

/// f(a, b) for two matrices in one precision.
template <class F>
void with_both(const ddla_matrix* real, const ddla_matrix* imag, const F& f)
{
    with_matrix(real, "real", [&]<scalar V>(const csr_matrix<V>& re) {
        with_matrix(imag, "imag", [&]<scalar W>(const csr_matrix<W>& im) {
            if constexpr (std::is_same_v<V, W>)
                f(re, im);
            else
                throw misuse("real and imag have values in different precisions");
        });
    });
}

}  // namespace

extern "C" {

ddla_status ddla_matrix_real_form(const ddla_matrix* real, const ddla_matrix* imag,
                                  ddla_matrix** form)
{
    return guarded([&] {
        auto& to = required_handle(form, "form");
        if (imag)
            with_both(real, imag,
                      [&](const auto& re, const auto& im) { to = new_matrix(real_form(re, im)); });
        else
            with_matrix(real, "real", [&](const auto& re) { to = new_matrix(real_form(re)); });
    });
}

ddla_status ddla_vector_real_form(const ddla_vector* real, const ddla_vector* imag,
                                  ddla_vector** form)
{
    return guarded([&] {
        auto& to = required_handle(form, "form");
        in_precision_of(real, "real", [&]<scalar T>() {
            const vector<T>& re = in<T>(real, "real");
            to = new_vector(imag ? real_form(re, in<T>(imag, "imag")) : real_form(re));
        });
    });
}

ddla_status ddla_vector_complex_form(const ddla_vector* form, ddla_vector** real,
                                     ddla_vector** imag)
{
    return guarded([&] {
        require_handles(real, "real", imag, "imag");
        if (real == imag) throw misuse("real and imag are one handle");
        in_precision_of(form, "form", [&]<scalar T>() {
            complex_vector<T> x = complex_form(in<T>(form, "form"));
            std::unique_ptr<ddla_vector> first(new_vector(std::move(x.real)));
            *imag = new_vector(std::move(x.imag));
            *real = first.release();
        });
    });
}

ddla_status ddla_matrix_read_any(const char* file, ddla_precision values, ddla_matrix** a,
                                 int32_t* is_complex)
{
    return guarded([&] {
        auto& to = required_handle(a, "a");
        auto& found = required(is_complex, "is_complex");
        in_precision(values, [&]<scalar V>() {
            auto content = read_any_matrix<V>(&required(file, "file"), 0, &last_read());
            to = new_matrix(std::move(content.numbers));
            found = content.is_complex;
        });
    });
}

ddla_status ddla_vector_read_any(const char* file, ddla_precision precision, ddla_vector** x,
                                 int32_t* is_complex)
{
    return guarded([&] {
        auto& to = required_handle(x, "x");
        auto& found = required(is_complex, "is_complex");
        in_precision(precision, [&]<scalar T>() {
            auto content = read_any_vector<T>(&required(file, "file"), 0, &last_read());
            to = new_vector(std::move(content.numbers));
            found = content.is_complex;
        });
    });
}

ddla_status ddla_vector_write_complex(const ddla_vector* form, const char* file,
                                      const char* comment)
{
    return guarded([&] {
        in_precision_of(form, "form", [&]<scalar T>() {
            write_complex_vectors<T>(&required(file, "file"), {in<T>(form, "form")},
                                     comment ? comment : "");
        });
    });
}
}
