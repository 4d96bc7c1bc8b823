// A big integer that frees itself.  Only the exact, slow paths of the conversions use it.
#pragma once

#include <gmp.h>

namespace ddla::text {

class integer {
public:
    integer() { mpz_init(value_); }
    explicit integer(unsigned long value) { mpz_init_set_ui(value_, value); }
    integer(const integer&) = delete;
    integer& operator=(const integer&) = delete;
    ~integer() { mpz_clear(value_); }

    operator mpz_ptr() { return value_; }
    operator mpz_srcptr() const { return value_; }

    int sign() const { return mpz_sgn(value_); }
    /// The number of bits; 0 for zero.
    long bits() const { return sign() == 0 ? 0 : static_cast<long>(mpz_sizeinbase(value_, 2)); }

private:
    mpz_t value_;
};

}  // namespace ddla::text
