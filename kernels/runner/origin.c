#include "kernels/runner/origin.h"

#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "kernels/wire/hash.h"
#include "kernels/wire/text.h"

/* Neither id is told to anybody; this key sees to it that other programs, which hash them too, get
 * other digits. */
static const char key[] = "warpdrill origin 1";

void origin_make(char out[17], const char *machine, const char *card)
{
    char digits[HASH_HEX], *all = text_format("%s\n%s\n%s", key, machine, card);
    hash_bytes(digits, all, strlen(all));
    snprintf(out, 17, "%.16s", digits);
    free(all);
}

/* 32 hex digits; before the first boot of an image the file is empty or says "uninitialized". */
static void read_machine(char out[33])
{
    FILE *f = fopen("/etc/machine-id", "r");
    char text[40] = "";
    if (f && !fgets(text, sizeof text, f))
        text[0] = '\0';
    if (f)
        fclose(f);
    text[strcspn(text, "\n")] = '\0';
    bool is_id = strlen(text) == 32 && strspn(text, "0123456789abcdefABCDEF") == 32;
    snprintf(out, 33, "%.32s", is_id ? text : "");
}

void origin_here(char out[17], const char *card)
{
    char machine[33], name[256] = "";
    read_machine(machine);
    if (!*machine && !*card && gethostname(name, sizeof name - 1) != 0)
        name[0] = '\0';
    origin_make(out, *machine ? machine : name, card);
}
