// Catch2 2 and 3 under one name.
#pragma once

#if defined(DDLA_CATCH2_V3)
#include <catch2/catch_all.hpp>
#else
#include <catch2/catch.hpp>
#endif
