// Loops on the threads of the host engine, for other work than that of an engine.
#pragma once

#include "ddla/views.hpp"

namespace ddla {

/// f(argument, chunk) for 0 <= chunk < chunks on host_threads() threads, the caller among them;
/// returns when all are done.  f must not throw, nor call this.  While another thread runs a loop,
/// the caller does all chunks itself.
void run_on_host(index_t chunks, void (*f)(const void*, index_t), const void* argument);

}  // namespace ddla
