// Products of 16 x 4 or 16 x 8 by 4 x 8 or 8 x 8 numbers on the double-precision tensor cores.
//
// Those of Hopper add in the order of the pivots, with one rounding a product: the chain of fma.
// No document promises that: tensor_check.cuh tries it on the device at hand.
#pragma once

namespace ddla::device_backend {

/// c += a b for four pivots; a lane has a_gt and a_(g + 8)t, b_tg, and of rows g and g + 8 of c
/// columns 2 t and 2 t + 1, where g = lane / 4, t = lane % 4.
__device__ __forceinline__ void multiply_tensor(double (&c)[4], const double (&a)[2], double b)
{
#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ >= 900
    asm("mma.sync.aligned.m16n8k4.row.col.f64.f64.f64.f64 {%0,%1,%2,%3},{%4,%5},{%6},{%0,%1,%2,%3};"
        : "+d"(c[0]), "+d"(c[1]), "+d"(c[2]), "+d"(c[3])
        : "d"(a[0]), "d"(a[1]), "d"(b));
#endif
}
/// For eight: then a_g(t + 4) and a_(g + 8)(t + 4), and b_(t + 4)g.
__device__ __forceinline__ void multiply_tensor(double (&c)[4], const double (&a)[4],
                                                const double (&b)[2])
{
#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ >= 900
    asm("mma.sync.aligned.m16n8k8.row.col.f64.f64.f64.f64 "
        "{%0,%1,%2,%3},{%4,%5,%6,%7},{%8,%9},{%0,%1,%2,%3};"
        : "+d"(c[0]), "+d"(c[1]), "+d"(c[2]), "+d"(c[3])
        : "d"(a[0]), "d"(a[1]), "d"(a[2]), "d"(a[3]), "d"(b[0]), "d"(b[1]));
#endif
}

}  // namespace ddla::device_backend
