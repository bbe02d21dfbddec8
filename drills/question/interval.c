#include "drills/question/interval.h"

#include <ctype.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

double interval_loss(double low, double high, double confidence, double truth)
{
    double penalty = 2 / (1 - confidence), loss = log(high / low);
    if (truth < low)
        loss += penalty * log(low / truth);
    if (truth > high)
        loss += penalty * log(truth / high);
    return loss;
}

double interval_points(double low, double high, double confidence, double truth)
{
    return fmax(1 - interval_loss(low, high, confidence, truth) / log(10), INTERVAL_FLOOR);
}

/* ---- reading ---- */

/* Cuts ", 80 %", "at 80 %" or a last "80%" off; 0 when there is none, -1 for what is no share of
 * sureness. */
static double cut_confidence(char *text)
{
    size_t n = strlen(text);
    while (n > 0 && text[n - 1] == ' ')
        n--;
    if (n == 0 || text[n - 1] != '%')
        return 0;
    size_t at = n - 1;
    while (at > 0 && text[at - 1] == ' ')
        at--;
    size_t digits = at;
    while (digits > 0 && (isdigit((unsigned char)text[digits - 1]) || text[digits - 1] == '.'))
        digits--;
    double percent = strtod(text + digits, NULL);
    size_t end = digits;
    while (end > 0 && text[end - 1] == ' ')
        end--;
    bool comma = end > 0 && (text[end - 1] == ',' || text[end - 1] == '@' || text[end - 1] == ';');
    bool word = end > 1 && !strncmp(text + end - 2, "at", 2),
         unit = end > 0 && (isalpha((unsigned char)text[end - 1]) || text[end - 1] == '%');
    bool bound = (end > 1 && !strncmp(text + end - 2, "to", 2)) ||
                 (end > 2 && !strncmp(text + end - 3, "and", 3)); /* "12 to 18 %" */
    if (digits == at || bound || (!comma && !unit))
        return 0;
    text[comma ? end - 1 : word ? end - 2 : end] = '\0';
    return percent > 0 && percent < 100 ? percent / 100 : -1;
}

/* Where the words between the bounds begin, and how many bytes they take; NULL when there are none.
 */
static const char *find_between(const char *text, size_t *len)
{
    static const char *const words[] = {" to ", "..", " and ", "\xE2\x80\x93", " - "};
    for (size_t i = 0; i < sizeof words / sizeof *words; i++) {
        const char *at = strstr(text, words[i]);
        *len = strlen(words[i]);
        if (at && at > text)
            return at;
    }
    *len = 1;
    for (const char *c = text + 1; *text && *c; c++) /* "4-6", not "1e-6" */
        if (*c == '-' && isdigit((unsigned char)c[1]) &&
            (isdigit((unsigned char)c[-1]) || isalpha((unsigned char)c[-1])) &&
            !(tolower((unsigned char)c[-1]) == 'e' && c > text + 1 &&
              isdigit((unsigned char)c[-2])))
            return c;
    return NULL;
}

/* The unit at the end of "6 ms": "ms"; "" where there is none. */
static const char *unit_of(const char *text)
{
    char *end;
    while (*text == ' ' || *text == '~')
        text++;
    strtod(text, &end);
    while (*end == ' ')
        end++;
    return end;
}

bool interval_split(const char *typed, char *low, char *high, int size, double *confidence)
{
    char text[160];
    size_t len;
    *confidence = 0;
    while (*typed == ' ')
        typed++;
    if (!strncmp(typed, "between ", 8))
        typed += 8;
    if (snprintf(text, sizeof text, "%s", typed) >= (int)sizeof text || size < 1)
        return false;
    double stated = find_between(text, &len) ? cut_confidence(text) : 0;
    const char *at = find_between(text, &len);
    if (!at || !at[len])
        return false;
    *confidence = stated;
    snprintf(high, (size_t)size, "%s", at + len);
    for (size_t n = strlen(high); n > 0 && high[n - 1] == ' '; n--)
        high[n - 1] = '\0';
    text[at - text] = '\0';
    const char *unit = *unit_of(text) ? "" : unit_of(high);
    while (*text && text[strlen(text) - 1] == ' ')
        text[strlen(text) - 1] = '\0';
    snprintf(low, (size_t)size, *unit ? "%s %s" : "%s", text, unit);
    return true;
}
