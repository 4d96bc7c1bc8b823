#include "residue_kernels.hpp"

const ddla::factor::residue_kernel_table& ddla::factor::residue_kernels_in_avx512()
{
    return residue_kernels_here;
}
