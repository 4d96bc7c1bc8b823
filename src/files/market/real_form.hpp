// Entries of a complex file as entries of the real form (ddla/complex.hpp).
#pragma once

#include "array_values.hpp"
#include "complex_value.hpp"

#include <vector>

namespace ddla::text {

/// The shape of the real form: general, since mirror images are made with it.
header real_form_of(const header& about);

/// The entries and the mirror images that the symmetry calls for, each as its block.
template <scalar V>
std::vector<placed_entry<V>> in_real_form(std::span<const placed_entry<complex_number<V>>> entries,
                                          symmetry symmetry);

/// Throws malformed for a value on the diagonal of a hermitian array file that is not real.
template <scalar V>
void check_hermitian(characters text, const header& about,
                     const array_values<complex_number<V>>& values);

}  // namespace ddla::text
