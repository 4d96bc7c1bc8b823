// Threads of the host engine for work of other layers.
#pragma once

#include "engine/host_loops.hpp"
#include "factor/chunks.hpp"

#include "ddla/host_threads.hpp"

namespace ddla::api {

inline factor::chunk_runner host_chunks()
{
    return {host_threads(), run_on_host};
}

}  // namespace ddla::api
