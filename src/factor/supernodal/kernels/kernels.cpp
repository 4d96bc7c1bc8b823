// The kernels of the current instruction set.
#include "kernels.hpp"

#include "isa/isa.hpp"

namespace ddla::factor {

namespace {

/// What the unit of the set at hand has.
template <class Kernels>
const Kernels& of_current([[maybe_unused]] const Kernels& (*avx512)(),
                          [[maybe_unused]] const Kernels& (*avx2)(), const Kernels& (*baseline)())
{
#if defined(DDLA_KERNELS_OF_X86)
    switch (host_backend::current_isa()) {
    case host_backend::isa::avx512:
        return avx512();
    case host_backend::isa::avx2:
        return avx2();
    case host_backend::isa::baseline:
        break;
    }
#endif
    return baseline();
}

}  // namespace

#if !defined(DDLA_KERNELS_OF_X86)
const kernel_table& kernels_in_avx2()
{
    return kernels_in_baseline();
}
const kernel_table& kernels_in_avx512()
{
    return kernels_in_baseline();
}
const residue_kernel_table& residue_kernels_in_avx2()
{
    return residue_kernels_in_baseline();
}
const residue_kernel_table& residue_kernels_in_avx512()
{
    return residue_kernels_in_baseline();
}
#endif

const kernel_table& current_kernels()
{
    return of_current(kernels_in_avx512, kernels_in_avx2, kernels_in_baseline);
}
template <std::int64_t Prime>
const factor_kernels<double>& current_residue_kernels()
{
    const residue_kernel_table& all =
        of_current(residue_kernels_in_avx512, residue_kernels_in_avx2, residue_kernels_in_baseline);
    return Prime == first_residue_prime ? all.of_first : all.of_second;
}
template const factor_kernels<double>& current_residue_kernels<first_residue_prime>();
template const factor_kernels<double>& current_residue_kernels<second_residue_prime>();

}  // namespace ddla::factor
