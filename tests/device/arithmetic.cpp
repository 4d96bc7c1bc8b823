// Every operation on the device has the bits that it has on the host.
#include "catch.hpp"
#include "support/run_tests.hpp"

#include "../arithmetic/operands.hpp"
#include "arithmetic.hpp"
#include "evaluate.hpp"

#include <cstdio>

namespace ddla::test {
namespace {

struct operand_arrays {
    std::vector<dd_real> x, y;
};

operand_arrays random_operands(int count)
{
    operand_source source(90);
    operand_arrays all;
    for (int i = 0; i < count; ++i) {
        const operand_pair pair = source.next();
        all.x.push_back(pair.x);
        all.y.push_back(pair.y);
    }
    return all;
}

operand_arrays special_operands()
{
    operand_arrays all;
    for (double xh : special_words)
        for (double yh : special_words)
            for (double low : {0.0, -0.0, 0x1p-1074, __builtin_nan("")}) {
                all.x.push_back({xh, low});
                all.y.push_back({yh, -low});
            }
    return all;
}

void check_all_operations(const operand_arrays& operands)
{
    for (int operation = 0; operation < operations; ++operation) {
        const std::vector<dd_real> z = evaluate_on_device(operation, operands.x, operands.y);
        std::size_t different = 0, first = 0;
        for (std::size_t i = 0; i < z.size(); ++i)
            if (!same(z[i], evaluate(operation, operands.x[i], operands.y[i])) && different++ == 0)
                first = i;
        char place[200] = "";
        if (different > 0)
            std::snprintf(place, sizeof place, "first: (%a, %a) and (%a, %a) give (%a, %a)",
                          operands.x[first].hi, operands.x[first].lo, operands.y[first].hi,
                          operands.y[first].lo, z[first].hi, z[first].lo);
        INFO("operation " << operation << " " << place);
        CHECK(different == 0);
    }
}

}  // namespace

TEST_CASE("a million random and adversarial pairs, every operation, every bit")
{
    check_all_operations(random_operands(1'000'000));
}

TEST_CASE("special words")
{
    check_all_operations(special_operands());
}

}  // namespace ddla::test

int main(int argc, char** argv)
{
    const char* const missing = ddla::test::device_count() == 0 ? "no CUDA device" : nullptr;
    return test::run_tests(missing, argc, argv);
}
