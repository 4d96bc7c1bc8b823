// Arrays on a device: import and export by DLPack and __cuda_array_interface__, sums.
#include "device.hpp"

#include <nanobind/stl/pair.h>
#include <nanobind/stl/vector.h>

namespace ddla::python {
namespace {

using any_array = nb::ndarray<nb::ro>;

/// An array of another library, taken from a DLPack capsule; kept as long as this lives.
struct imported {
    any_array array;
};

imported import_capsule(const nb::object& capsule)
{
    return {nb::cast<any_array>(capsule)};
}

std::string dtype_of(const imported& a)
{
    using code = nb::dlpack::dtype_code;
    const nb::dlpack::dtype t = a.array.dtype();
    const auto named = [&](const char* name) { return name + std::to_string(t.bits); };
    if (t.lanes != 1) return "a vector type";
    switch (static_cast<code>(t.code)) {
    case code::Int:
        return named("int");
    case code::UInt:
        return named("uint");
    case code::Float:
        return named("float");
    case code::Complex:
        return named("complex");
    case code::Bfloat:
        return named("bfloat");
    case code::Bool:
        return "bool";
    default:
        return "type " + std::to_string(t.code) + " of DLPack";
    }
}

std::vector<std::int64_t> shape_of(const imported& a)
{
    return {a.array.shape_ptr(), a.array.shape_ptr() + a.array.ndim()};
}

bool is_contiguous(const imported& a)
{
    std::int64_t apart = 1;
    for (std::size_t i = a.array.ndim(); i-- > 0;) {
        const auto n = static_cast<std::int64_t>(a.array.shape(i));
        if (n == 0) return true;
        if (n != 1 && a.array.stride(i) != apart) return false;
        apart *= n;
    }
    return true;
}

std::uintptr_t address(const void* data)
{
    return reinterpret_cast<std::uintptr_t>(data);
}

device_words words_at(std::uintptr_t data, int words, index_t size, int device_index,
                      nb::object owner)
{
    return {reinterpret_cast<double*>(data), words, size, device(device_index),
            kept(std::move(owner))};
}

template <scalar T>
device_words copy_there(const words_in& words, int device_index)
{
    const vector<T> here = vector_of<T>(words);
    const nb::gil_scoped_release released;
    return words_there(here.to(device(device_index)));
}

words_out copy_here(const device_words& x)
{
    words_out here = new_words(x.words, x.size);
    const nb::gil_scoped_release released;
    copy_bytes(here.data(), host, x.data, x.at,
               static_cast<std::size_t>(x.words * x.size) * sizeof(double));
    return here;
}

device_words part(const device_words& x, int k)
{
    return {x.word(k), 1, x.size, x.at, x.keep};
}

/// The shape as other libraries see it.
nb::tuple shape(const device_words& x)
{
    return x.is_dd() ? nb::make_tuple(2, x.size) : nb::make_tuple(x.size);
}

/// Version 3; no stream: each call of ddla has done its work when it returns.
nb::dict cuda_array_interface(const device_words& x)
{
    nb::dict d;
    d["shape"] = shape(x);
    d["typestr"] = "<f8";
    d["data"] = nb::make_tuple(x.size > 0 ? address(x.data) : 0, false);
    d["strides"] = nb::none();
    d["stream"] = nb::none();
    d["version"] = 3;
    return d;
}

using exported = nb::ndarray<double, nb::array_api, nb::device::cuda>;

/// Keyword arguments as in the protocol; the consumer's stream need not wait, see above.
nb::object dlpack(const nb::object& self, const nb::kwargs& given)
{
    const auto& x = nb::cast<const device_words&>(self);
    const auto n = static_cast<std::size_t>(x.size);
    const std::size_t shape[2] = {2, n};
    const exported all(x.data, x.is_dd() ? 2 : 1, x.is_dd() ? shape : shape + 1, self, nullptr,
                       nb::dtype<double>(), nb::device::cuda::value, x.at.device_index);
    return nb::cast(all).attr("__dlpack__")(**given);
}

/// f(x, y) without the GIL, in the precision of x and y together.
template <class F>
std::pair<double, double> reduce(const device_words& x, const device_words& y, const F& f)
{
    const nb::gil_scoped_release released;
    stream& on = stream_at(x.at);
    if (!x.is_dd() && !y.is_dd())
        return {f(on, device_operand<double>(x).view(), device_operand<double>(y).view()), 0};
    const device_operand<dd_real> a(x), b(y);
    const dd_real r = f(on, a.view(), b.view());
    return {r.hi, r.lo};
}

}  // namespace

stream& stream_at(place where)
{
    static auto& guard = *new std::mutex;
    static auto& all = *new std::map<int, std::unique_ptr<stream>>;
    const std::lock_guard lock(guard);
    auto& one = all[where.device_index];
    if (!one) one = std::make_unique<stream>(where);
    return *one;
}

std::shared_ptr<const void> kept(nb::object owner)
{
    return std::shared_ptr<nb::object>(new nb::object(std::move(owner)), [](nb::object* p) {
        const nb::gil_scoped_acquire held;
        delete p;
    });
}

namespace {

void bind_places(nb::module_& m)
{
    m.def("devices", [] { return devices().size(); });
    m.def("place_of_memory", [](std::uintptr_t data) {
        return place_of_memory(reinterpret_cast<const void*>(data)).device_index;
    });
    m.def("wait_for_stream", [](int device_index, std::uintptr_t native) {
        const nb::gil_scoped_release released;
        stream(device(device_index), reinterpret_cast<void*>(native)).wait();
    });
    m.def("wait_for_device", [](int device_index) {
        const nb::gil_scoped_release released;
        stream_at(device(device_index)).wait();
    });
}

void bind_arrays(nb::module_& m)
{
    nb::class_<imported>(m, "imported")
        .def_prop_ro("pointer", [](const imported& a) { return address(a.array.data()); })
        .def_prop_ro("dtype", dtype_of)
        .def_prop_ro("shape", shape_of)
        .def_prop_ro("is_contiguous", is_contiguous)
        .def_prop_ro("device", [](const imported& a) { return a.array.device_id(); });
    m.def("import_capsule", import_capsule);
    nb::class_<device_words>(m, "device_words")
        .def_prop_ro("is_dd", &device_words::is_dd)
        .def_prop_ro("size", [](const device_words& x) { return x.size; })
        .def_prop_ro("shape", shape)
        .def_prop_ro("device", [](const device_words& x) { return x.at.device_index; })
        .def_prop_ro("pointer", [](const device_words& x) { return address(x.data); })
        .def("to_host", copy_here)
        .def("part", part)
        .def_prop_ro("__cuda_array_interface__", cuda_array_interface)
        .def("__dlpack__", dlpack)
        .def("__dlpack_device__", [](const device_words& x) {
            return nb::make_tuple(nb::device::cuda::value, x.at.device_index);
        });
    m.def("words_at", words_at);
    m.def("copy_there", [](words_in x, int device_index) {
        return is_dd(x) ? copy_there<dd_real>(x, device_index)
                        : copy_there<double>(x, device_index);
    });
}

void bind_sums(nb::module_& m)
{
    m.def("device_dot", [](const device_words& x, const device_words& y) {
        return reduce(x, y, [](stream& on, auto a, auto b) { return dot(on, a, b); });
    });
    m.def("device_nrm2", [](const device_words& x) {
        return reduce(x, x, [](stream& on, auto a, auto) { return nrm2(on, a); });
    });
    m.def("device_asum", [](const device_words& x) {
        return reduce(x, x, [](stream& on, auto a, auto) { return asum(on, a); });
    });
}

}  // namespace

void bind_device_arrays(nb::module_& m)
{
    bind_places(m);
    bind_arrays(m);
    bind_sums(m);
}

}  // namespace ddla::python
