/* What doctor finds on this machine: packs and their evidence, caches, progress, the terminal. */
#include "tui/commands/doctor_areas.h"

#include <dirent.h>
#include <errno.h>
#include <langinfo.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/stat.h>
#include <unistd.h>

#include "db/place.h"
#include "db/store.h"
#include "kernels/wire/os.h"
#include "kernels/wire/path.h"
#include "kernels/wire/text.h"
#include "scenarios/formula/quantity.h"
#include "scenarios/evidence/request.h"
#include "scenarios/pack/recordings.h"
#include "tui/kit/term.h"
#include "tui/app/defaults.h"

#include <curses.h>
#include <term.h> /* last: it makes macros of common words */

/* ---- packs and what is recorded ---- */

static bool seen(const json_t *texts, const char *text)
{
    size_t i;
    json_t *one;
    json_array_foreach(texts, i, one)
        if (!strcmp(json_string_value(one), text))
            return true;
    return false;
}

static bool has_something(const struct msg_part *p)
{
    for (int i = 0; i < p->n_metrics; i++)
        if (p->metrics[i].present)
            return true;
    return p->n_lines > 0 || p->n_series > 0;
}

static void note_recording(struct doctor *d, const struct recording *r)
{
    if (!seen(d->gpus, r->device.slug))
        json_array_append_new(d->gpus, json_string(r->device.slug));
    for (int i = 0; i < r->n_items; i++)
        if (has_something(&r->items[i].part))
            d->recorded[r->items[i].part.probe] = true;
}

struct tally { int recordings, stale, bare; char first[512]; };

static void take_variant(struct doctor *d, struct tally *t, const struct variant *v)
{
    struct err err = {0};
    struct recording **list = NULL;
    int n = 0;
    if (story_is_case(v->story))    /* its evidence is of no GPU */
        return;
    if (recordings_of(v, &list, &n, &err)) {
        if (t->stale++ == 0)
            snprintf(t->first, sizeof t->first, "%.400s", err.text);
        return;
    }
    t->bare += n == 0;
    for (int i = 0; i < n; i++) {
        t->recordings++;
        note_recording(d, list[i]);
        if (request_fresh(v, list[i], &err) && t->stale++ == 0)
            snprintf(t->first, sizeof t->first, "%s on %.63s: %.300s", v->full_id,
                     list[i]->device.slug, err.text);
    }
    recordings_free(list, n);
}

static void take_pack(struct doctor *d, const struct pack *p)
{
    struct tally t = {0};
    char bare[64] = "";
    if (p->seal == SEAL_SHUT) {
        doctor_found(d, "packs", p->id, true, NULL, "%d scenario%s, sealed", p->n_stories,
                     p->n_stories == 1 ? "" : "s");
        return;
    }
    for (int s = 0; s < p->n_stories; s++)
        for (int v = 0; v < p->stories[s].n_variants; v++)
            take_variant(d, &t, p->stories[s].variants[v]);
    if (t.bare)
        snprintf(bare, sizeof bare, ", %d variant%s without any", t.bare, t.bare == 1 ? "" : "s");
    doctor_found(d, "packs", p->id, t.stale == 0,
                 t.stale ? "warpdrill record PACK, with a GPU, measures anew" : NULL,
                 "%d scenario%s, %d recordings%s%s%.*s", p->n_stories,
                 p->n_stories == 1 ? "" : "s", t.recordings, bare,
                 t.stale ? "; stale: " : "", (int)strcspn(t.first, "\n"), t.first);
    doctor_add(d, "recordings", json_integer(t.recordings));
    doctor_add(d, "stale", json_integer(t.stale));
}

void doctor_packs(struct doctor *d)
{
    struct err err = {0};
    d->gpus = json_array();
    if (catalog_open(&d->catalog, d->cmd->packs, d->cmd->n_packs, &err)) {
        doctor_found(d, "packs", "packs", false, "name a folder with --pack", "%s", err.text);
        d->catalog = NULL;
        return;
    }
    for (int i = 0; i < d->catalog->n_packs; i++)
        take_pack(d, d->catalog->packs[i]);
    for (int i = 0; i < d->catalog->n_problems; i++)
        doctor_found(d, "packs", d->catalog->problems[i].where, false, NULL, "%s",
                     d->catalog->problems[i].text);
    if (d->catalog->n_packs == 0)
        doctor_found(d, "packs", "packs", false, "name a folder with --pack", "no pack was found");
    bool any = json_array_size(d->gpus) > 0;
    char text[256] = "";
    size_t i;
    json_t *gpu;
    json_array_foreach(d->gpus, i, gpu) snprintf(text + strlen(text), sizeof text - strlen(text),
                                                 "%s%s", i ? ", " : "", json_string_value(gpu));
    doctor_found(d, "packs", "recorded on", any, any ? NULL : "warpdrill record PACK, with a GPU",
                 "%s", any ? text : "no GPU: there is no recorded evidence");
}

/* ---- where something may be written ---- */

/* The nearest folder above `path` that stands: NULL where it can be written, else why not, of which
 * folder in `where`. */
static const char *cannot_be_made(const char *path, char *where, size_t n)
{
    snprintf(where, n, "%s", path);
    for (char *slash; access(where, F_OK) != 0 && (slash = strrchr(where, '/'));)
        slash[slash == where] = '\0';
    return access(where, W_OK | X_OK) == 0 ? NULL : strerror(errno);
}

/* ---- caches ---- */

struct heap { int files; double bytes; };

static void weigh(struct heap *h, const char *folder, bool inner)
{
    DIR *dir = opendir(folder);
    for (struct dirent *e = dir ? readdir(dir) : NULL; e; e = readdir(dir)) {
        struct stat st;
        char *path;
        if (path_below(&path, folder, PATH_NAMES(e->d_name), NULL))
            continue;
        if (e->d_name[0] != '.' && lstat(path, &st) == 0) {
            if (S_ISREG(st.st_mode)) {
                h->files++;
                h->bytes += (double)st.st_size;
            } else if (S_ISDIR(st.st_mode) && inner) {
                weigh(h, path, false);
            }
        }
        free(path);
    }
    if (dir)
        closedir(dir);
}

static void found_heap(struct doctor *d, const char *name, const char *folder, struct heap h)
{
    char size[32], where[512];
    const char *why = cannot_be_made(folder, where, sizeof where);
    quantity_show(size, sizeof size, h.bytes, "B");
    doctor_found(d, "caches", name, !why,
                 why ? "set WARPDRILL_CACHE to a folder that you may write to, else all is made "
                       "anew each time"
                     : NULL,
                 "%s: %d %s, %s%s%s%s%s", folder, h.files, h.files == 1 ? "file" : "files", size,
                 why ? "; nothing is kept: " : "", why ? where : "", why ? ": " : "",
                 why ? why : "");
    doctor_add(d, "files", json_integer(h.files));
    doctor_add(d, "bytes", json_real(h.bytes));
}

void doctor_caches(struct doctor *d)
{
    const char *own = getenv("WARPDRILL_CACHE"), *xdg = getenv("XDG_CACHE_HOME"),
               *home = getenv("HOME");
    char *folder = own && *own          ? text_dup(own)
                   : xdg && *xdg == '/' ? text_format("%s/warpdrill", xdg)
                                        : text_format("%s/.cache/warpdrill", home ? home : "");
    char *kernels = text_format("%s/kernels", folder),
         *measured = text_format("%s/ceilings", folder);
    struct heap compiled = {0}, ceilings = {0};
    weigh(&compiled, kernels, true);
    weigh(&ceilings, measured, false);
    found_heap(d, "compiled kernels", kernels, compiled);
    found_heap(d, "ceilings", measured, ceilings);
    free(kernels);
    free(measured);
    free(folder);
}

/* ---- progress ---- */

static void look_inside(struct doctor *d, struct store *store, const char *path)
{
    struct store_attempt *attempts = NULL;
    char size[32];
    int n = 0;
    double bytes = (double)place_size(path);
    quantity_show(size, sizeof size, bytes, "B");
    bool sound = store_check(store) == STORE_OK,
         counted = store_attempts(store, NULL, 0, &attempts, &n) == STORE_OK;
    free(attempts);
    doctor_found(d, "progress", "database", true, NULL, "%s: %s with its WAL, format %d, %d attempt%s",
                 path, size, store_version(store), counted ? n : 0, counted && n == 1 ? "" : "s");
    doctor_add(d, "bytes", json_real(bytes));
    doctor_add(d, "attempts", json_integer(n));
    doctor_found(d, "progress", "integrity", sound,
                 sound ? NULL : "copy the file away, then start with another one by --db", "%s",
                 sound ? "checked, whole" : store_message(store));
}

void doctor_store(struct doctor *d)
{
    char *path = default_db(d->cmd->db), where[512];
    struct store *store = NULL;
    bool reading = false;
    const char *why;
    if (access(path, F_OK) != 0 && (why = cannot_be_made(path, where, sizeof where))) {
        doctor_found(d, "progress", "database", false,
                     "allow writing there, or choose another file with --db",
                     "%s: not there yet, and cannot be made: %s: %s", path, where, why);
    } else if (access(path, F_OK) != 0) {
        doctor_found(d, "progress", "database", true, NULL,
                     "%s: not there yet, the first start makes it", path);
    } else if (store_open_to_read(&store, path, 200, &reading) == STORE_OK) {
        if (reading)
            doctor_found(d, "progress", "writing", false, NULL,
                         "nothing is kept now, what is there is shown: %s", store_message(store));
        look_inside(d, store, path);
    } else {
        doctor_found(d, "progress", "database", false, "choose another file with --db", "%s: %s",
                     path, store_message(store));
    }
    store_free(store);
    free(path);
}

/* ---- the terminal ---- */

/* Output may go to a file or a pipe, so that it can be pasted; the terminal is then the one of the
 * errors. */
static int terminal_of(void)
{
    return isatty(STDOUT_FILENO)   ? STDOUT_FILENO
           : isatty(STDERR_FILENO) ? STDERR_FILENO
           : isatty(STDIN_FILENO)  ? STDIN_FILENO
                                   : -1;
}

void doctor_terminal(struct doctor *d)
{
    const char *term = getenv("TERM"), *codeset = nl_langinfo(CODESET);
    int known = 0, fd = terminal_of();
    struct winsize w = {0};
    bool there = term && setupterm((char *)term, STDOUT_FILENO, &known) == 0 && known == 1,
         utf8 = !strcmp(codeset, "UTF-8");
    int colors = there ? tigetnum((char *)"colors") : 0;
    if (fd < 0 || ioctl(fd, TIOCGWINSZ, &w) != 0)
        doctor_found(d, "terminal", "size", true, NULL, "not in a terminal now");
    else
        doctor_found(d, "terminal", "size", w.ws_row >= 20 && w.ws_col >= 60,
                     w.ws_row >= 20 && w.ws_col >= 60 ? NULL
                                                      : "60 x 20 is the least, 100 x 30 is good",
                     "%d x %d", w.ws_col, w.ws_row);
    bool draws = there && term_places_cursor();
    doctor_found(d, "terminal", "type", draws,
                 draws ? NULL : "set TERM, for example to xterm-256color", "TERM is %s%s",
                 term ? term : "not set",
                 draws   ? ""
                 : there ? ", which cannot place its cursor"
                         : ", which this machine does not know");
    doctor_found(d, "terminal", "colours", true, NULL,
                 getenv("NO_COLOR") ? "%d, not used: NO_COLOR is set" : "%d",
                 colors < 0 ? 0 : colors);
    doctor_found(d, "terminal", "UTF-8", utf8, utf8 ? NULL : "set LC_ALL, for example to C.UTF-8",
                 "the locale's text is %s", codeset);
}
