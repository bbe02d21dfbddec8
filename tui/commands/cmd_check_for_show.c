/* What `check --for` prints: of each story what its sizes come out as, a line once with the
 * variants it is true of. */
#include "tui/commands/cmd_check_for.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "kernels/wire/text.h"
#include "tui/commands/cmd_check_for_variant.h"

/* A line about a story and the variants it is true of: "a, c". */
struct line { char *text, *letters; int n; };
/* Variants that are told together: of one story, on as many GPUs. */
struct block { char *header; struct line *all; int n, n_variants; const char *first; };

/* "pack/story/a" and "pack/story/b": of one story? */
static bool is_of_one_story(const char *a, const char *b)
{
    size_t n = (size_t)(strrchr(a, '/') - a) + 1;
    return !strncmp(a, b, n) && !strchr(b + n, '/');
}

static void add_letter(char **letters, int *n, const char *letter)
{
    char *more = (*n)++ ? text_format("%s, %s", *letters, letter) : text_dup(letter);
    free(*letters);
    *letters = more;
}

/* Behind the last line of the same kind. */
static struct line *insert_line(struct block *b, const char *text, size_t n)
{
    enum { KIND = 8 };
    int at = b->n;
    while (at > 0 && strncmp(b->all[at - 1].text, text, KIND))
        at--;
    if (at == 0)
        at = b->n;
    b->all = mem_grow(b->all, (size_t)b->n + 1, sizeof *b->all);
    memmove(&b->all[at + 1], &b->all[at], (size_t)(b->n - at) * sizeof *b->all);
    b->n++;
    b->all[at] = (struct line){.text = text_ndup(text, n)};
    return &b->all[at];
}

static void add_variant(struct block *b, const char *letter, const char *text)
{
    b->n_variants++;
    for (const char *end; *text; text = end + 1) {
        end = strchr(text, '\n');
        size_t n = (size_t)(end - text);
        struct line *found = NULL;
        for (int i = 0; i < b->n && !found; i++)
            if (strlen(b->all[i].text) == n && !strncmp(b->all[i].text, text, n))
                found = &b->all[i];
        if (!found)
            found = insert_line(b, text, n);
        add_letter(&found->letters, &found->n, letter);
    }
}

/* Those that are not of all variants say of which, behind the word that begins them. */
static void print_block(const struct block *b)
{
    if (b->first)
        puts(b->header);
    for (int i = 0; i < b->n; i++) {
        const struct line *l = &b->all[i];
        size_t word = strcspn(l->text + 2, " ") + 2;
        word += strspn(l->text + word, " ");
        if (l->n == b->n_variants)
            puts(l->text);
        else
            printf("%.*s%s: %s\n", (int)word, l->text, l->letters, l->text + word);
    }
}

static void block_free(struct block *b)
{
    for (int i = 0; i < b->n; i++) {
        free(b->all[i].text);
        free(b->all[i].letters);
    }
    free(b->all);
    free(b->header);
}

/* Is this variant, with "  for 14 GPUs", told with those of the block? Then its letter is added. */
static bool joins(struct block *b, const char *scenario, const char *gpus)
{
    const char *end = b->first ? strstr(b->header, "  for ") : NULL;
    if (!end || strcmp(end, gpus) || !is_of_one_story(b->first, scenario))
        return false;
    char *header = text_format("%.*s, %s%s", (int)(end - b->header), b->header,
                               strrchr(scenario, '/') + 1, gpus);
    free(b->header);
    b->header = header;
    return true;
}

void for_gpus_print(const json_t *sizes)
{
    struct block b = {0};
    for (size_t at = 0; at < json_array_size(sizes);) {
        const json_t *first = json_array_get(sizes, at);
        const char *scenario = json_string_value(json_object_get(first, "scenario"));
        char *text = check_for_variant(sizes, &at), *gpus = text_ndup(text, strcspn(text, "\n"));
        if (!joins(&b, scenario, gpus)) {
            print_block(&b);
            block_free(&b);
            b = (struct block){.header = text_format("%s%s", scenario, gpus), .first = scenario};
        }
        add_variant(&b, strrchr(scenario, '/') + 1, text_next_line(text));
        free(gpus);
        free(text);
    }
    print_block(&b);
    block_free(&b);
}
