// Launches the kernels of one call on a stream of a device, and lends them scratch memory.
#pragma once

#include "gpu.hpp"
#include "warp.cuh"

#include <algorithm>
#include <map>

namespace ddla::device_backend {

class launcher {
public:
    /// The device is current as long as this lives.  `early`: kernels may start while the work
    /// before them ends, where the device can do that.
    launcher(queue& in, bool early)
        : here_(in.device().index()), in_(in), scratch_(in.borrow()), stream_(in.stream()),
          early_(early && in.device().starts_early())
    {
    }
    ~launcher() { in_.give_back(std::move(scratch_)); }
    launcher(const launcher&) = delete;
    launcher& operator=(const launcher&) = delete;

    gpu& device() const { return in_.device(); }
    scratch& memory() const { return *scratch_; }
    /// Where launches go: the queue's stream, or one that records.
    cudaStream_t stream() const { return stream_; }
    void launch_on(cudaStream_t stream) { stream_ = stream; }

    /// Launch a kernel with programmatic dependent launch: its blocks may be scheduled while the
    /// preceding kernel still runs.  See block_after_wait().
    template <class... Parameters, class... Arguments>
    void start(void (*kernel)(Parameters...), unsigned grid, const Arguments&... arguments)
    {
        start_blocks_of<block_size>(kernel, grid, arguments...);
    }
    template <int Threads, class... Parameters, class... Arguments>
    void start_blocks_of(void (*kernel)(Parameters...), unsigned grid,
                         const Arguments&... arguments)
    {
        start_with_shared<Threads>(kernel, grid, 0, arguments...);
    }
    /// With so much dynamic shared memory.
    template <int Threads, class... Parameters, class... Arguments>
    void start_with_shared(void (*kernel)(Parameters...), unsigned grid, std::size_t shared_bytes,
                           const Arguments&... arguments)
    {
        start_early(kernel, grid, Threads, shared_bytes, arguments...);
    }
    /// Sets the most dynamic shared memory of a kernel.  All calls for one kernel must agree,
    /// because another thread may be launching it.
    template <class... Parameters>
    static void allow_shared(void (*kernel)(Parameters...), std::size_t bytes)
    {
        check(cudaFuncSetAttribute(kernel, cudaFuncAttributeMaxDynamicSharedMemorySize,
                                   static_cast<int>(bytes)),
              "cudaFuncSetAttribute");
    }

    /// Cooperative launch: the blocks may wait for each other.  False, and nothing is launched, if
    /// the stream cannot hold so many at once.
    template <class... Parameters, class... Arguments>
    bool start_together(void (*kernel)(Parameters...), unsigned grid, std::size_t shared_bytes,
                        const Arguments&... arguments)
    {
        return start_all_blocks(1, kernel, grid, block_size, shared_bytes, arguments...);
    }
    /// The same with programmatic dependent launch.  (That all blocks start or none, also of such
    /// kernels on several streams, is not documented for this combination; a test checks it.)
    template <int Threads, class... Parameters, class... Arguments>
    bool start_sweeps_together(void (*kernel)(Parameters...), unsigned grid,
                               const Arguments&... arguments)
    {
        return start_all_blocks(early_ ? 2 : 1, kernel, grid, Threads, 0, arguments...);
    }
    /// The largest grid for a cooperative launch; allows the kernel so much dynamic shared memory.
    template <int Threads, class... Parameters>
    int most_together(void (*kernel)(Parameters...), std::size_t shared_bytes) const
    {
        cudaFuncAttributes its{};
        check(cudaFuncGetAttributes(&its, kernel), "cudaFuncGetAttributes");
        if (its.sharedSizeBytes + shared_bytes > in_.device().most_shared_bytes()) return 0;
        allow_shared(kernel, shared_bytes);
        int each = 0;
        check(cudaOccupancyMaxActiveBlocksPerMultiprocessor(&each, kernel, Threads, shared_bytes),
              "cudaOccupancyMaxActiveBlocksPerMultiprocessor");
        return in_.device().blocks_at_once(each);
    }

    /// most_together() of each kernel, remembered.
    class occupancy_cache {
    public:
        template <int Threads = block_size, class... Parameters>
        int most(const launcher& of, void (*kernel)(Parameters...), std::size_t shared_bytes)
        {
            const auto [it, is_new] = most_.try_emplace(reinterpret_cast<const void*>(kernel));
            if (is_new) it->second = of.most_together<Threads>(kernel, shared_bytes);
            return it->second;
        }
        /// Remember that no grid fits.  Returns false.
        template <class... Parameters>
        bool refuse(void (*kernel)(Parameters...))
        {
            most_[reinterpret_cast<const void*>(kernel)] = 0;
            return false;
        }

    private:
        std::map<const void*, int> most_;
    };
    /// What is known of the kernels of this call.
    occupancy_cache& occupancy() { return occupancy_; }

    /// So many pieces of work a warp that all SMs are busy for a while.
    static int some_for_each_warp(index_t pieces)
    {
        return static_cast<int>(
            std::clamp<index_t>(pieces / tuning::pieces_of_turn, 1, tuning::most_pieces));
    }
    static unsigned blocks(index_t m, int each)
    {
        return static_cast<unsigned>(std::max<index_t>(1, (m + each - 1) / each));
    }

private:
    static cudaLaunchAttribute starting_early()
    {
        cudaLaunchAttribute early{};
        early.id = cudaLaunchAttributeProgrammaticStreamSerialization;
        early.val.programmaticStreamSerializationAllowed = 1;
        return early;
    }
    template <class... Parameters, class... Arguments>
    void start_early(void (*kernel)(Parameters...), unsigned grid, unsigned threads,
                     std::size_t shared_bytes, const Arguments&... arguments)
    {
        cudaLaunchAttribute how[]{starting_early()};
        check(launch_with(how, early_, kernel, grid, threads, shared_bytes, arguments...),
              "cudaLaunchKernelEx");
    }
    /// The second attribute is that of sweeps.
    template <class... Parameters, class... Arguments>
    bool start_all_blocks(unsigned attributes, void (*kernel)(Parameters...), unsigned grid,
                          unsigned threads, std::size_t shared_bytes, const Arguments&... arguments)
    {
        cudaLaunchAttribute how[]{{}, starting_early()};
        how[0].id = cudaLaunchAttributeCooperative;
        how[0].val.cooperative = 1;
        return has_room(
            launch_with(how, attributes, kernel, grid, threads, shared_bytes, arguments...),
            "cudaLaunchKernelEx");
    }

    template <class... Parameters, class... Arguments>
    cudaError_t launch_with(cudaLaunchAttribute* attributes, unsigned count,
                            void (*kernel)(Parameters...), unsigned grid, unsigned threads,
                            std::size_t shared_bytes, const Arguments&... arguments)
    {
        cudaLaunchConfig_t how{};
        how.gridDim = grid;
        how.blockDim = threads;
        how.dynamicSmemBytes = shared_bytes;
        how.stream = stream_;
        how.attrs = attributes;
        how.numAttrs = count;
        return cudaLaunchKernelEx(&how, kernel, Parameters(arguments)...);
    }

    current_device here_;
    queue& in_;
    std::unique_ptr<scratch> scratch_;
    cudaStream_t stream_;
    bool early_;
    occupancy_cache occupancy_;
};

}  // namespace ddla::device_backend
