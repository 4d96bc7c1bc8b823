#include "guarded.hpp"

#include "ddla/host_threads.hpp"
#include "ddla/version.hpp"

#include <cstring>

namespace ddla::c {
namespace {

// Of a fixed size: to say that memory is out must not need memory.
thread_local char last_error[1024] = "";
thread_local ddla_limit last_limit = DDLA_NO_LIMIT;

}  // namespace

ddla_limit limit_of(limit_kind kind) noexcept
{
    switch (kind) {
    case limit_kind::work:
        return DDLA_MOST_WORK;
    case limit_kind::memory:
        return DDLA_MOST_MEMORY;
    case limit_kind::fill:
        return DDLA_MOST_FILL;
    }
    return DDLA_NO_LIMIT;
}

void keep_error(const char* text) noexcept
{
    std::strncpy(last_error, text, sizeof last_error - 1);
    last_limit = DDLA_NO_LIMIT;
}

ddla_status status_of_exception() noexcept
{
    const auto keep = [](const std::exception& e, ddla_status status) {
        keep_error(e.what());
        return status;
    };
    try {
        throw;
    } catch (const misuse& e) {
        return keep(e, DDLA_MISUSE);
    } catch (const callback_failed& e) {
        return keep(e, DDLA_CALLBACK);
    } catch (const input_error& e) {
        return keep(e, DDLA_INPUT);
    } catch (const limit_error& e) {
        keep_error(e.what());
        last_limit = limit_of(e.kind());
        return DDLA_RESOURCE;
    } catch (const resource_error& e) {
        return keep(e, DDLA_RESOURCE);
    } catch (const std::bad_alloc&) {
        keep_error("out of memory");
        return DDLA_RESOURCE;
    } catch (const std::length_error&) {
        keep_error("out of memory: more elements than a process can hold");
        return DDLA_RESOURCE;
    } catch (const std::exception& e) {
        return keep(e, DDLA_INTERNAL);
    } catch (...) {
        keep_error("an exception that is none of the standard library's");
        return DDLA_INTERNAL;
    }
}

void copy_text(const std::string& text, char* to, std::size_t room, const char* name)
{
    required(to, name);
    if (room == 0) throw misuse(std::string(name) + " has no room");
    if (text.size() >= room) {
        *to = '\0';
        throw misuse(std::string(name) + " has room for " + std::to_string(room) + " bytes, " +
                     std::to_string(text.size() + 1) + " are needed");
    }
    std::memcpy(to, text.c_str(), text.size() + 1);
}

}  // namespace ddla::c

using namespace ddla::c;

extern "C" {

const char* ddla_last_error(void)
{
    return last_error;
}

ddla_limit ddla_last_limit(void)
{
    return last_limit;
}

const char* ddla_status_name(ddla_status status)
{
    switch (status) {
    case DDLA_OK:
        return "ok";
    case DDLA_MISUSE:
        return "misuse";
    case DDLA_INPUT:
        return "input";
    case DDLA_RESOURCE:
        return "resource";
    case DDLA_INTERNAL:
        return "internal";
    case DDLA_CALLBACK:
        return "callback";
    }
    return nullptr;
}

const char* ddla_version(void)
{
    return DDLA_VERSION;
}

ddla_status ddla_host_threads(int32_t* threads)
{
    return guarded([&] { required(threads, "threads") = ddla::host_threads(); });
}

ddla_status ddla_set_host_threads(int32_t threads)
{
    return guarded([&] { ddla::set_host_threads(threads); });
}
}
