/* A file of evidence among several writers: nothing is lost, nothing half written, nothing of
 * another machine overwritten unseen. */
#include "scenarios/record/record_file.h"

#include <dirent.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "kernels/wire/text.h"
#include "tests/folder.h"
#include "tests/unit.h"

enum { WRITERS = 8 };

static char *path;

static int make_folder(void **state)
{
    if (folder_make("file"))
        return -1;
    path = text_format("%s/deep/er/fake-gpu.json", folder);
    return 0;
}

static int remove_folder(void **state)
{
    free(path);
    return folder_remove(state);
}

/* A recording of one item. */
static struct recording recording_of(const char *origin, const char *at, char key)
{
    struct recording r = {.method = METHOD_VERSION, .made_by = "warpdrill 0, runner 0"};
    struct msg_value value = {.name = "time", .present = true, .value = 1, .low = 1, .high = 1};
    struct msg_part part = {.probe = PROBE_TIMING,
                            .run = "b",
                            .tier = "recorded",
                            .variant = -1,
                            .metrics = &value,
                            .n_metrics = 1};
    char digits[65];
    memset(digits, key, 64);
    digits[64] = '\0';
    snprintf(r.device.name, sizeof r.device.name, "Fake GPU");
    snprintf(r.device.slug, sizeof r.device.slug, "fake-gpu");
    snprintf(r.device.origin, sizeof r.device.origin, "%s", origin);
    snprintf(r.device.driver, sizeof r.device.driver, "1");
    snprintf(r.at, sizeof r.at, "%s", at);
    recording_append(&r, digits, &part);
    return r;
}

static void clear(struct recording *r)
{
    for (int i = 0; i < r->n_items; i++)
        msg_part_free(&r->items[i].part);
    free(r->items);
    msg_device_free(&r->device);
}

/* As one recorder: sees the file, then writes. */
static int put(const char *origin, const char *at, char key, bool replace, struct err *err)
{
    struct evidence_file f;
    struct recording r = recording_of(origin, at, key);
    int rc = evidence_file_open(&f, path, err);
    if (rc == 0)
        rc = evidence_file_write(&f, &r, replace, err);
    evidence_file_close(&f);
    clear(&r);
    return rc;
}

static int items_there(void)
{
    struct evidence_file f;
    struct err err = {0};
    assert_int_equal(evidence_file_open(&f, path, &err), 0);
    int n = f.was ? f.was->n_items : -1;
    evidence_file_close(&f);
    return n;
}

static int files_there(void)
{
    char *deep = text_format("%s/deep/er", folder);
    DIR *dir = opendir(deep);
    int n = 0;
    assert_non_null(dir);
    for (const struct dirent *d; (d = readdir(dir));)
        n += strcmp(d->d_name, ".") && strcmp(d->d_name, "..");
    closedir(dir);
    free(deep);
    return n;
}

#define MACHINE "000000000000000a"
#define OTHER "000000000000000b"

static void many_writers_of_one_machine_lose_nothing(void **state)
{
    struct evidence_file f[WRITERS];
    struct err err = {0};
    pid_t pid[WRITERS];
    int go[2], status;
    char byte;
    assert_int_equal(pipe(go), 0);
    for (int i = 0; i < WRITERS; i++) {
        assert_int_equal(evidence_file_open(&f[i], path, &err),
                         0); /* all of them saw that nothing was there */
        if ((pid[i] = fork()) == 0) {
            struct recording r = recording_of(MACHINE, "2026-11-21T10:00:00Z", (char)('1' + i));
            close(go[1]);
            _exit(read(go[0], &byte, 1) == 0 && evidence_file_write(&f[i], &r, false, &err) == 0
                      ? 0
                      : 1);
        }
    }
    close(go[0]);
    close(go[1]); /* now all write */
    for (int i = 0; i < WRITERS; i++) {
        waitpid(pid[i], &status, 0);
        assert_int_equal(status, 0);
        evidence_file_close(&f[i]);
    }
    assert_int_equal(items_there(), WRITERS);
    assert_int_equal(files_there(), 1);
}

static void what_changed_meanwhile_on_another_machine_stays(void **state)
{
    struct evidence_file f;
    struct err err = {0};
    struct recording r = recording_of(MACHINE, "2026-11-21T10:00:00Z", 'a');
    assert_int_equal(evidence_file_open(&f, path, &err), 0);
    assert_int_equal(put(OTHER, "2026-11-21T09:00:00Z", 'b', false, &err), 0);
    assert_int_equal(evidence_file_write(&f, &r, false, &err), ERR_BUSY);
    assert_non_null(strstr(err.text, "origin " OTHER));
    assert_non_null(strstr(err.text, "fake-gpu.json." MACHINE ".new"));
    assert_int_equal(files_there(), 2);
    assert_int_equal(evidence_file_write(&f, &r, true, &err), 0);
    assert_non_null(strstr(f.said, "replaced as asked"));
    assert_int_equal(items_there(), 1);
    evidence_file_close(&f);
    clear(&r);
}

static void an_older_one_of_another_machine_is_replaced_and_that_is_said(void **state)
{
    struct evidence_file f;
    struct err err = {0};
    struct recording r = recording_of(MACHINE, "2026-11-21T10:00:00Z", 'a');
    assert_int_equal(put(OTHER, "2026-11-21", 'b', false, &err), 0);
    assert_int_equal(evidence_file_open(&f, path, &err), 0);
    assert_int_equal(evidence_file_write(&f, &r, false, &err), 0);
    assert_non_null(strstr(f.said, "replaces what was recorded on another machine or card (Fake "
                                   "GPU, 2026-11-21, origin " OTHER ")"));
    assert_int_equal(evidence_file_write(&f, &r, false, &err), 0);
    assert_string_equal(f.said, ""); /* our own */
    evidence_file_close(&f);
    clear(&r);
}

static void one_that_is_newer_than_ours_stays(void **state)
{
    struct err err = {0};
    assert_int_equal(put(OTHER, "2099-01-01T00:00:00Z", 'b', false, &err), 0);
    assert_int_equal(put(MACHINE, "2026-11-21T10:00:00Z", 'a', false, &err), ERR_BUSY);
    assert_int_equal(put("", "2026-11-21T10:00:00Z", 'a', false, &err), ERR_BUSY);
    assert_int_equal(put(OTHER, "2026-11-21T10:00:00Z", 'a', false, &err),
                     0); /* its own clock went back: no other's evidence */
}

static void what_nobody_can_read_is_not_replaced_unseen(void **state)
{
    struct evidence_file f;
    struct err err = {0};
    struct recording r = recording_of(MACHINE, "2026-11-21T10:00:00Z", 'a');
    assert_int_equal(put(MACHINE, "2026-11-21T09:00:00Z", 'b', false, &err), 0);
    assert_int_equal(evidence_file_open(&f, path, &err), 0);
    FILE *text = fopen(path, "w");
    fputs("<<<<<<< HEAD\n", text);
    fclose(text);
    assert_int_equal(evidence_file_write(&f, &r, false, &err), ERR_BUSY);
    evidence_file_close(&f);
    clear(&r);
}

static void a_link_is_not_followed(void **state)
{
    struct err err = {0};
    assert_int_equal(put(MACHINE, "2026-11-21T09:00:00Z", 'b', false, &err), 0);
    unlink(path);
    assert_int_equal(symlink("/etc/passwd", path), 0);
    assert_int_equal(put(MACHINE, "2026-11-21T09:00:00Z", 'b', false, &err), ERR_IO);
}

/* Also over those of another machine: they have their own provenance. */
static void links_go_on_until_they_are_measured_anew(void **state)
{
    struct evidence_file f;
    struct err err = {0};
    struct recording r = recording_of(OTHER, "2026-11-21", 'a');
    r.device.links.gpus = 2;
    r.device.links.all_reduce = (struct link_sum){{{1024, 1e-5}}, 1, 1e-5, 2e11, 0};
    for (int i = 0; i < 2; i++)
        r.device.links.hosts[i] = (struct link_host){5e10, 5e10, 4e10, 2e-6};
    for (int later = 0; later < 2; later++) {
        assert_int_equal(evidence_file_open(&f, path, &err), 0);
        assert_int_equal(evidence_file_write(&f, &r, false, &err), 0);
        evidence_file_close(&f);
        assert_int_equal(put(MACHINE, "2026-11-22", 'b', true, &err), 0);
        assert_int_equal(evidence_file_open(&f, path, &err), 0);
        assert_true(f.was->device.links.all_reduce.alpha == r.device.links.all_reduce.alpha);
        evidence_file_close(&f);
        r.device.links.all_reduce.alpha = 2e-5;
        snprintf(r.at, sizeof r.at, "2026-11-23");
    }
    clear(&r);
}

static void what_may_stand_in_one_file(void **state)
{
    char why[160];
    struct recording a = recording_of(MACHINE, "2026-11-21", 'a'),
                     b = recording_of(MACHINE, "2026-11-22", 'b');
    assert_null(recording_apart(&a, &b, why, sizeof why));
    snprintf(b.device.driver, sizeof b.device.driver, "2");
    assert_string_equal(recording_apart(&a, &b, why, sizeof why), "with driver 1, here 2");
    snprintf(b.device.driver, sizeof b.device.driver, "1");
    b.method++;
    assert_non_null(recording_apart(&a, &b, why, sizeof why));
    b.method--;
    snprintf(b.made_by, sizeof b.made_by, "warpdrill 1, runner 1");
    assert_non_null(recording_apart(&a, &b, why, sizeof why));
    a.device.origin[0] = b.device.origin[0] = '\0';
    assert_non_null(
        recording_apart(&a, &b, why, sizeof why)); /* two unknown machines need not be the same */
    clear(&a);
    clear(&b);
}

int main(void)
{
#define TEST(t) cmocka_unit_test_setup_teardown(t, make_folder, remove_folder)
    const struct CMUnitTest tests[] = {
        TEST(many_writers_of_one_machine_lose_nothing),
        TEST(what_changed_meanwhile_on_another_machine_stays),
        TEST(an_older_one_of_another_machine_is_replaced_and_that_is_said),
        TEST(one_that_is_newer_than_ours_stays),
        TEST(what_nobody_can_read_is_not_replaced_unseen),
        TEST(a_link_is_not_followed),
        TEST(links_go_on_until_they_are_measured_anew),
        TEST(what_may_stand_in_one_file),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
