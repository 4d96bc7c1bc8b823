#include "residue_kernels.hpp"

const ddla::factor::residue_kernel_table& ddla::factor::residue_kernels_in_baseline()
{
    return residue_kernels_here;
}
