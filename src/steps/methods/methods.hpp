// The solvers of all methods: each file has them in a namespace named as in
// DDLA_FOR_KRYLOV_METHODS.
#pragma once

#include "bicgstab.hpp"
#include "bicgstabl.hpp"
#include "cg.hpp"
#include "fgmres.hpp"
#include "idr.hpp"
#include "lsmr.hpp"
#include "minres.hpp"
