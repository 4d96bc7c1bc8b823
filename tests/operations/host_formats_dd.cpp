// Matrices of double-double; a file of its own so that the precisions compile side by side.
#include "make_host_formats.hpp"

template std::shared_ptr<ddla::row_storage<ddla::dd_real>>
test::stored(const ddla::csr_matrix<ddla::dd_real>&, const ddla::format_options&, std::size_t*,
             bool);
template ddla::row_storage<ddla::dd_real>
test::stored_in_slices(const ddla::csr_matrix<ddla::dd_real>&, const ddla::formats::slice_plan&);
template ddla::row_storage<ddla::dd_real>
test::stored_in_tiles(const ddla::csr_matrix<ddla::dd_real>&, const ddla::formats::slice_plan&);
