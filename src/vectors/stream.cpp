#include "ddla/stream.hpp"

#include "calls/place_of.hpp"

namespace ddla {

namespace {

std::unique_ptr<engine> engine_of_stream(place where, void* native)
{
    if (!where.is_host()) return device_engine_on(where.device_index, native);
    if (native) throw input_error("stream: the host has no streams, but one was given");
    return nullptr;
}

}  // namespace

stream::stream(place where, void* native)
    : where_(where), owned_(engine_of_stream(where, native)),
      engine_(owned_ ? owned_.get() : &api::engine_at(where))
{
}

stream::~stream() = default;
stream::stream(stream&&) noexcept = default;
stream& stream::operator=(stream&&) noexcept = default;

void stream::wait()
{
    engine_->wait();
}

}  // namespace ddla
