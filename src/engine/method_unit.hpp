// What a unit of one method instantiates, for one backend: both precisions, and the three ways to
// precondition.  CMake makes these units from the list in include/ddla/method.hpp.
#pragma once

#include "running_method.hpp"

#define DDLA_RUNNING_METHOD(name, Backend, T, K)                                                   \
    template std::unique_ptr<steps::running_solver<T, Backend>>                                    \
    running_method<method::name, Backend>(workspace&, const steps::problem<T>&,                    \
                                          const steps::K<T>&);
#define DDLA_METHOD_IN(name, Backend, T)                                                           \
    DDLA_RUNNING_METHOD(name, Backend, T, identity)                                                \
    DDLA_RUNNING_METHOD(name, Backend, T, jacobi)                                                  \
    DDLA_RUNNING_METHOD(name, Backend, T, applied)
#define DDLA_METHOD_UNIT(name, Backend)                                                            \
    template <method M, class B, scalar T, class K>                                                \
    std::unique_ptr<steps::running_solver<T, B>> running_method(                                   \
        workspace& memory, const steps::problem<T>& p, const K& k)                                 \
    {                                                                                              \
        using solver = steps::name::solver<T, K>;                                                  \
        return std::make_unique<steps::running_as<solver, T, B>>(solver(memory, p, k));            \
    }                                                                                              \
    DDLA_METHOD_IN(name, Backend, double)                                                          \
    DDLA_METHOD_IN(name, Backend, dd_real)
