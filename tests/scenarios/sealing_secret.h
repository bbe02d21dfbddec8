/* What tests of sealing share: a folder, the right passphrase, and the least cost that the library
 * takes, for speed. */
#ifndef WD_TESTS_SEALING_SECRET_H
#define WD_TESTS_SEALING_SECRET_H

#include <sodium.h>

#include "kernels/wire/text.h"
#include "scenarios/library/sealing.h"
#include "tests/folder.h"
#include "tests/unit.h"

static struct secret *right;
static const struct sealing_cost cheap = {crypto_pwhash_OPSLIMIT_MIN, crypto_pwhash_MEMLIMIT_MIN};

static inline void set_secret(struct secret *s, const char *text)
{
    s->len = strlen(text);
    memcpy(s->text, text, s->len + 1);
}

static inline int setup(void **state)
{
    right = secret_new();
    set_secret(right, "correct horse battery");
    return folder_make("sealing");
}

static inline int teardown(void **state)
{
    secret_free(right);
    return folder_remove(state);
}

#endif
