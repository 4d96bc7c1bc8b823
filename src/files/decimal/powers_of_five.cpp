#include "powers_of_five.hpp"

#include "integer.hpp"

#include <cstdlib>

namespace ddla::text {
namespace {

constexpr long kept_bits = 192;

/// The leading 192 bits of `value` 2^exponent; `remainder` says whether `value` was truncated
/// before.
power_of_five leading_bits(const integer& value, long exponent, bool remainder)
{
    const long surplus = value.bits() - kept_bits;
    integer kept;
    if (surplus > 0) {
        mpz_tdiv_q_2exp(kept, value, surplus);
        remainder = remainder || mpz_scan1(value, 0) < static_cast<mp_bitcnt_t>(surplus);
    } else {
        mpz_mul_2exp(kept, value, -surplus);
    }
    power_of_five result{};
    mpz_export(result.limb.data(), nullptr, -1, sizeof(std::uint64_t), 0, 0, kept);
    result.exponent = static_cast<std::int32_t>(exponent + surplus);
    result.exact = !remainder;
    return result;
}

power_of_five compute(int e)
{
    integer power;
    mpz_ui_pow_ui(power, 5, std::abs(e));
    if (e >= 0) return leading_bits(power, 0, false);
    const long shift = power.bits() + kept_bits;  // so that the quotient has 192 or 193 bits
    integer quotient;
    mpz_set_ui(quotient, 1);
    mpz_mul_2exp(quotient, quotient, shift);
    mpz_tdiv_q(quotient, quotient, power);
    return leading_bits(quotient, -shift, true);
}

}  // namespace

powers_table build_powers_of_five()
{
    powers_table table;
    for (int e = least_power; e <= greatest_power; ++e) table[e - least_power] = compute(e);
    return table;
}

}  // namespace ddla::text
