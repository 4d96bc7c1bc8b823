// An MPFR number that frees itself.
#pragma once

#include <mpfr.h>

namespace ddla::test {

struct number {
    mpfr_t value;

    explicit number(mpfr_prec_t precision) { mpfr_init2(value, precision); }
    number(const number&) = delete;
    number& operator=(const number&) = delete;
    ~number() { mpfr_clear(value); }
};

}  // namespace ddla::test
