// The kernels of the CRS papers: y = alpha A x + beta y from compressed rows, T threads a row.
//
// Yoshizawa and Takahashi 2012 (CRS-T), Mukunoki and Takahashi 2012 (the product of their BiCGStab)
// and 2013 (CRS-vector for Kepler, and the steps to it).  A lane adds every T-th entry of its row;
// the lanes' sums are folded in halves.  Offsets and columns have 32 bits, blocks 128 threads.
#pragma once

#include "ddla/vector.hpp"

#include <cuda_runtime_api.h>

#include <array>
#include <cstdint>

namespace bench {

enum class crs_version {
    bicgstab,  ///< 2012: a loop over rows, sums in shared memory
    crs_t,     ///< 2012: a row a group of threads, sums in shared memory
    ver0,      ///< 2013: x as a texture, a loop over rows, sums in shared memory
    ver1,      ///< ver0 with x by the read-only path instead
    ver2,      ///< ver0 without the loop
    ver3,      ///< ver0 with shuffles
    ver4,      ///< all three: CRS-vector for Kepler
};
inline constexpr std::array crs_versions{
    crs_version::bicgstab, crs_version::crs_t, crs_version::ver0, crs_version::ver1,
    crs_version::ver2,     crs_version::ver3,  crs_version::ver4};
const char* name_of(crs_version version);

/// Compressed rows at the device.
struct crs_rows {
    int rows = 0;
    const std::int32_t* begin = nullptr;  ///< rows + 1
    const std::int32_t* column = nullptr;
    const double* value = nullptr;
};

/// x as textures, a word each: texture references, which the paper has, are gone from CUDA 12 on.
/// They are of copies, since a texture begins at a multiple of 512 bytes, and low words need not.
template <ddla::scalar T>
class x_textures {
public:
    /// Throws resource_error if x is longer than a texture may be.
    explicit x_textures(ddla::vec<const T> x);
    ~x_textures();
    x_textures(const x_textures&) = delete;
    x_textures& operator=(const x_textures&) = delete;

    cudaTextureObject_t word(int k) const { return word_[k]; }

private:
    ddla::buffer copy_[ddla::words_of<T>];
    cudaTextureObject_t word_[ddla::words_of<T>] = {};
};

template <ddla::scalar T>
struct crs_product {
    crs_rows a;
    T alpha, beta;
    ddla::vec<const T> x;
    ddla::vec<T> y;
    cudaTextureObject_t x_word[ddla::words_of<T>] = {};  ///< for ver0, ver2 and ver3
};

/// `threads` of a row: 1, 2, 4, 8, 16 or 32.  Only enqueues.
template <ddla::scalar T>
void multiply(crs_version version, int threads, const crs_product<T>& p, cudaStream_t stream);

}  // namespace bench
