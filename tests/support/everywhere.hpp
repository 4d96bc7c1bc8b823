// Run a check under every number of threads and every instruction set that this machine has.
#pragma once

#include "ddla/blas.hpp"
#include "host/simd/isa.hpp"

namespace test {

template <class Check>
void everywhere(const Check& check)
{
    using ddla::host_backend::isa;
    const int threads_before = ddla::host_threads();
    const isa isa_before = ddla::host_backend::current_isa();
    for (const isa set : {isa::baseline, isa::avx2, isa::avx512}) {
        if (!ddla::host_backend::choose_isa(set)) continue;
        for (const int threads : {1, 2, 3, 7}) {
            if (threads != 1 && set == isa::avx2) continue;  // one thread count suffices there
            ddla::set_host_threads(threads);
            check();
        }
    }
    ddla::host_backend::choose_isa(isa_before);
    ddla::set_host_threads(threads_before);
}

}  // namespace test
