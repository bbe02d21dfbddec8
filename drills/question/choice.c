#include "drills/question/choice.h"

#include <ctype.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "scenarios/formula/quantity.h"

#define MOST_PLACES 9

bool choice_is_place(const char *text)
{
    struct quantity q;
    char say[160];
    bool number = quantity_read(text, "1", &q, say, sizeof say) == QUANTITY_OK;
    return number && q.value == floor(q.value) && q.value >= 1 && q.value <= MOST_PLACES;
}

void choice_plain(char *out, size_t size, const char *text, size_t n)
{
    size_t used = 0;
    for (size_t i = 0; i < n && used + 1 < size; i++) {
        bool blank = isspace((unsigned char)text[i]);
        if (blank && (used == 0 || out[used - 1] == ' '))
            continue;
        out[used++] = blank ? ' ' : (char)tolower((unsigned char)text[i]);
    }
    while (used > 0 && strchr(" .", out[used - 1]))
        used--;
    out[used] = '\0';
}

static bool begins_with(const char *text, const char *words)
{
    size_t n = strlen(words);
    return strncmp(text, words, n) == 0 && !isalnum((unsigned char)text[n]);
}

int choice_by_words(char *const *choices, int n, const char *typed)
{
    char given[320], one[320];
    int begun = -1, n_begun = 0;
    choice_plain(given, sizeof given, typed, strlen(typed));
    if (!*given)
        return -1;
    for (int i = 0; i < n; i++) {
        choice_plain(one, sizeof one, choices[i], strlen(choices[i]));
        if (!strcmp(one, given))
            return i;
        if (begins_with(one, given)) {
            begun = i;
            n_begun++;
        }
    }
    return n_begun == 1 ? begun : -1;
}

int choice_by_place(const char *typed, int n)
{
    char *end;
    long place = strtol(typed, &end, 10);
    while (*end == ' ')
        end++;
    return end != typed && !*end && place >= 1 && place <= n ? (int)place : 0;
}

void choice_deal(int *items, int n, uint64_t seed)
{
    for (int i = n - 1; i > 0; i--) {
        seed = seed * 6364136223846793005u + 1442695040888963407u;
        int k = (int)((seed >> 33) % (unsigned)(i + 1)), kept = items[i];
        items[i] = items[k];
        items[k] = kept;
    }
}
