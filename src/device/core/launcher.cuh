// How kernels of one call are launched: on a stream of a device, with memory for what is on its
// way.
#pragma once

#include "device/products/long_rows.cuh"
#include "gpu.hpp"

#include <algorithm>
#include <map>

namespace ddla::device_backend {

class launcher {
protected:
    /// The device is current as long as this lives.
    explicit launcher(queue& in)
        : here_(in.on().index()), in_(in), scratch_(in.borrow()), stream_(in.stream())
    {
    }
    ~launcher() { in_.give_back(std::move(scratch_)); }
    launcher(const launcher&) = delete;
    launcher& operator=(const launcher&) = delete;

    /// Launch a kernel of sweeps.  Its blocks may take their places while the last ones of the work
    /// before are still busy: see block_after_wait().
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
    /// The same, but its blocks take their places once all work before is done.
    template <int Threads, class... Parameters, class... Arguments>
    void start_blocks_late(void (*kernel)(Parameters...), unsigned grid,
                           const Arguments&... arguments)
    {
        check(launch_with(nullptr, 0, kernel, grid, Threads, 0, arguments...),
              "cudaLaunchKernelEx");
    }
    /// With so much shared memory beside what all blocks of the kernel have.
    template <int Threads, class... Parameters, class... Arguments>
    void start_with_shared(void (*kernel)(Parameters...), unsigned grid, std::size_t shared_bytes,
                           const Arguments&... arguments)
    {
        start_early(kernel, grid, Threads, shared_bytes, arguments...);
    }
    /// With so many threads a block, at most as many as the kernel is made for.
    template <class... Parameters, class... Arguments>
    void start_some_threads(void (*kernel)(Parameters...), unsigned grid, unsigned threads,
                            const Arguments&... arguments)
    {
        start_early(kernel, grid, threads, 0, arguments...);
    }
    /// The kernel may be started with so much from now on.  Calls for it must agree: another thread
    /// may be about to start it.
    template <class... Parameters>
    static void allow_shared(void (*kernel)(Parameters...), std::size_t bytes)
    {
        check(cudaFuncSetAttribute(kernel, cudaFuncAttributeMaxDynamicSharedMemorySize,
                                   static_cast<int>(bytes)),
              "cudaFuncSetAttribute");
    }

    /// Launch a kernel whose blocks wait for each other: all start, or none.  False if the stream
    /// cannot have so many at once; then nothing has happened.
    template <class... Parameters, class... Arguments>
    bool start_together(void (*kernel)(Parameters...), unsigned grid, std::size_t shared_bytes,
                        const Arguments&... arguments)
    {
        return start_all_blocks(1, kernel, grid, block_size, shared_bytes, arguments...);
    }
    /// The same for a kernel of sweeps, which may take its places early as others do.  (That the
    /// blocks of such kernels on several streams start all or none, too, is what a test has shown.)
    template <int Threads, class... Parameters, class... Arguments>
    bool start_sweeps_together(void (*kernel)(Parameters...), unsigned grid,
                               const Arguments&... arguments)
    {
        return start_all_blocks(in_.on().starts_early() ? 2 : 1, kernel, grid, Threads, 0,
                                arguments...);
    }
    /// The most blocks of it that can start so; the kernel may have so much shared memory from now.
    template <int Threads, class... Parameters>
    int most_together(void (*kernel)(Parameters...), std::size_t shared_bytes) const
    {
        cudaFuncAttributes its{};
        check(cudaFuncGetAttributes(&its, kernel), "cudaFuncGetAttributes");
        if (its.sharedSizeBytes + shared_bytes > in_.on().most_shared_bytes()) return 0;
        allow_shared(kernel, shared_bytes);
        int each = 0;
        check(cudaOccupancyMaxActiveBlocksPerMultiprocessor(&each, kernel, Threads, shared_bytes),
              "cudaOccupancyMaxActiveBlocksPerMultiprocessor");
        return in_.on().blocks_at_once(each);
    }

    /// How many blocks of a kernel can start together, as it was when asked last.
    class places {
    public:
        template <int Threads = block_size, class... Parameters>
        int most(const launcher& of, void (*kernel)(Parameters...), std::size_t shared_bytes)
        {
            const auto [it, is_new] = most_.try_emplace(reinterpret_cast<const void*>(kernel));
            if (is_new) it->second = of.most_together<Threads>(kernel, shared_bytes);
            return it->second;
        }
        /// From now on none: returns false.
        template <class... Parameters>
        bool refuse(void (*kernel)(Parameters...))
        {
            most_[reinterpret_cast<const void*>(kernel)] = 0;
            return false;
        }

    private:
        std::map<const void*, int> most_;
    };
    places places_;

    /// The sums of rows longer than a tile, each tile by a warp of its own.
    template <class Rows>
    const typename Rows::value* sums_of_long_rows(const Rows& rows, const long_row_list& list)
    {
        using value = typename Rows::value;
        if (list.count == 0) return nullptr;
        value* const total = parts_of_long_rows<value>(list) + list.tiles;
        sum_long_rows_of(rows, list, keep_sum<value>{total}, nullptr);
        return total;
    }
    template <class Rows, class Done>
    void sum_long_rows_of(const Rows& rows, const long_row_list& list, const Done& done,
                          const steps::end_of_solve* end)
    {
        using value = typename Rows::value;
        if (list.count == 0) return;
        const int each = some_for_each_warp(list.tiles);
        start(sum_tiles_of_long_rows<Rows>, blocks(list.tiles, warps_per_block * each), rows, list,
              parts_of_long_rows<value>(list), each, end);
        fold_tiles_of_long_rows<value>(list, done, end);
    }
    /// Once the sums of all tiles are in their parts.  `followed`: a kernel that may run beside
    /// this one comes next, so all blocks should find places at once.
    template <class Value, class Done>
    void fold_tiles_of_long_rows(const long_row_list& list, const Done& done,
                                 const steps::end_of_solve* end, bool followed = false)
    {
        const bool beside = followed && in_.on().starts_early();
        const index_t warps = beside ? 1024 : 8192;
        const int most = beside ? 32 : 8;
        const int each = static_cast<int>(std::clamp<index_t>(list.count / warps, 1, most));
        start(fold_long_rows<Value, Done>, blocks(list.count, warps_per_block * each), list,
              parts_of_long_rows<Value>(list), done, each, end);
    }

    /// Room for the sums of the tiles of long rows, and behind them for those of the rows.
    template <class Value>
    Value* parts_of_long_rows(const long_row_list& list)
    {
        auto& memory = scratch_->of_rows;
        memory.reserve(static_cast<std::size_t>(list.tiles + list.count) * sizeof(Value), 0);
        return static_cast<Value*>(memory.sums);
    }

    /// Room for their sums where whoever comes last adds them up.
    template <class Value>
    ladders_of_long_rows<Value> ladders_for(const long_row_list& list)
    {
        auto& memory = scratch_->of_rows;
        memory.reserve(ladders_of_long_rows<Value>::bytes(list.tiles),
                       static_cast<std::size_t>(list.tiles));
        return {static_cast<Value*>(memory.sums), memory.arrived};
    }

    /// So many pieces of work a warp, 1 to 4, that all multiprocessors are busy for a while.
    static int some_for_each_warp(index_t pieces)
    {
        return static_cast<int>(std::clamp<index_t>(pieces / 16384, 1, 4));
    }
    static unsigned blocks(index_t m, int each)
    {
        return static_cast<unsigned>(std::max<index_t>(1, (m + each - 1) / each));
    }

    current_device here_;
    queue& in_;
    std::unique_ptr<scratch> scratch_;
    cudaStream_t stream_;  ///< where launches go: the device's, or the one that records

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
        check(launch_with(how, in_.on().starts_early(), kernel, grid, threads, shared_bytes,
                          arguments...),
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
};

}  // namespace ddla::device_backend
