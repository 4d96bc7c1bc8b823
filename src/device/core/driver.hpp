// Contexts of the driver.  ddla works in the primary context of a device, as the CUDA runtime does
// unless a context that somebody made with cuCtxCreate is current: then the runtime takes that one,
// and what ddla keeps would vanish with it.
#pragma once

#include <cuda.h>

namespace ddla::device_backend::driver {

/// Whether a context is current on this thread that is not the primary one of its device, or may
/// be.  Throws as check() if the runtime does not find the driver's functions.
bool is_in_foreign_context();

/// Make the primary context of a device current until pop(); it is kept until the process ends.
/// Throws resource_error if there is none to be had.
void push_primary_context(int device);
void pop_context() noexcept;

}  // namespace ddla::device_backend::driver
