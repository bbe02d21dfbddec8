#include "scenarios/interview/session_code.h"

#include <ctype.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <sodium.h>

#include "kernels/wire/hash.h"
#include "kernels/wire/os.h"

/* Crockford's 32: without i, l, o and u, which are taken for 1, 1, 0 and v. */
static const char signs[] = "0123456789abcdefghjkmnpqrstvwxyz";
enum { BITS = 31, ID = 3, GROUP = 4, SIGNS = ID + 2 * GROUP };

static void write_code(char *out, const char s[SIGNS])
{
    snprintf(out, CODE_TEXT, "%.3s-%.4s-%.4s", s, s + ID, s + ID + GROUP);
}

void session_codes_make(struct session_codes *out)
{
    unsigned char random[SIGNS + 2 * GROUP];
    char s[SIGNS];
    os_random(random, sizeof random);
    for (int i = 0; i < SIGNS; i++)
        s[i] = signs[random[i] & BITS];
    write_code(out->candidate, s);
    for (int i = 0; i < 2 * GROUP; i++)
        s[ID + i] = signs[random[SIGNS + i] & BITS];
    write_code(out->observer, s);
    sodium_memzero(random, sizeof random);
    sodium_memzero(s, sizeof s);
}

/* The sign that a person meant; 0: none. */
static char meant(char c)
{
    c = (char)tolower((unsigned char)c);
    c = c == 'o' ? '0' : c == 'i' || c == 'l' ? '1' : c == 'u' ? 'v' : c;
    return c && strchr(signs, c) ? c : 0;
}

int session_code_read(char *out, const char *typed, struct err *err)
{
    char s[SIGNS];
    int n = 0;
    out[0] = '\0';
    for (const char *at = typed; *at; at++) {
        if (isspace((unsigned char)*at) || strchr("-_.:", *at))
            continue;
        if (n == SIGNS || !(s[n++] = meant(*at)))
            return err_set(err, ERR_BAD_REQUEST,
                           "that is no code; one looks like k7q-m3xr-dw9f, %d letters and digits",
                           SIGNS);
    }
    if (n < SIGNS)
        return err_set(err, ERR_BAD_REQUEST,
                       "that code is too short; one looks like k7q-m3xr-dw9f, %d letters and "
                       "digits",
                       SIGNS);
    write_code(out, s);
    return 0;
}

void session_code_id(char out[8], const char *code)
{
    snprintf(out, 8, "%.3s", code);
}

void session_code_hash(char out[65], const char *code)
{
    hash_bytes(out, code, strlen(code));
}

bool session_code_matches(const char *code, const char *hash)
{
    char ours[65];
    session_code_hash(ours, code);
    return strlen(hash) == sizeof ours - 1 && sodium_memcmp(ours, hash, sizeof ours - 1) == 0;
}
