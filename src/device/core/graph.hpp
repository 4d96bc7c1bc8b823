// Recorded launches, replayed as one.
#pragma once

#include "check.hpp"

#include <cstddef>
#include <vector>

namespace ddla::device_backend {

class graph {
public:
    graph() = default;
    ~graph();
    graph(const graph&) = delete;
    graph& operator=(const graph&) = delete;

    /// Whether it holds what was recorded under this key.
    bool holds(const std::vector<std::byte>& key) const { return ready_ && key == key_; }

    /// Record what `launch` does on `stream`, which no other thread uses meanwhile.  Returns false
    /// and holds nothing if a cooperative kernel has too many blocks for the device.
    template <class Launch>
    bool record(std::vector<std::byte> key, cudaStream_t stream, const Launch& launch)
    {
        forget();
        check(cudaStreamBeginCapture(stream, cudaStreamCaptureModeThreadLocal),
              "cudaStreamBeginCapture");
        try {
            launch();
        } catch (...) {
            cudaGraph_t broken = nullptr;
            cudaStreamEndCapture(stream, &broken);
            if (broken) cudaGraphDestroy(broken);
            cudaGetLastError();
            throw;
        }
        key_ = std::move(key);
        return finish(stream);
    }
    /// Returns false and holds nothing any more if they are too many for this stream.
    bool replay(cudaStream_t stream);

private:
    bool finish(cudaStream_t stream);
    void forget() noexcept;

    cudaGraphExec_t ready_ = nullptr;
    std::vector<std::byte> key_;
};

}  // namespace ddla::device_backend
