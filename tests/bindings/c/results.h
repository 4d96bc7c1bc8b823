/* Results of the C interface, by name: words of numbers, hashes of vectors. */
#ifndef RESULTS_H
#define RESULTS_H

#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef void (*give_words)(void* to, const char* name, double hi, double lo);
typedef void (*give_hash)(void* to, const char* name, uint64_t hash);
/* 0, or the line of results.c whose call failed. */
int c_results(const char* matrix, give_words words, give_hash hash, void* to);

#ifdef __cplusplus
}
#endif

#endif
