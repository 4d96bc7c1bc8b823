// What the checks of sums (cases/sum_cases.cpp) rest on: the depth of the rule, the exact
// arithmetic, the condition numbers.
#include "support/ill_conditioned.hpp"
#include "support/operands.hpp"
#include "support/oracle.hpp"
#include "support/sum_bounds.hpp"

#include "ddla/summation.hpp"

#include <memory>

using ddla::index_t;
using test::exact_number;

namespace {

/// In place of a term: counts the additions that it has gone through.
struct counting_term {
    int additions = 0;
    counting_term() = default;
    explicit counting_term(double) {}
    friend counting_term operator+(counting_term a, counting_term b)
    {
        a.additions = std::max(a.additions, b.additions) + 1;
        return a;
    }
};

template <class T>
mpq_class rational(const T& x)
{
    mpq_class sum = 0;
    ddla::each_word(x, [&](auto, double w) { sum += mpq_class(w); });
    return sum;
}

}  // namespace

TEST_CASE("the depth of a sum is that of the summation rule", "[sums]")
{
    std::vector<index_t> lengths(1100);
    std::iota(lengths.begin(), lengths.end(), index_t(0));
    for (const index_t n : {2047, 2048, 2049, 32768, 32769, 65280, 65281, 65535, 65536, 65537,
                            131072, 131073, 1048576, 1048577, 10000000})
        lengths.push_back(n);
    for (const index_t n : lengths) {
        INFO("n = " << n);
        const std::vector<counting_term> terms(static_cast<std::size_t>(n));
        CHECK(oracle::sum(terms).additions == test::depth(n));
        auto rule = std::make_unique<ddla::running_sum<counting_term>>();
        for (const counting_term& t : terms) rule->add(t);
        CHECK(rule->sum(counting_term()).additions == test::depth(n));
    }
}

TEMPLATE_TEST_CASE("exact sums agree with GMP's rationals", "[sums]", double, ddla::dd_real)
{
    using T = TestType;
    for (const test::operand kind :
         {test::operand::ordinary, test::operand::wide, test::operand::huge, test::operand::tiny,
          test::operand::subnormal, test::operand::zeros}) {
        INFO(test::name_of(kind));
        const auto x = test::operands<T>(kind, 200, 1), y = test::operands<T>(kind, 200, 2);
        test::exact_sum products;
        exact_number step_by_step;
        mpq_class truth = 0;
        for (index_t i = 0; i < x.size(); ++i) {
            products.add_product(T(x[i]), T(y[i]));
            step_by_step = step_by_step + exact_number(T(x[i])) * exact_number(T(y[i]));
            truth += rational(T(x[i])) * rational(T(y[i]));
        }
        CHECK(products.value().rational() == truth);
        CHECK(step_by_step.rational() == truth);
        CHECK((abs(step_by_step) <= products.value()) == (abs(truth) <= truth));
        CHECK_FALSE(step_by_step + test::eta() * test::eta() <= products.value());
    }
}

TEST_CASE("the largest products are summed exactly", "[sums]")
{
    test::exact_sum sum;
    const double most = std::numeric_limits<double>::max(), least = 0x1p-1074;
    sum.add_product(most, most);
    sum.add_product(-most, most);
    sum.add_product(least, -least);
    CHECK(sum.value().rational() == mpq_class(least) * mpq_class(-least));
}

TEMPLATE_TEST_CASE("bounds of single operations are those of the table", "[sums]", double,
                   ddla::dd_real)
{
    using T = TestType;
    const mpq_class u = mpq_class(0x1p-53);
    const bool one_word = std::is_same_v<T, double>;
    const mpq_class s = one_word ? u : mpq_class(3 * u * u + 13 * u * u * u);
    const mpq_class p = one_word ? u : mpq_class(5 * u * u);
    const mpq_class growth = (1 + s) * (1 + s) * (1 + s);  // of 5 to 8 terms
    const exact_number one(1);
    const auto dot = test::bounded_dot<T, T>(7, one, exact_number(3));
    const mpq_class lost = mpq_class(0x1p-1074) * (one_word ? mpq_class(1, 2) : mpq_class(5));
    CHECK(dot.error.rational() == 3 * (growth * (1 + p) - 1) + 7 * growth * lost);
    CHECK(test::bounded_sum<T>(8, one, one).error.rational() == growth - 1);
    // gamma_4, as it is written for double.
    if (one_word) CHECK(dot.error.rational() <= 3 * (4 * u / (1 - 4 * u)) + 8 * lost);
    const auto none = test::bounded_dot<T, T>(0, exact_number(), exact_number());
    CHECK(none.error.sign() == 0);
    CHECK(test::within(T(0), none));
    CHECK_FALSE(test::within(T(0x1p-1074), none));
    CHECK_FALSE(test::within(T(std::nan("")), dot));
}

TEMPLATE_TEST_CASE("condition numbers are about those that are wanted", "[sums]",
                   test::double_double, test::dd_double, test::dd_dd)
{
    using T = typename TestType::scalar;
    using V = typename TestType::value;
    for (const index_t n : {20, 100, 1001})
        for (const double wanted : {1e4, 1e8, 1e16, 1e24, 1e32, 1e45, 1e60}) {
            const auto p = test::dot_product_of<V, T>(n, wanted, 3);
            INFO("n = " << n << ", wanted " << wanted << ", found " << p.condition());
            CHECK(p.size() == n);
            CHECK(p.condition() > wanted / 1000);
            CHECK(p.condition() < wanted * 100000);
        }
    CHECK(test::dot_product_of<V, T>(100, 2, 3).condition() == 2);
}
