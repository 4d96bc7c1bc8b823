#include "cases.hpp"

#include "support/operands.hpp"
#include "support/shapes.hpp"

#include "ddla/generate.hpp"

using ddla::index_t;
using test::operand;

namespace golden {

namespace {

std::uint64_t hash_of_norms(const ddla::residual_norms& norms)
{
    digest all;
    all.add(norms.residual), all.add(norms.right_hand_side), all.add(norms.relative);
    return all.hash();
}

template <class T, class V>
void products(recorder& out, const std::string& of, const ddla::csr_matrix<V>& matrix, operand kind)
{
    const auto a = matrix.to(out.at);
    const auto x = test::operands<T>(kind, a.columns(), 111).to(out.at);
    const auto y = test::operands<T>(kind, a.rows(), 112).to(out.at);
    const auto scalars = test::random_vector<T>(2, 113);
    auto z = y;
    ddla::spmv(T(1), a, x, T(0), z);
    out.add("spmv" + of, ddla::hash_of(z));
    z = y;
    ddla::spmv(scalars[0], a, x, scalars[1], z);
    out.add("spmv_alpha_beta" + of, ddla::hash_of(z));
    ddla::residual(a, x, y, z);
    out.add("residual" + of, ddla::hash_of(z));
    out.add("true_residual" + of, hash_of_norms(ddla::true_residual(a, x, y)));
}

template <class T, class V>
void transposed(recorder& out, const std::string& of, const ddla::csr_matrix<V>& matrix)
{
    const auto scalars = test::random_vector<T>(2, 114);
    const auto x = test::random_vector<T>(matrix.rows(), 115).to(out.at);
    auto y = test::random_vector<T>(matrix.columns(), 116).to(out.at);
    ddla::spmv_transposed(scalars[0], matrix.to(out.at), x, scalars[1], y);
    out.add("spmv_transposed" + of, ddla::hash_of(y));
}

/// Empty rows, rows of up to 33 entries and some of 600.
index_t mixed(index_t i)
{
    return i % 7 == 0 ? 0 : i % 500 == 3 ? 600 : i % 34;
}

index_t one_long(index_t i)
{
    return i == 700 ? 100000 : i % 4;
}

}  // namespace

void matrix_cases(recorder& out)
{
    for_all_types([&]<class T, class V>(types<T, V> t) {
        const std::string of = "/" + t.name();
        const auto rows_mixed = test::random_matrix<V>(3000, 2900, 117, mixed);
        products<T>(out, of + "/mixed_rows", rows_mixed, operand::ordinary);
        transposed<T>(out, of + "/mixed_rows", rows_mixed);
        for (const operand kind : {operand::wide, operand::huge, operand::tiny, operand::subnormal,
                                   operand::zeros, operand::not_finite})
            products<T>(out, of + "/mixed_rows/" + test::name_of(kind), rows_mixed, kind);
        const auto add = [&](const char* name, const ddla::csr_matrix<V>& a) {
            products<T>(out, of + "/" + name, a, operand::ordinary);
        };
        add("row_of_100000", test::random_matrix<V>(1500, 5000, 118, one_long));
        const auto convection = ddla::generate::convection_diffusion(41, 41, 41);
        add("convection_diffusion", test::with_values<V>(convection));
        add("poisson", test::with_values<V>(ddla::generate::poisson2d(70, 81)));
        add("494_bus", test::with_values<V>(power_network()));
    });
}

}  // namespace golden
