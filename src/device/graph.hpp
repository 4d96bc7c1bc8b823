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

    /// Record what `launch` does on `stream`, where nobody else launches meanwhile.
    template <class Launch>
    void record(std::vector<std::byte> key, cudaStream_t stream, const Launch& launch)
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
        finish(stream);
        key_ = std::move(key);
    }
    void replay(cudaStream_t stream) const
    {
        check(cudaGraphLaunch(ready_, stream), "cudaGraphLaunch");
    }

private:
    void finish(cudaStream_t stream);
    void forget() noexcept;

    cudaGraphExec_t ready_ = nullptr;
    std::vector<std::byte> key_;
};

}  // namespace ddla::device_backend
