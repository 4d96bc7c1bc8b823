// How many threads the host engine may use.
//
//     ddla::set_host_threads(4);  // changes the time, never a bit
#pragma once

namespace ddla {

/// The number of host threads that operations may use: at first DDLA_NUM_THREADS or the number of
/// processors this process may run on.  Never changes a bit of a result.  Throws input_error if
/// DDLA_NUM_THREADS is not a number from 1 to 1024 and set_host_threads was not called.
int host_threads();

/// Throws input_error unless 1 <= threads <= 1024.
void set_host_threads(int threads);

}  // namespace ddla
