/* A new scenario: what its name gives away, and what is guessed of it. */
#include "scenarios/new/scaffold_files.h"

#include <ctype.h>
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <sys/stat.h>
#include <unistd.h>

#include "kernels/wire/path.h"
#include "kernels/wire/text.h"
#include "scenarios/new/scaffold_draft.h"
#include "scenarios/pack/telling.h"

/* ---- what a name gives away ---- */

bool scaffold_tells(char *out, size_t size, const char *text)
{
    struct words w;
    size_t n_all;
    const struct hypothesis *t = taxonomy(&n_all), *names = NULL;
    int first = 0, n = 0;
    words_cut(&w, text, strlen(text));
    bool wrong = telling_verdict(&w, SPOKEN_NAME, &first, &n) != TELLS_NOTHING;
    for (size_t i = 0; !wrong && !names && i < n_all; i++)
        names = telling_hypothesis(&t[i], &w, SPOKEN_NAME, &first, &n) == TELLS_NAME ? &t[i] : NULL;
    if (wrong || names) {
        size_t from = w.word[first].at,
               len = w.word[first + n - 1].at + w.word[first + n - 1].len - from;
        snprintf(out, size, "'%.*s' %s%s", (int)len, text + from,
                 wrong ? "says how it stands" : "names a cause: ", wrong ? "" : names->label);
    }
    words_free(&w);
    return wrong || names;
}

/* ---- what is guessed ---- */

/* Called like a place for what comes between. */
static bool is_between(const char *name)
{
    return strcasestr(name, "scratch") || strcasestr(name, "tmp") || strcasestr(name, "temp") ||
           strcasestr(name, "work") || strcasestr(name, "partial");
}

/* What the launch in the file passes; what does not go with the sizes is left out. */
static void guess_launch(struct scaffold *s)
{
    const struct kernel *k = s->kernel;
    struct err unused;
    for (int i = 0; i < k->n_params; i++)
        if (k->params[i].passed && !s->passed[i])
            scaffold_set_number(s, i, k->params[i].passed, &unused);
    bool is_number =
        k->grid_formula && strspn(k->grid_formula, "0123456789, ") == strlen(k->grid_formula);
    if (!s->grid && k->grid_formula && !is_number)
        scaffold_set_grid(s, k->grid_formula, &unused);
}

void scaffold_guess(struct scaffold *s)
{
    const struct kernel *k = s->kernel;
    bool any = false, written = false, kept = false;
    s->title_guessed = !s->title;
    s->title = s->title ? s->title : place_title(s->id);
    if (!s->cause) {
        s->cause = cause_find(*k->uses_atomic  ? "inst.atomic-contention"
                              : k->uses_shared ? "smem.bank-conflict"
                                               : "mem.uncoalesced");
        snprintf(s->guessed, sizeof s->guessed,
                 *k->uses_atomic  ? "because of %s"
                 : k->uses_shared ? "because of __shared__%.0s"
                                  : "as the commonest%.0s",
                 k->uses_atomic);
    }
    for (int i = 0; i < k->n_params; i++) {
        any = any || s->output[i];
        written = written || k->params[i].written;
        kept = kept || (k->params[i].written && !is_between(k->params[i].name));
    }
    s->output_guessed = !any;
    for (int i = 0; !any && i < k->n_params;
         i++) /* through an alias or a helper nobody sees who writes */
        s->output[i] = k->params[i].kind == KP_BUFFER && !k->params[i].is_const &&
                       (k->params[i].written || !written) &&
                       !(kept && is_between(k->params[i].name));
    guess_launch(s);
}

static bool same_parameters(const struct kernel *a, const struct kernel *b)
{
    if (a->n_params != b->n_params)
        return false;
    for (int i = 0; i < a->n_params; i++)
        if (a->params[i].kind != b->params[i].kind || a->params[i].elem != b->params[i].elem ||
            strcmp(a->params[i].name, b->params[i].name))
            return false;
    return true;
}

int scaffold_set_fix(struct scaffold *s, struct source *good, struct err *err)
{
    struct kernel *k = source_kernel(good, s->kernel->name);
    if (!k)
        return err_set(err, ERR_MISSING, "%s has no kernel %s; it was expected in both commits",
                       good->file.path, s->kernel->name);
    int rc = source_params(good, k, err);
    if (!rc && !same_parameters(s->kernel, k))
        rc = err_set(err, ERR_UNSUPPORTED,
                     "kernel %s takes other parameters in the two commits; the same were expected, "
                     "since both are launched on the same buffers",
                     k->name);
    return rc ? rc : source_take(&s->fix, NULL, good, &(const struct kernel *){k}, 1, err);
}

void scaffold_free(struct scaffold *s)
{
    free(s->pack);
    free(s->id);
    free(s->variant);
    free(s->title);
    free(s->grid);
    free(s->fix);
    for (int i = 0; i < CAP_ARGS; i++)
        free(s->passed[i]);
    source_free(s->source);
    *s = (struct scaffold){0};
}
