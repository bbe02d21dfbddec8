/* warpdrill seal, unseal: a pack's answers under a passphrase, and out again. Both write a new
 * folder and change nothing. */
#include "tui/commands/commands.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "kernels/wire/text.h"
#include "scenarios/check/checker.h"
#include "tui/kit/passphrase.h"

/* --out, else the pack's folder with `ending`. malloc'd. */
static char *out_folder(const struct cmd *c, const struct pack *p, const char *ending)
{
    const char *root = p->files->root;
    size_t n = strlen(root);
    while (n > 1 && root[n - 1] == '/')
        n--;
    return c->out ? text_dup(c->out) : text_format("%.*s%s", (int)n, root, ending);
}

static void say_left_out(const struct files *f)
{
    if (f->n_passed)
        fprintf(stderr,
                "warpdrill: %d hidden or other file%s of %s %s not copied; a pack is its .yaml, "
                ".cu, .md, .json and .csv\n",
                f->n_passed, f->n_passed == 1 ? "" : "s", f->root,
                f->n_passed == 1 ? "was" : "were");
}

/* Whoever gets the sealed copy cannot mend it. */
static void say_findings(const struct pack *p)
{
    struct findings found = {0};
    for (int i = 0; i < p->n_stories; i++)
        check_story(&found, &p->stories[i], NULL, NULL);
    if (found.n_errors)
        fprintf(stderr,
                "warpdrill: sealed as it is, with %d error%s; warpdrill check %s names %s\n",
                found.n_errors, found.n_errors == 1 ? "" : "s", p->files->root,
                found.n_errors == 1 ? "it" : "them");
    findings_free(&found);
}

int cmd_seal(const struct cmd *c)
{
    struct err err = {0};
    struct pack *pack = NULL;
    int status = cmd_pack(&pack, c, c->args[0]), rc;
    if (status)
        return status;
    struct secret *s = secret_new();
    char *out = out_folder(c, pack, "-sealed");
    rc = sealing_ready(pack, &err);
    if (!rc)
        rc = passphrase_new(s, c->passphrase_file, &err);
    if (!rc)
        rc = sealing_write(pack, out, s, sealing_cost_usual(), &err);
    secret_free(s);
    if (!rc) {
        say_left_out(pack->files);
        say_findings(pack);
        printf("%s\n", out);
    }
    free(out);
    pack_free(pack);
    return rc ? cmd_fail(&err) : CMD_OK;
}

int cmd_open_sealed(struct pack **out, const struct pack *sealed, const struct cmd *c)
{
    struct err err = {0};
    char *changed = NULL;
    struct secret *s = secret_new();
    int rc = passphrase_known(s, c->passphrase_file, sealed->id, &err);
    if (!rc)
        rc = sealing_unseal(out, &changed, sealed, s, &err);
    secret_free(s);
    if (changed)
        fprintf(stderr, "warpdrill: since %s was sealed:\n%s\n", sealed->files->root, changed);
    free(changed);
    return rc ? cmd_fail(&err) : CMD_OK;
}

int cmd_open_variant(const struct variant **v, struct pack **opened, const struct cmd *c, bool ask)
{
    const struct story *s = (*v)->story;
    *opened = NULL;
    if (!(*v)->sealed || (!ask && !passphrase_file(c->passphrase_file)))
        return CMD_OK;
    int status = cmd_open_sealed(opened, s->pack, c);
    if (status == CMD_OK)
        *v = story_variant(pack_story(*opened, s->id), (*v)->id);
    return status;
}

int cmd_unseal(const struct cmd *c)
{
    struct err err = {0};
    struct pack *sealed = NULL, *opened = NULL;
    int status = cmd_pack(&sealed, c, c->args[0]);
    if (status == CMD_OK && sealed->seal != SEAL_SHUT) {
        err_set(&err, ERR_BAD_REQUEST, "%s is not sealed", sealed->files->root);
        status = cmd_fail(&err);
    }
    if (status == CMD_OK)
        status = cmd_open_sealed(&opened, sealed, c);
    if (status == CMD_OK) {
        char *out = out_folder(c, sealed, "-open");
        status = sealing_write_open(opened, out, &err) ? cmd_fail(&err) : CMD_OK;
        if (status == CMD_OK)
            printf("%s\n", out);
        free(out);
    }
    pack_free(opened);
    pack_free(sealed);
    return status;
}
