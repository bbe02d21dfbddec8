/* Memory that is given back all at once: a pack, a YAML tree. */
#ifndef WD_SCENARIOS_PACK_ARENA_H
#define WD_SCENARIOS_PACK_ARENA_H

#include <stddef.h>

struct arena_item;
struct arena { struct arena_item *last; };   /* zeroed: empty */

void *arena_new(struct arena *a, size_t n, size_t size);             /* zeroed; never NULL */
char *arena_text(struct arena *a, const char *s, size_t len);        /* a copy, NUL-terminated */
char *arena_format(struct arena *a, const char *fmt, ...) __attribute__((format(printf, 2, 3)));
void arena_free(struct arena *a);                                    /* empty again */

#endif
