// Run a check under every number of threads and every instruction set that this machine has.
#pragma once

#include "ddla/blas.hpp"
#include "isa/isa.hpp"

namespace test {

/// Runs a check with an instruction set, if this machine has it, and a number of threads.
template <class Check>
void on_threads(ddla::host_backend::isa set, int threads, const Check& check)
{
    const int threads_before = ddla::host_threads();
    const auto set_before = ddla::host_backend::current_isa();
    if (!ddla::host_backend::choose_isa(set)) return;
    ddla::set_host_threads(threads);
    check();
    ddla::host_backend::choose_isa(set_before);
    ddla::set_host_threads(threads_before);
}

template <class Check>
void everywhere(const Check& check)
{
    using ddla::host_backend::isa;
#if defined(__SANITIZE_ADDRESS__)
    constexpr isa sets[] = {isa::baseline};  // there all are this one: isa/isa.hpp
#else
    constexpr isa sets[] = {isa::baseline, isa::avx2, isa::avx512};
#endif
    for (const isa set : sets)
        for (const int threads : {1, 2, 3, 7}) {
            if (threads != 1 && set == isa::avx2) continue;  // one thread count suffices there
            on_threads(set, threads, check);
        }
}

}  // namespace test
