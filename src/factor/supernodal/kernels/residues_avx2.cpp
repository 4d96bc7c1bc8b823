#include "residue_kernels.hpp"

const ddla::factor::factor_kernels<double>& ddla::factor::residue_kernels_in_avx2()
{
    return residue_kernels;
}
