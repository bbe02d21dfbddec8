/* warpdrill doctor: what works here, tier by tier, and what would make the rest work. Bounded: it ends within 15 s. */
#include "tui/cmd.h"

#include <langinfo.h>
#include <locale.h>
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "db/store.h"
#include "kernels/wire/os.h"
#include "kernels/wire/text.h"

#include <curses.h>
#include <term.h> /* last: it makes macros of common words */

enum { BOUND_MS = 15000 };

/* One finding: a name, whether it works, a sentence, and what would help. */
static void found(json_t *list, const char *area, const char *name, bool ok, const char *remedy, const char *fmt, ...)
    __attribute__((format(printf, 6, 7)));

static void found(json_t *list, const char *area, const char *name, bool ok, const char *remedy, const char *fmt, ...)
{
    char text[1024];
    va_list ap;
    va_start(ap, fmt);
    vsnprintf(text, sizeof text, fmt, ap);
    va_end(ap);
    text_clean(text, strlen(text));
    json_t *one = json_pack("{s:s, s:s, s:b, s:s}", "area", area, "name", name, "ok", (int)ok, "say", text);
    if (remedy && *remedy)
        json_object_set_new(one, "remedy", json_string(remedy));
    json_array_append_new(list, one);
}

/* ---- this side ---- */

static void check_terminal(json_t *list)
{
    const char *term = getenv("TERM");
    int known = 0;
    bool tty = isatty(STDIN_FILENO) && isatty(STDOUT_FILENO);
    found(list, "terminal", "terminal", tty, tty ? NULL : "start warpdrill in a terminal; the commands work without", "%s",
          tty ? "input and output are a terminal" : "input or output is not a terminal");
    bool there = term && setupterm((char *)term, STDOUT_FILENO, &known) == 0 && known == 1;
    int colors = there ? tigetnum((char *)"colors") : 0;
    found(list, "terminal", "type", there, there ? NULL : "set TERM, for example to xterm-256color", "TERM is %s%s", term ? term : "not set",
          there ? "" : ", which this machine does not know");
    found(list, "terminal", "colours", true, NULL, getenv("NO_COLOR") ? "%d, not used: NO_COLOR is set" : "%d", colors < 0 ? 0 : colors);
    const char *codeset = nl_langinfo(CODESET);
    bool utf8 = !strcmp(codeset, "UTF-8");
    found(list, "terminal", "UTF-8", utf8, utf8 ? NULL : "set LC_ALL, for example to C.UTF-8", "the locale's text is %s", codeset);
}

static void check_store(json_t *list, const struct cmd *c)
{
    char *path = cmd_db(c->db);
    struct store *store = NULL;
    if (access(path, F_OK) != 0) {
        found(list, "progress", "database", true, NULL, "%s: not there yet, the first start makes it", path);
    } else {
        int rc = store_open(&store, path, 200);
        found(list, "progress", "database", rc == STORE_OK, rc == STORE_OK ? NULL : "choose another file with --db", "%s%s%s", path,
              rc == STORE_OK ? "" : ": ", rc == STORE_OK ? "" : store_message(store));
        store_free(store);
    }
    free(path);
}

static bool seen(const json_t *slugs, const char *slug)
{
    size_t i;
    json_t *one;
    json_array_foreach(slugs, i, one)
        if (!strcmp(json_string_value(one), slug))
            return true;
    return false;
}

static void collect_gpus(json_t *gpus, const struct pack *p)
{
    for (int i = 0; i < p->files->n; i++) {
        const char *at = strstr(p->files->file[i].path, "/sealed/evidence/");
        const char *dot = at ? strstr(at, ".json") : NULL;
        if (!dot)
            continue;
        at += strlen("/sealed/evidence/");
        char *slug = text_ndup(at, (size_t)(dot - at));
        if (!seen(gpus, slug))
            json_array_append_new(gpus, json_string(slug));
        free(slug);
    }
}

static void check_packs(json_t *list, const struct cmd *c)
{
    struct catalog *catalog = NULL;
    struct err err = {0};
    if (catalog_open(&catalog, c->packs, c->n_packs, &err)) {
        found(list, "scenarios", "packs", false, "name a folder with --pack", "%s", err.text);
        return;
    }
    json_t *gpus = json_array(), *gpu;
    size_t k;
    for (int i = 0; i < catalog->n_packs; i++) {
        const struct pack *p = catalog->packs[i];
        found(list, "scenarios", p->id, true, NULL, "%d scenarios in %s", p->n_stories, p->files->root);
        collect_gpus(gpus, p);
    }
    for (int i = 0; i < catalog->n_problems; i++)
        found(list, "scenarios", catalog->problems[i].where, false, NULL, "%s", catalog->problems[i].text);
    if (catalog->n_packs == 0)
        found(list, "scenarios", "packs", false, "name a folder with --pack", "no pack was found");
    json_array_foreach(gpus, k, gpu)
        found(list, "recorded", json_string_value(gpu), true, NULL, "evidence recorded on it");
    if (json_array_size(gpus) == 0)
        found(list, "recorded", "evidence", false, "warpdrill record PACK, with a GPU", "no recorded evidence was found");
    json_decref(gpus);
    catalog_free(catalog);
}

/* ---- the runner's side ---- */

static void tell_device(json_t *list, const struct msg_device *d)
{
    found(list, "live", "GPU", true, NULL, "%s, driver %s, NVRTC %s, CUPTI %s", d->name, *d->driver ? d->driver : "unknown",
          *d->nvrtc ? d->nvrtc : "none", *d->cupti ? d->cupti : "none");
    for (int i = 0; i < d->n_tiers; i++) {
        const struct msg_tier *t = &d->tiers[i];
        found(list, "live", wire_probe_name(t->probe), t->ok, t->remedy, "%s", t->ok ? "works" : t->say ? t->say : t->missing ? t->missing : "missing");
    }
    for (int i = 0; i < d->n_ceilings; i++)
        found(list, "live", d->ceilings[i].name, true, NULL, "%.4g %s, %s", d->ceilings[i].value, d->ceilings[i].unit,
              strncmp(d->ceilings[i].name, "peak_", 5) ? "measured" : "by its attributes");
    for (int i = 0; i < d->n_throttle; i++)
        found(list, "live", "clocks", false, "times will differ from run to run until this ends", "%s", d->throttle[i]);
}

/* Waits for the description, at most until `until`. Returns 1 when it came, 0 on the time limit, negative when it failed. */
static int await_device(struct client *client, json_t *list, int64_t until, struct err *err)
{
    struct client_event e;
    for (;;) {
        while (client_event(client, &e)) {
            if (e.kind == CLIENT_DEVICE)
                tell_device(list, e.device);
            if (e.kind == CLIENT_LOST)
                return err_set(err, ERR_LOST, "%s", e.say);
            if (e.kind == CLIENT_DONE && (e.done->status == DONE_OK || e.done->status == DONE_PARTIAL))
                return 1;
            if (e.kind == CLIENT_DONE)
                return err_set(err, ERR_NO_GPU, "%s%s%s", e.done->text ? e.done->text : "no GPU", e.done->remedy ? ". " : "",
                               e.done->remedy ? e.done->remedy : "");
        }
        int64_t left = until - os_monotonic_ms();
        int wait = client_timeout_ms(client);
        struct pollfd fds[3];
        if (left <= 0)
            return 0;
        poll(fds, (nfds_t)client_fds(client, fds, 3), wait < 0 || wait > left ? (int)left : wait);
        client_step(client);
    }
}

static void check_runner(json_t *list, const struct cmd *c)
{
    static const char remedy[] = "live evidence needs an NVIDIA GPU: here, or through --runner \"ssh HOST warpdrill-runner\" or \"srun ... warpdrill-runner\"";
    char *command = cmd_runner(c->runner);
    struct client *client = NULL;
    struct err err = {0};
    found(list, "live", "command", true, NULL, "%s", command);
    int rc = client_open(&client, command, &err);
    if (rc == 0 && client_describe(client, "cached", &err) > 0)
        rc = await_device(client, list, os_monotonic_ms() + BOUND_MS, &err);
    if (rc < 0)
        found(list, "live", "runner", false, remedy, "%s", err.text);
    else if (rc == 0)
        found(list, "live", "runner", false, remedy, "no description of a GPU came within %d seconds", BOUND_MS / 1000);
    else
        found(list, "live", "runner", true, NULL, "version %s, measuring method %d", client_runner(client), client_method(client));
    if (client && *client_greeting(client))
        found(list, "live", "greeting", true, "harmless, but a shell start-up file that prints slows the link", "before its hello came: %.200s",
              client_greeting(client));
    client_free(client);
    free(command);
}

static void print_findings(const json_t *list)
{
    size_t i;
    json_t *one;
    const char *area = "";
    json_array_foreach(list, i, one) {
        const char *now, *name, *say, *remedy = NULL;
        int ok;
        json_unpack(one, "{s:s, s:s, s:b, s:s, s?s}", "area", &now, "name", &name, "ok", &ok, "say", &say, "remedy", &remedy);
        printf("%-10s  %-3s  %-18s %s\n", strcmp(now, area) ? now : "", ok ? "ok" : "no", name, say);
        if (remedy)
            printf("%-10s       %-18s %s\n", "", "", remedy);
        area = now;
    }
}

int cmd_doctor(const struct cmd *c)
{
    json_t *list = json_array();
    check_terminal(list);
    check_store(list, c);
    check_packs(list, c);
    check_runner(list, c);
    if (c->json)
        cmd_print_json(json_pack("{s:s, s:O}", "version", WARPDRILL_VERSION, "findings", list));
    else
        print_findings(list);
    json_decref(list);
    return CMD_OK;
}
