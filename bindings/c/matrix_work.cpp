// Generated matrices, what a matrix looks like, and its formats.
#include "described.hpp"
#include "enums.hpp"
#include "handles.hpp"
#include "structs.hpp"

using namespace ddla;
using namespace ddla::c;

namespace {

template <class Make>
ddla_status generated(ddla_matrix** a, const Make& make)
{
    return guarded([&] {
        auto& to = required_handle(a, "a");
        to = new_matrix(make());
    });
}

format_options options_of(const ddla_format_options* options)
{
    const ddla_format_options o = given(options, ddla_format_options{}, "options");
    return {from_c<sparse_format>(o.format, "format"), o.threads_per_row, o.memory_limit};
}

/// Refuses a report that cannot be written before the work is done.
void check_report(const ddla_format_report* report)
{
    if (report) check_size<ddla_format_report>(report->size, "report");
}

}  // namespace

extern "C" {

ddla_status ddla_generate_poisson2d(int64_t nx, int64_t ny, ddla_matrix** a)
{
    return generated(a, [&] { return generate::poisson2d(nx, ny); });
}

ddla_status ddla_generate_poisson3d(int64_t nx, int64_t ny, int64_t nz, ddla_matrix** a)
{
    return generated(a, [&] { return generate::poisson3d(nx, ny, nz); });
}

ddla_status ddla_generate_convection_diffusion(int64_t nx, int64_t ny, int64_t nz,
                                               double convection, double shift, ddla_matrix** a)
{
    return generated(a,
                     [&] { return generate::convection_diffusion(nx, ny, nz, convection, shift); });
}

ddla_status ddla_generate_toeplitz(int64_t n, double gamma, ddla_matrix** a)
{
    return generated(a, [&] { return generate::toeplitz(n, gamma); });
}

ddla_status ddla_generate_hilbert_like(int64_t n, int64_t bandwidth, ddla_precision values,
                                       ddla_matrix** a)
{
    return guarded([&] {
        auto& to = required_handle(a, "a");
        in_precision(values,
                     [&]<scalar V>() { to = new_matrix(generate::hilbert_like<V>(n, bandwidth)); });
    });
}

ddla_status ddla_generate_random(int64_t n, int64_t per_row, double dominance, uint64_t seed,
                                 ddla_matrix** a)
{
    return generated(a, [&] { return generate::random(n, per_row, dominance, seed); });
}

ddla_status ddla_generate_skewed(int64_t n, int64_t per_row, double exponent, uint64_t seed,
                                 ddla_matrix** a)
{
    return generated(a, [&] { return generate::skewed(n, per_row, exponent, seed); });
}

ddla_status ddla_matrix_inspect(const ddla_matrix* a, ddla_matrix_info* info)
{
    return guarded([&] {
        check_size<ddla_matrix_info>(required(info, "info").size, "info");
        matrix_info m;
        with_matrix(a, "a", [&](const auto& rows) { m = inspect(rows); });
        hand_over(fields_of<ddla_matrix_info>(m), info, "info");
    });
}

ddla_status ddla_format_options_init(ddla_format_options* options, size_t size)
{
    return init(ddla_format_options{}, options, size);
}

ddla_status ddla_matrix_set_format(ddla_matrix* a, ddla_precision vectors,
                                   const ddla_format_options* options, ddla_format_report* report)
{
    return guarded([&] {
        check_report(report);
        const format_options o = options_of(options);
        in_precision(vectors, [&]<scalar T>() {
            with_matrix(a, "a", [&]<scalar V>(csr_matrix<V>& m) {
                if constexpr (acts_on<T, V>) {
                    const format_report done = set_format<T>(m, o);
                    if (report) hand_over(fields_of<ddla_format_report>(done), report, "report");
                } else {
                    throw misuse("a has values in double-double, the vectors are in double");
                }
            });
        });
    });
}

ddla_status ddla_matrix_format(const ddla_matrix* a, ddla_format_report* report)
{
    return guarded([&] {
        with_matrix(a, "a", [&](const auto& m) {
            hand_over(fields_of<ddla_format_report>(format_of(m)), report, "report");
        });
    });
}

ddla_status ddla_matrix_tune(ddla_matrix* a, ddla_precision vectors, ddla_format_report* report)
{
    return guarded([&] {
        check_report(report);
        in_precision(vectors, [&]<scalar T>() {
            with_matrix(a, "a", [&]<scalar V>(csr_matrix<V>& m) {
                if constexpr (acts_on<T, V>) {
                    tune<T>(m);
                    if (report)
                        hand_over(fields_of<ddla_format_report>(format_of(m)), report, "report");
                } else {
                    throw misuse("a has values in double-double, the vectors are in double");
                }
            });
        });
    });
}
}
