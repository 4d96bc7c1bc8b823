// Operators and preconditioners.
#include "described.hpp"
#include "options.hpp"
#include "reports.hpp"

using namespace ddla;
using namespace ddla::c;

namespace {

template <scalar T>
ddla_operator* new_operator(linear_operator<T> a)
{
    return new ddla_operator{std::move(a)};
}
template <scalar T>
ddla_preconditioner* new_preconditioner(preconditioner<T> k)
{
    return new ddla_preconditioner{std::move(k)};
}

void require_positive(int64_t rows, int64_t columns)
{
    if (rows < 0 || columns < 0)
        throw input_error("an operator cannot be " + std::to_string(rows) + " x " +
                          std::to_string(columns));
}

std::string name_of(const char* name)
{
    return name ? name : "callback";
}

template <scalar T, scalar V>
preconditioner<T> preconditioner_of(preconditioning kind, const csr_matrix<V>& a,
                                    const preconditioner_options& o)
{
    switch (kind) {
    case preconditioning::none:
        return {};
    case preconditioning::jacobi:
        return preconditioner<T>::jacobi(a);
    case preconditioning::lu:
        throw misuse("factors of lu are made by ddla_factors_create");
    case preconditioning::ilu:
        return preconditioner<T>::ilu(a, o);
    case preconditioning::ilut:
        return preconditioner<T>::ilut(a, o);
    case preconditioning::ic:
        return preconditioner<T>::ic(a, o);
    case preconditioning::block_jacobi:
        return preconditioner<T>::block_jacobi(a, o);
    case preconditioning::polynomial:
        return preconditioner<T>::polynomial(a, o);
    }
    throw misuse("there is no such kind of preconditioner");
}

}  // namespace

extern "C" {

ddla_status ddla_operator_create(ddla_precision precision, int64_t rows, int64_t columns,
                                 ddla_apply apply, void* data, ddla_operator** a)
{
    return guarded([&] {
        auto& to = required_handle(a, "a");
        require_positive(rows, columns);
        in_precision(precision, [&]<scalar T>() {
            to = new_operator(linear_operator<T>(rows, columns, host_code<T>(apply, data)));
        });
    });
}

ddla_status ddla_operator_create_on_device(ddla_precision precision, int64_t rows, int64_t columns,
                                           ddla_place at, ddla_apply_on_stream apply, void* data,
                                           int32_t may_record, ddla_operator** a)
{
    return guarded([&] {
        auto& to = required_handle(a, "a");
        require_positive(rows, columns);
        in_precision(precision, [&]<scalar T>() {
            to = new_operator(linear_operator<T>(rows, columns, place_of(at),
                                                 device_code<T>(apply, data),
                                                 recording_of(may_record)));
        });
    });
}

ddla_status ddla_operator_create_matrix(const ddla_matrix* matrix, ddla_precision precision,
                                        ddla_operator** a)
{
    return guarded([&] {
        auto& to = required_handle(a, "a");
        with_product(matrix, precision, [&]<scalar T, scalar V>(const csr_matrix<V>&) {
            const auto& shared = std::get<std::shared_ptr<csr_matrix<V>>>(matrix->rows);
            to = new_operator(linear_operator<T>(std::shared_ptr<const csr_matrix<V>>(shared)));
        });
    });
}

ddla_status ddla_operator_apply(const ddla_operator* a, const ddla_vector* x, ddla_vector* y)
{
    return guarded([&] {
        std::visit([&]<scalar T>(
                       const linear_operator<T>& map) { map.apply(in<T>(x, "x"), in<T>(y, "y")); },
                   required(a, "a").map);
    });
}

void ddla_operator_destroy(ddla_operator* a)
{
    delete a;
}

ddla_status ddla_preconditioner_create(ddla_precision precision, const char* name, int64_t n,
                                       ddla_apply apply, void* data, ddla_preconditioner** k)
{
    return guarded([&] {
        auto& to = required_handle(k, "k");
        in_precision(precision, [&]<scalar T>() {
            to = new_preconditioner(preconditioner<T>(name_of(name), n, host_code<T>(apply, data)));
        });
    });
}

ddla_status ddla_preconditioner_create_on_device(ddla_precision precision, const char* name,
                                                 int64_t n, ddla_place at,
                                                 ddla_apply_on_stream apply, void* data,
                                                 int32_t may_record, ddla_preconditioner** k)
{
    return guarded([&] {
        auto& to = required_handle(k, "k");
        in_precision(precision, [&]<scalar T>() {
            to = new_preconditioner(preconditioner<T>(name_of(name), n, place_of(at),
                                                      device_code<T>(apply, data),
                                                      recording_of(may_record)));
        });
    });
}

ddla_status ddla_preconditioner_create_none(ddla_precision precision, ddla_preconditioner** k)
{
    return guarded([&] {
        auto& to = required_handle(k, "k");
        in_precision(precision, [&]<scalar T>() { to = new_preconditioner(preconditioner<T>()); });
    });
}

ddla_status ddla_preconditioner_create_jacobi(const ddla_matrix* a, ddla_precision precision,
                                              ddla_preconditioner** k)
{
    return guarded([&] {
        auto& to = required_handle(k, "k");
        with_product(a, precision, [&]<scalar T>(const auto& m) {
            to = new_preconditioner(preconditioner<T>::jacobi(m));
        });
    });
}

ddla_status ddla_preconditioner_create_lu(const ddla_factors* f, ddla_precision precision,
                                          ddla_place at, ddla_preconditioner** k)
{
    return guarded([&] {
        auto& to = required_handle(k, "k");
        in_precision(precision, [&]<scalar T>() {
            std::visit(
                [&](const auto& lu) {
                    to = new_preconditioner(preconditioner<T>::lu(lu, place_of(at)));
                },
                required(f, "f").lu);
        });
    });
}

ddla_status ddla_preconditioner_create_matrix(const ddla_matrix* matrix, ddla_precision precision,
                                              ddla_preconditioning kind,
                                              const ddla_preconditioner_options* options,
                                              ddla_preconditioner** k)
{
    return guarded([&] {
        auto& to = required_handle(k, "k");
        const auto wanted = from_c<preconditioning>(kind, "kind");
        const preconditioner_options o = options_of(options);
        with_product(matrix, precision, [&]<scalar T, scalar V>(const csr_matrix<V>& m) {
            auto made = std::unique_ptr<ddla_preconditioner>(
                new_preconditioner(preconditioner_of<T>(wanted, m, o)));
            if (wanted == preconditioning::polynomial)
                made->matrix = std::get<std::shared_ptr<csr_matrix<V>>>(matrix->rows);
            to = made.release();
        });
    });
}

ddla_status ddla_preconditioner_apply(const ddla_preconditioner* k, const ddla_vector* r,
                                      ddla_vector* z)
{
    return guarded([&] {
        std::visit([&]<scalar T>(
                       const preconditioner<T>& map) { map.apply(in<T>(r, "r"), in<T>(z, "z")); },
                   required(k, "k").map);
    });
}

ddla_status ddla_preconditioner_set_symmetric_positive(ddla_preconditioner* k, int32_t is)
{
    return guarded([&] {
        std::visit([&](auto& map) { map.set_symmetric_positive(is != 0); }, required(k, "k").map);
    });
}

ddla_status ddla_preconditioner_built(const ddla_preconditioner* k, ddla_build_report* report)
{
    return guarded([&] {
        std::visit(
            [&](const auto& map) {
                hand_over(fields_of<ddla_build_report>(map.built()), report, "report");
            },
            required(k, "k").map);
    });
}

void ddla_preconditioner_destroy(ddla_preconditioner* k)
{
    delete k;
}
}
