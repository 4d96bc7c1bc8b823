// MPFR's numbers as text.
#include "mp_number.hpp"

#include <new>
#include <vector>

namespace ddla::validate {

std::string to_text(const mp_number& x, int digits)
{
    const int length = mpfr_snprintf(nullptr, 0, "%.*Re", digits - 1, x.get());
    if (length < 0) throw std::bad_alloc();
    std::string text(static_cast<std::size_t>(length) + 1, '\0');
    mpfr_snprintf(text.data(), text.size(), "%.*Re", digits - 1, x.get());
    text.pop_back();
    return text;
}

}  // namespace ddla::validate
