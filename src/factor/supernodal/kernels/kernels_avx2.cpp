#include "all_kernels.hpp"

const ddla::factor::kernel_table& ddla::factor::kernels_in_avx2()
{
    return all_kernels;
}
