/* Codes that let somebody in: "k7q-m3xr-dw9f". The first group finds the socket and is no secret;
 * the rest is, and only its hash is kept. */
#ifndef WD_SCENARIOS_SESSION_CODE_H
#define WD_SCENARIOS_SESSION_CODE_H

#include <stdbool.h>

#include "kernels/wire/err.h"

enum { CODE_TEXT = 16 };
struct session_codes { char candidate[CODE_TEXT], observer[CODE_TEXT]; };

/* Two codes of one session: the same first group, 40 random bits each after it. Letters and digits
 * that nobody mixes up. */
void session_codes_make(struct session_codes *out);
/* Puts what a person typed into form (case, blanks, dashes, o for 0 ...) in out[CODE_TEXT].
 * ERR_BAD_REQUEST says what a code looks like. */
int session_code_read(char *out, const char *typed, struct err *err);
void session_code_id(char out[8], const char *code);                    /* "k7q" */
void session_code_hash(char out[65], const char *code); /* SHA-256 of the whole code */
/* In a time that does not depend on where they differ. */
bool session_code_matches(const char *code, const char *hash);

#endif
