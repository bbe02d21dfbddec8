/* What the candidate could receive, searched for what they must not have: every variant of every
 * shipped pack is played in one process, with nearly everything bought, up to a commitment; each
 * picture as it is sent is searched for the sealed half. Then the reveal, where it must be found.
 *
 * With the real programs: all bytes of a link, the modes of all files, and what the two processes
 * show of themselves. */
#include "tests/tui/interview/interview.h"

#include <ftw.h>
#include <sys/stat.h>

#include "kernels/wire/text.h"
#include "scenarios/interview/interview_life.h"
#include "scenarios/interview/interview_verbs.h"
#include "tests/tui/interview/interview_proxy.h"
#include "scenarios/pack/failing.h"
#include "tui/app/app_inside.h"
#include "tui/app/help.h"
#include "tui/app/guest.h"
#include "tui/interview/candidate.h"

enum {
    WINDOW = 32,
    STRIDE = 8,
    LINE_LEAST = 16,
    ENTER = '\r',
    ESC = 27,
    TAB = 9,
    DOWN = 0402,
    KEYS_MOST = 60,
    SECRETS_LEAST = 30
};

static struct tui_options options = { .trust = true };
static struct app host;
static struct app *guest;
static struct interview *live;
static bool revealed;
static long pictures, variants;

/* ---- the sealed half ---- */

static struct { char **text; int n; } secrets;

/* Blanks of any kind are one blank: prose is wrapped anew on the screen. malloc'd. */
static char *in_one_line(const char *text)
{
    char *out = text_dup(text), *to = out;
    for (const char *from = text; *from; from++)
        if (*from != ' ' && *from != '\n' && *from != '\t')
            *to++ = *from;
        else if (to > out && to[-1] != ' ')
            *to++ = ' ';
    *to = '\0';
    return out;
}

/* The public half: the scenario's file and the suspect, and the titles that every scenario has. */
static char *public_text;

static void learn_public(const struct variant *v)
{
    const struct story *s = v->story;
    char *path = text_format("%s/scenario.yaml", s->id), *all = text_dup(v->suspect->text);
    const struct file *f = files_find(s->pack->files, path);
    assert_non_null(f);
    for (int k = -1; k < s->n_experiments; k++) {
        char *more = text_format("%s\n%s", all, k < 0 ? f->text : s->experiments[k].title);
        free(all);
        all = more;
    }
    free(public_text);
    public_text = in_one_line(all);
    free(all);
    free(path);
}

static bool is_public(const char *text)
{
    char *plain = in_one_line(text);
    bool known = strstr(public_text, plain) != NULL;
    free(plain);
    return known;
}

/* Takes `text` over. */
static void secret_add(char *text)
{
    if (is_public(text)) {
        free(text);
        return;
    }
    secrets.text = mem_grow(secrets.text, (size_t)secrets.n + 1, sizeof *secrets.text);
    secrets.text[secrets.n++] = text;
}

/* Stretches of a sentence, so many that one of them stands in a row wherever it is wrapped. */
static void prose_add(const char *prose)
{
    char *text = in_one_line(prose ? prose : "");
    for (size_t at = 0, n = strlen(text); at + WINDOW <= n; at += STRIDE) {
        char *window = text_ndup(text + at, WINDOW);
        size_t words = strspn(window, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ ,.'");
        if (words == WINDOW)
            secret_add(window);
        else
            free(window);
    }
    free(text);
}

/* Lines of code that the suspect does not have. */
static void code_add(const struct file *f)
{
    for (const char *line = f ? f->text : ""; *line;
         line += strcspn(line, "\n") + (line[strcspn(line, "\n")] == '\n')) {
        const char *from = line + strspn(line, " \t");
        size_t n = strcspn(from, "\n");
        if (n >= LINE_LEAST && strncmp(from, "//", 2) && strncmp(from, "#include", 8))
            secret_add(text_ndup(from, n < 60 ? n : 60));
    }
}

static void learn_secrets(const struct variant *v)
{
    char spot[64];
    for (int k = 0; k < secrets.n; k++)
        free(secrets.text[k]);
    secrets.n = 0;
    learn_public(v);
    story_spot(spot, sizeof spot, v->story, v->location_line);
    secret_add(text_format("%s, %s", v->story->hypotheses[v->cause]->label, spot));
    if (v->models && strlen(v->models) > 8)
        secret_add(text_dup(v->models));
    prose_add(v->debrief->text);
    code_add(v->fix_file);
    code_add(v->best_file);
    code_add(v->reference_file);
    for (int k = 0; k < v->n_readings; k++)
        prose_add(v->readings[k].because);
    for (int k = 0; k < v->n_pushbacks; k++) {
        prose_add(v->pushbacks[k].says);
        prose_add(v->pushbacks[k].teaches);
    }
    for (int k = 0; k < v->n_truths; k++)
        for (int m = 0; m < v->truths[k].n_mistakes; m++)
            prose_add(v->truths[k].mistakes[m].says);
    for (int k = 0; k < v->n_incidents; k++)
        secret_add(text_dup(v->incidents[k]));
    if (secrets.n < SECRETS_LEAST)
        fail_msg("%s: %d secrets alone", v->full_id, secrets.n);
}

static const char *secret_in(const char *text)
{
    for (int k = 0; k < secrets.n; k++)
        if (strstr(text, secrets.text[k]))
            return secrets.text[k];
    return NULL;
}

/* ---- the pictures ---- */

static const char *name_now(void)
{
    return interview_session(live)->plan.parts[0].id;
}

/* As it is sent, and as it is read. */
static const char *told(void)
{
    bool changed;
    const struct canvas *picture = app_guest_picture(guest, &changed);
    json_t *message = canvas_encode(picture, NULL);
    char *sent = json_dumps(message, JSON_COMPACT), *read = canvas_text(picture);
    const char *secret = secret_in(sent);
    secret = secret ? secret : secret_in(read);
    if (secret && !revealed)
        fail_msg("%s: the candidate is sent \"%s\":\n%s", name_now(), secret, read);
    pictures++;
    free(sent);
    free(read);
    json_decref(message);
    return secret;
}

static void step(void)
{
    host.now = guest->now = os_monotonic_ms();
    app_first_due(guest);
    app_run_ticks(guest);
    told();
}

static void key(int k)
{
    app_guest_key(guest, k);
    assert_int_equal(interview_settle(live, NULL), 0);
    told();
}

static void keys(const char *text)
{
    for (; *text; text++)
        key((unsigned char)*text);
}

static bool does(const char *what)
{
    return !strcmp(candidate_doing(guest), what);
}

/* Whatever is asked is passed over. */
static void until(const char *what)
{
    for (int k = 0; k < KEYS_MOST && !does(what); k++) {
        if (does("choosing the fix") || does("choosing what is left"))
            key('1');
        key(does("naming causes") || does("writing") ? TAB : ENTER);
        step();
    }
    if (!does(what)) {
        bool changed;
        fail_msg("%s: %s, never %s:\n%s", name_now(), candidate_doing(guest), what,
                 canvas_text(app_guest_picture(guest, &changed)));
    }
}

/* ---- one variant ---- */

static void did(int rc, struct err *err)
{
    if (rc != 0 || candidate_follow(guest, err) != 0)
        fail_msg("%s: %s", name_now(), err->text);
    step();
}

static void begin_variant(const struct variant *v)
{
    struct session_plan plan = {.title = "One of many",
                                .candidate = "C-07",
                                .level = 1,
                                .seed = 3,
                                .withhold = true,
                                .tier = "recorded",
                                .n_parts = 1};
    struct session_codes codes;
    struct err err = { 0 };
    plan.parts[0] =
        (struct session_part){.kind = PART_SCENARIO, .minutes = 30, .title = "A scenario"};
    snprintf(plan.parts[0].id, sizeof plan.parts[0].id, "%s", v->full_id);
    session_rubric_builtin(&plan);
    if (interview_create(&live, &codes, &plan, 3600 * 1000, &err) != 0)
        fail_msg("%s", err.text);
    guest = app_guest_new(&host, interview_store(live), live, 36, 120);
    revealed = false;
    learn_secrets(v);
    did(interview_opened(live, "user", NULL, &err), &err);
    did(interview_begin(live, 0, &err), &err);
    until("choosing");
}

static void look_about(void)
{
    keys("?\x1b" "e\x1b\t");
    for (int k = 0; k < 6; k++)
        key(DOWN);
    keys("e\x1b\t\x1b");
}

static void buy_all(const struct variant *v)
{
    for (const char *letter = "trbdomswplic"; *letter; letter++) {
        key(*letter);
        until("choosing");
    }
    for (int k = 1; k <= 4; k++) {
        key(k < 3 ? 'x' : 'v');
        key('1');
        until("choosing");
    }
    keys("a1\x1b");
    if (!story_is_case(v->story)) /* of a suspect that fails little is sold */
        assert_true(attempt_state(interview_attempt(live))->n_bought > (variant_fails(v) ? 2 : 5));
}

static void play(const struct variant *v)
{
    struct err err = { 0 };
    begin_variant(v);
    look_about();
    buy_all(v);
    look_about();
    keys("nmy own words\t1++++");
    until("waiting for you");
    assert_int_equal(attempt_state(interview_attempt(live))->phase, PHASE_COMMITTED);
    keys("\t");
    look_about();
    revealed = true;
    did(interview_revealed(live, interview_session(live)->part, &err), &err);
    bool found = false;
    for (const char *page = "1234bec"; *page; page++) {
        app_guest_key(guest, *page);
        found |= told() != NULL;
    }
    if (!found)
        fail_msg("%s: nothing of the answer is found when it is there", v->full_id);
    app_guest_free(guest);
    interview_free(live);
    variants++;
}

static void nothing_is_sent_before_the_reveal(void **state)
{
    const struct catalog *c = host.catalog;
    int n = 0;
    for (int p = 0; p < c->n_packs; p++)
        for (int s = 0; s < c->packs[p]->n_stories; s++)
            for (int v = 0; v < c->packs[p]->stories[s].n_variants; v++)
                if (n++ % ONE_OF == 0)
                    play(c->packs[p]->stories[s].variants[v]);
    printf("# %ld variants, %ld pictures\n", variants, pictures);
    assert_true(variants >= 250 / ONE_OF);
}

/* ---- the same with the programs ---- */

static int others_may; /* files and folders that others than their owner may touch */

static int look_at_mode(const char *path, const struct stat *st, int kind, struct FTW *walk)
{
    (void)kind, (void)walk;
    if (st->st_mode & 077) {
        printf("# %s: mode %o\n", path, st->st_mode & 07777);
        others_may++;
    }
    return 0;
}

/* A line of /proc/PID/status; "" if there is none. */
static void status_line(pid_t pid, const char *name, char *out, size_t size)
{
    char path[64], line[256];
    snprintf(path, sizeof path, "/proc/%d/status", (int)pid);
    FILE *f = fopen(path, "r");
    out[0] = '\0';
    while (f && fgets(line, sizeof line, f))
        if (!strncmp(line, name, strlen(name)))
            snprintf(out, size, "%.*s", (int)strcspn(line + strlen(name), "\n"),
                     line + strlen(name));
    if (f)
        fclose(f);
}

static char *whole_file(const char *path)
{
    size_t n = 0;
    char *text = file_read_plain(path, (size_t)64 << 20, &n);
    if (!text)
        fail_msg("%s cannot be read", path);
    return text;
}

/* What everybody may read of the host's process has neither the code nor the scenario. */
static void begin_scenario(struct screen *host_side, const char *code)
{
    press(host_side, "\r", "WRITTEN DOWN");
    press(host_side, "t2", "BELIEFS");
    char path[64], bytes[4096];
    snprintf(path, sizeof path, "/proc/%d/cmdline", (int)screen_pid(host_side));
    FILE *f = fopen(path, "r");
    size_t n = f ? fread(bytes, 1, sizeof bytes - 1, f) : 0;
    assert_true(n > 0);
    fclose(f);
    for (size_t k = 0; k < n; k++)
        bytes[k] = bytes[k] ? bytes[k] : ' ';
    bytes[n] = '\0';
    assert_null(strstr(bytes, strchr(code, '-')));
    assert_null(strstr(bytes, "transposed-copy"));
}

/* Every byte that the host sends to a candidate is kept on the way. */
static void nothing_crosses_the_link(void **state)
{
    static const char *const words[] = {"--no-wall", "--start",   "--seed", "5", "--level",
                                        "1",         "--minutes", "60",     NULL};
    const struct story *story;
    const struct variant *v = NULL;
    char code[32], id[8], away[72], runtime[96], record[96], text[96];
    struct err err = { 0 };
    if (catalog_find(host.catalog, STORY, &story, &v, &err) != 0)
        fail_msg("%s", err.text);
    learn_secrets(v);
    struct screen *h = host_screen(words, NULL);
    screen_expect(h, "Enter begins part 1");
    host_code(h, code, sizeof code);
    snprintf(id, sizeof id, "%.3s", code);
    snprintf(away, sizeof away, "%.48s/away", place);
    snprintf(runtime, sizeof runtime, "XDG_RUNTIME_DIR=%s", away);
    snprintf(record, sizeof record, "%.48s/sent", place);
    struct proxy wire = proxy_start(away, strchr(env_runtime, '=') + 1, id, record);
    struct screen *g = join_screen(code, "Ada", runtime);
    screen_expect(g, "The interviewer begins");
    begin_scenario(h, code);
    screen_expect(g, "nothing: at the limit");
    status_line(screen_pid(g), "NoNewPrivs:", text, sizeof text);
    assert_non_null(strstr(text, "1"));
    status_line(screen_pid(g), "Seccomp:", text, sizeof text);
    assert_non_null(strstr(text, "2"));
    press(h, "iPCIe is fine\r", "sent    PCIe is fine");
    press(h, "nthey guess at the stores\r", "they guess at the stores");
    screen_expect(g, "interviewer: PCIe is fine");
    press(g, "r", "theoretical occupancy?");
    press(g, "\r", "registers");
    press(g, "1+", "+9");
    press(g, "\r", "Enter lock");
    press(g, "\r", "WHERE IS IT");
    press(g, "\r", "HOW WOULD YOU FIX IT");
    press(g, "2\r", "your estimate");
    press(g, "1 ms\r", "your estimate");
    press(g, "12\r", "Beliefs, line and fix are locked");
    char *sent = whole_file(record);
    if (secret_in(sent))
        fail_msg("the link carries \"%s\"", secret_in(sent));
    assert_null(strstr(sent, "they guess at the stores"));
    assert_non_null(strstr(sent, "PCIe is fine"));
    free(sent);
    snprintf(text, sizeof text, "%.48s/state/warpdrill", place);
    assert_int_equal(nftw(text, look_at_mode, 16, FTW_PHYS), 0);
    snprintf(text, sizeof text, "%.48s/run/warpdrill", place);
    assert_int_equal(nftw(text, look_at_mode, 16, FTW_PHYS), 0);
    assert_int_equal(others_may, 0);
    press(h, "x", "x once more");
    screen_send(h, "x");
    screen_expect(g, "The interviewer will release the score.");
    screen_expect(g, "NEXT TIME");
    sent = whole_file(record);
    assert_non_null(secret_in(sent));    /* it can be found */
    free(sent);
    screen_free(g);
    screen_free(h);
    proxy_end(&wire);
}

static int begin(void **state)
{
    struct err err = { 0 };
    host = (struct app){.options = &options, .open_help = help_open,
                        .trust = {.always = true},
                        .runner_due = -1,
                        .gpu = gpu_new(),
                        .now = os_monotonic_ms()};
    return interview_place("/tmp") || catalog_open(&host.catalog, NULL, 0, &err) ? -1 : 0;
}

static int end(void **state)
{
    gpu_free(host.gpu);
    library_free(&host.library);
    catalog_free(host.catalog);
    for (int k = 0; k < secrets.n; k++)
        free(secrets.text[k]);
    free(secrets.text);
    free(public_text);
    return interview_clear();
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(nothing_crosses_the_link),
                                       cmocka_unit_test(nothing_is_sent_before_the_reveal)};
    setenv("WARPDRILL_CONTENT", "content/packs", 1);
    return RUN_CASES(tests, begin, end);
}
