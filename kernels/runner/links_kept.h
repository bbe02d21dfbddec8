/* Links that were measured, kept in the cache beside the ceilings: one file for each number of GPUs
 * of a host, driver and method. */
#ifndef WD_RUNNER_LINKS_KEPT_H
#define WD_RUNNER_LINKS_KEPT_H

#include "kernels/runner/gpu.h"
#include "kernels/wire/links.h"

/* Of the first `gpus` GPUs, which need not be open but for `g`, the first. False, and *out is
 * empty: none were kept of exactly these cards in this order. */
bool links_load(struct msg_links *out, struct gpu *g, int gpus, const char *driver);

/* Failing to store is no error: the next request measures again. */
void links_store(const struct msg_links *l, struct gpu *g, const char *driver);

#endif
