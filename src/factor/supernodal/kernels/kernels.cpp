// The kernels of the current instruction set.
#include "kernels.hpp"

#include "isa/isa.hpp"

namespace ddla::factor {

const kernel_table& current_kernels()
{
#if defined(DDLA_KERNELS_OF_X86)
    switch (host_backend::current_isa()) {
    case host_backend::isa::avx512:
        return kernels_in_avx512();
    case host_backend::isa::avx2:
        return kernels_in_avx2();
    case host_backend::isa::baseline:
        break;
    }
#endif
    return kernels_in_baseline();
}

}  // namespace ddla::factor
