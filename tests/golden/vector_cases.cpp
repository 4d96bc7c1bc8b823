#include "cases.hpp"

#include "support/operands.hpp"

using ddla::index_t;
using test::operand;

namespace golden {

namespace {

template <class T>
void sums(recorder& out, const std::string& of, const ddla::vector<T>& x, const ddla::vector<T>& y)
{
    out.add("dot" + of, hash_of_scalar(ddla::dot(x, y)));
    out.add("nrm2" + of, hash_of_scalar(ddla::nrm2(x)));
    out.add("asum" + of, hash_of_scalar(ddla::asum(x)));
}

template <class T>
void updates(recorder& out, const std::string& of, const ddla::vector<T>& x,
             const ddla::vector<T>& y)
{
    const T a = test::random_vector<T>(1, 103)[0];
    auto z = y;
    ddla::axpy(a, x, z);
    out.add("axpy" + of, ddla::hash_of(z));
    const T b = test::random_vector<T>(1, 104)[0];
    ddla::axpyz(b, x, y, z);
    out.add("axpyz" + of, ddla::hash_of(z));
    z = y;
    ddla::xpay(x, a, z);
    out.add("xpay" + of, ddla::hash_of(z));
    z = x;
    ddla::scal(a, z);
    out.add("scal" + of, ddla::hash_of(z));
}

template <class T>
void all(recorder& out, operand kind, index_t n)
{
    const std::string of = std::string("/") + ddla::number_traits<T>::name + "/" +
                           test::name_of(kind) + "/" + std::to_string(n);
    const auto x = test::operands<T>(kind, n, 101).to(out.at);
    const auto y = test::operands<T>(kind, n, 102).to(out.at);
    sums(out, of, x, y);
    updates(out, of, x, y);
}

}  // namespace

void vector_cases(recorder& out)
{
    for (const index_t n : {1, 255, 256, 257, 65535, 65536, 65537, 1048577}) {
        all<double>(out, operand::ordinary, n);
        all<ddla::dd_real>(out, operand::ordinary, n);
    }
    for (const operand kind : test::all_operands) {
        if (kind == operand::ordinary) continue;
        all<double>(out, kind, 65793);
        all<ddla::dd_real>(out, kind, 65793);
    }
}

}  // namespace golden
