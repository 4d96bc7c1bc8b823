// Folds of tiles in the precisions that ddla has.
#include "folds.hpp"

namespace ddla::host_backend {

template void fold(lanes<double>&, index_t);
template void fold(lanes<dd_real>&, index_t);
template void fold_tiles(eight_of<double>*, index_t, lanes<double, eight * eight>&,
                         eight_of<double>&);
template void fold_tiles(eight_of<dd_real>*, index_t, lanes<dd_real, eight * eight>&,
                         eight_of<dd_real>&);

}  // namespace ddla::host_backend
