// Matrices of double; a file of its own so that the precisions compile side by side.
#include "make_host_formats.hpp"

template std::shared_ptr<ddla::row_storage<double>>
test::stored(const ddla::csr_matrix<double>&, const ddla::format_options&, std::size_t*, bool);
template ddla::row_storage<double> test::stored_in_slices(const ddla::csr_matrix<double>&,
                                                          const ddla::formats::slice_plan&);
template ddla::row_storage<double> test::stored_in_tiles(const ddla::csr_matrix<double>&,
                                                         const ddla::formats::slice_plan&);
