// ddla._core: what the Python package ddla calls.  Checks of types and shapes are in Python.
#include "options.hpp"

#include "ddla/self_test.hpp"
#include "ddla/version.hpp"

#include <cstring>

namespace {

nanobind::object error_class(const char* name)
{
    return nanobind::module_::import_("ddla.errors").attr(name);
}

/// Raises the class of ddla.errors of that name.  Names of files in a text need not be UTF-8.
void raise(const char* name, const char* text)
{
    const nanobind::object message =
        nanobind::steal(PyUnicode_DecodeUTF8(text, std::strlen(text), "backslashreplace"));
    if (message.is_valid()) PyErr_SetObject(error_class(name).ptr(), message.ptr());
}
void raise_limit(const ddla::limit_error& e)
{
    const nanobind::object type = error_class("LimitError");
    PyErr_SetObject(type.ptr(), type(e.what(), to_string(e.kind())).ptr());
}

void translate(const std::exception_ptr& thrown, void*)
{
    try {
        std::rethrow_exception(thrown);
    } catch (const ddla::input_error& e) {
        raise("InputError", e.what());
    } catch (const ddla::limit_error& e) {
        raise_limit(e);
    } catch (const ddla::resource_error& e) {
        raise("ResourceError", e.what());
    } catch (const ddla::internal_error& e) {
        raise("InternalError", e.what());
    }
}

}  // namespace

NB_MODULE(_core, m)
{
    nanobind::register_exception_translator(translate);
    ddla::require_exact_arithmetic();
    m.attr("version") = DDLA_VERSION;
    m.def("host_threads", [] { return ddla::host_threads(); });
    m.def("set_host_threads", [](int threads) { ddla::set_host_threads(threads); });
    m.def("usual_options", ddla::python::usual_options);
    m.def("why_no_device", [] { return ddla::why_no_device(); });
    ddla::python::bind_numbers(m);
    ddla::python::bind_matrices(m);
    ddla::python::bind_vectors(m);
    ddla::python::bind_solves(m);
    ddla::python::bind_plans(m);
    ddla::python::bind_factors(m);
    ddla::python::bind_ranks(m);
    ddla::python::bind_device_arrays(m);
    ddla::python::bind_device_matrices(m);
}
