/* Several answers, of which one is picked by its place or by its words. Pure. */
#ifndef WD_DRILLS_CHOICE_H
#define WD_DRILLS_CHOICE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Could `text`, typed as an answer, be taken for a place in the list? Such an answer is refused
 * where it is written: a 6 at the third place would be picked by 3 or by 6. */
bool choice_is_place(const char *text);

/* The answer whose words were typed, or the only one that begins with them: its index from 0, -1
 * for none. Case, blanks and a stop at the end do not matter. */
int choice_by_words(char *const *choices, int n, const char *typed);

/* The place that was typed, 1 to n; 0 for none. */
int choice_by_place(const char *typed, int n);

/* Numbers in another order, the same for the same seed. */
void choice_deal(int *items, int n, uint64_t seed);

/* Words as they are compared: n bytes of `text` in lower case, blanks as one, without a stop at the
 * end. */
void choice_plain(char *out, size_t size, const char *text, size_t n);

#endif
