// Storages as a device has them, made on the host: the conversion is one text for both.  Compiled
// once for all tests that look into them, a file a precision: it is among the largest templates.
#pragma once

#include "ddla/csr_matrix.hpp"
#include "formats/slices/steps.hpp"
#include "formats/storage.hpp"

#include <memory>

namespace test {

/// What formats::format_builder makes, automatic for vectors in double or not; `held` becomes the
/// bytes of working memory that it still has at its end.
template <class V>
std::shared_ptr<ddla::row_storage<V>> stored(const ddla::csr_matrix<V>& a,
                                             const ddla::format_options& options,
                                             std::size_t* held = nullptr, bool for_double = false);

/// What formats::converter makes by a plan.
template <class V>
ddla::row_storage<V> stored_in_slices(const ddla::csr_matrix<V>& a,
                                      const ddla::formats::slice_plan& plan);
template <class V>
ddla::row_storage<V> stored_in_tiles(const ddla::csr_matrix<V>& a,
                                     const ddla::formats::slice_plan& plan);

}  // namespace test
