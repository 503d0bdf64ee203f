/* The C interface of multigrain: contact detection for grains of every size. Made by cbindgen; see the README. */

#ifndef MULTIGRAIN_H
#define MULTIGRAIN_H

#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>

// How a call ended.
typedef enum mg_status {
  // All is well.
  MG_STATUS_OK = 0,
  // A pointer that must not be null was.
  MG_STATUS_NULL_POINTER = 1,
  // Particles, box or settings that cannot be worked with.
  MG_STATUS_INVALID_INPUT = 2,
  // A mistake in the library. Please report it.
  MG_STATUS_INTERNAL = 3,
  // The caller's own question whether to stop was answered with yes.
  MG_STATUS_STOPPED = 4,
} mg_status;

// Finds pairs, and keeps its memory from call to call.
typedef struct mg_detector mg_detector;

// Pairs that were found: filled by one call, kept until the next.
typedef struct mg_pairs mg_pairs;

// Particles in space. Arrays stay the caller's, are only read, and need to be valid during a call alone.
typedef struct mg_system {
  // 2 or 3.
  uint32_t dimension;
  // Number of particles.
  size_t count;
  // Centers: `dimension` numbers for each particle, particle after particle.
  const double *centers;
  // Radii, one for each particle.
  const double *radii;
  // Where the box begins: `dimension` numbers, or null for 0.
  const double *origin;
  // Edge vectors of the box: `dimension` vectors of `dimension` numbers each; null for open space.
  const double *edges;
  // Whether the box is periodic along each edge: `dimension` bytes, 0 or 1; null for all of them.
  const uint8_t *periodic;
  // Gap below which particles count as touching.
  double margin;
  // A group for each particle, pairs within which are left out; null for none.
  const uint32_t *groups;
} mg_system;

#ifdef __cplusplus
extern "C" {
#endif // __cplusplus

// The version of the library, as text that is never freed.
const char *mg_version(void);

// A detector for 2 or 3 dimensions. `method` is a name such as "hgrid", or null for the one that suits the particles. Null
// where that fails: see `mg_last_error`. To be freed with `mg_detector_free`.
//
// # Safety
// `method` is null or text that ends with a zero.
struct mg_detector *mg_detector_new(uint32_t dimension,
                                    const char *method);

// Has every search of a detector ask `stop` now and then, with `data`, and end soon after it answers with true: the call then
// returns `MG_STATUS_STOPPED` with no pairs, and the detector can be used again. Null for no question, as in the beginning.
//
// # Safety
// `detector` is null or came from `mg_detector_new` and is used by nobody else during the call; `stop` may be called with `data` on
// any thread, on several at once, for as long as it is set.
void mg_detector_set_stop(struct mg_detector *detector,
                          bool (*stop)(void *data),
                          void *data);

// Frees a detector; null is fine.
//
// # Safety
// `detector` came from `mg_detector_new` and is not used again.
void mg_detector_free(struct mg_detector *detector);

// An empty list of pairs, to be freed with `mg_pairs_free`.
struct mg_pairs *mg_pairs_new(void);

// Frees a list of pairs; null is fine.
//
// # Safety
// `pairs` came from `mg_pairs_new` and is not used again.
void mg_pairs_free(struct mg_pairs *pairs);

// Number of pairs; 0 for null.
//
// # Safety
// `pairs` is null or came from `mg_pairs_new`.
size_t mg_pairs_count(const struct mg_pairs *pairs);

// Two particles for each pair, pair after pair, sorted; valid until the list is filled again or freed.
//
// # Safety
// `pairs` is null or came from `mg_pairs_new`.
const uint32_t *mg_pairs_indices(const struct mg_pairs *pairs);

// How many edges the image of the second particle lies from it: `dimension` numbers for each pair. Null in open space; valid as
// long as the indices.
//
// # Safety
// `pairs` is null or came from `mg_pairs_new`.
const int32_t *mg_pairs_shifts(const struct mg_pairs *pairs);

// Fills `pairs` with every touching pair of the particles, each once, sorted.
//
// # Safety
// `detector` and `pairs` came from this library and are used by nobody else during the call; `system` points to a system whose
// arrays are as long as it says.
enum mg_status mg_find_pairs(struct mg_detector *detector,
                             const struct mg_system *system,
                             struct mg_pairs *pairs);

// Fills `pairs` with every particle of `a` that touches one of `b`: the first of each pair is of `a`, the second of `b`. Both
// need the same box and margin.
//
// # Safety
// As for `mg_find_pairs`.
enum mg_status mg_find_pairs_between(struct mg_detector *detector,
                                     const struct mg_system *a,
                                     const struct mg_system *b,
                                     struct mg_pairs *pairs);

// What went wrong in the last call on this thread that failed, as text that is valid until the next one; never null.
const char *mg_last_error(void);

#ifdef __cplusplus
}  // extern "C"
#endif  // __cplusplus

#endif  /* MULTIGRAIN_H */
