/* Where a pack comes from: git checkouts made of plain files, odd and hostile ones too, worktrees, what came with the program; and real git where it is. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "kernels/wire/text.h"
#include "scenarios/library/origin.h"

#define COMMIT "1a2b3c4d5e6f708192a3b4c5d6e7f8091a2b3c4d"
#define OTHER "ffffffffffffffffffffffffffffffffffffffff"

static char folder[64];

static int setup(void **state)
{
    (void)state;
    snprintf(folder, sizeof folder, "/tmp/warpdrill-origin-XXXXXX");
    setenv("WARPDRILL_CONTENT", "/nowhere", 1);
    return mkdtemp(folder) ? 0 : -1;
}

static int teardown(void **state)
{
    char command[128];
    (void)state;
    snprintf(command, sizeof command, "rm -rf '%s'", folder);
    return system(command);
}

/* A file below the folder, with the folders above it. */
static void put_bytes(const char *name, const char *text, size_t n)
{
    char *path = text_format("%s/%s", folder, name);
    for (char *slash = path + strlen(folder) + 1; (slash = strchr(slash, '/')); *slash++ = '/') {
        *slash = '\0';
        mkdir(path, 0700);
    }
    FILE *f = fopen(path, "w");
    assert_non_null(f);
    assert_int_equal(fwrite(text, 1, n, f), n);
    fclose(f);
    free(path);
}

static void put(const char *name, const char *text)
{
    put_bytes(name, text, strlen(text));
}

static void make(const char *name)
{
    char *keep = text_format("%s/.keep", name);
    put(keep, "");
    free(keep);
}

static struct origin origin(const char *name)
{
    struct origin o;
    char *path = text_format("%s/%s", folder, name);
    origin_find(&o, path);
    free(path);
    return o;
}

static void says(const char *name, const char *expected)
{
    char words[600];
    struct origin o = origin(name);
    origin_words(words, sizeof words, &o);
    assert_string_equal(words, expected);
    origin_free(&o);
}

static void a_plain_folder(void **state)
{
    (void)state;
    make("packs/mine");
    char *expected = text_format("%s/packs/mine", folder);
    says("packs/mine", expected);
    struct origin o = origin("packs/../packs/mine");
    assert_int_equal(o.kind, ORIGIN_FOLDER);
    assert_string_equal(o.folder, expected);
    json_t *obj = origin_encode(&o);
    assert_string_equal(json_string_value(json_object_get(obj, "kind")), "folder");
    assert_null(json_object_get(obj, "commit"));
    json_decref(obj);
    origin_free(&o);
    free(expected);
}

static void a_checkout(void **state)
{
    (void)state;
    make("work/packs/mine");
    put("work/.git/HEAD", "ref: refs/heads/feature/x\n");
    put("work/.git/refs/heads/feature/x", COMMIT "\n");
    put("work/.git/config", "[core]\n\tbare = false\n[remote \"origin\"]\n\turl = git@example.com:team/packs.git\n\tfetch = +x\n");
    says("work/packs/mine", "git: example.com:team/packs.git, feature/x, 1a2b3c4d5e6f");
    struct origin o = origin("work/packs/mine");
    json_t *obj = origin_encode(&o);
    assert_string_equal(json_string_value(json_object_get(obj, "kind")), "git");
    assert_string_equal(json_string_value(json_object_get(obj, "branch")), "feature/x");
    assert_string_equal(json_string_value(json_object_get(obj, "commit")), "1a2b3c4d5e6f");
    json_decref(obj);
    origin_free(&o);
}

static void other_states_of_head(void **state)
{
    (void)state;
    make("w/p");
    char *top = text_format("git: %s/w/p", folder), *words;
    put("w/.git/HEAD", COMMIT "\n");                            /* detached */
    words = text_format("%s, 1a2b3c4d5e6f", top);
    says("w/p", words);
    free(words);
    put("w/.git/HEAD", "ref: refs/heads/main\n");               /* before the first commit */
    words = text_format("%s, main", top);
    says("w/p", words);
    free(words);
    put("w/.git/packed-refs", "# pack-refs with: peeled fully-peeled sorted\n" OTHER " refs/heads/main2\n" COMMIT " refs/heads/main\n^" OTHER "\n");
    words = text_format("%s, main, 1a2b3c4d5e6f", top);
    says("w/p", words);
    free(words);
    put("w/.git/refs/heads/main", OTHER "\n");                  /* the loose one is newer */
    words = text_format("%s, main, ffffffffffff", top);
    says("w/p", words);
    free(words);
    put("w/.git/HEAD", "ref: refs/heads/.invalid\n");           /* refs kept in another form */
    says("w/p", top);
    free(top);
}

static void worktrees_and_submodules(void **state)
{
    (void)state;
    make("tree/packs/mine");
    put("main/.git/HEAD", "ref: refs/heads/main\n");
    put("main/.git/refs/heads/side", COMMIT "\n");
    put("main/.git/config", "[remote \"origin\"]\n  url = https://example.com/team/packs\n");
    put("main/.git/worktrees/tree/HEAD", "ref: refs/heads/side\n");
    put("main/.git/worktrees/tree/commondir", "../..\n");
    put("tree/.git", "gitdir: ../main/.git/worktrees/tree\n");
    says("tree/packs/mine", "git: https://example.com/team/packs, side, 1a2b3c4d5e6f");
    char *absolute = text_format("gitdir: %s/main/.git/worktrees/tree\n", folder);
    put("tree/.git", absolute);
    says("tree/packs/mine", "git: https://example.com/team/packs, side, 1a2b3c4d5e6f");
    free(absolute);
}

static void the_nearest_checkout_counts(void **state)
{
    (void)state;
    make("outer/inner/p");
    put("outer/.git/HEAD", OTHER "\n");
    put("outer/inner/.git/HEAD", COMMIT "\n");
    struct origin o = origin("outer/inner/p");
    assert_string_equal(o.checkout.commit, "1a2b3c4d5e6f");
    origin_free(&o);
}

static void remote(const char *config, const char *expected)
{
    put("r/.git/config", config);
    struct origin o = origin("r/p");
    if (strcmp(o.checkout.remote, expected))
        fail_msg("%s\nexpected: %s\nsaid: %s", config, expected, o.checkout.remote);
    origin_free(&o);
}

static void remotes_lose_their_secrets(void **state)
{
    (void)state;
    make("r/p");
    put("r/.git/HEAD", "ref: refs/heads/main\n");
    remote("[remote \"origin\"]\nurl = https://me:secret@example.com/a/b.git\n", "https://example.com/a/b.git");
    remote("[remote \"origin\"]\nurl = https://token@example.com/a/b.git?key=secret#x\n", "https://example.com/a/b.git");
    remote("[remote \"origin\"]\nurl = https://me:se@cr@example.com/a\n", "https://example.com/a");
    remote("[remote \"origin\"]\nurl = https://me:se/cret@example.com/a\n", "https://example.com/a");
    remote("[remote \"origin\"]\nurl = ssh://git@example.com:22/a\n", "ssh://example.com:22/a");
    remote("[remote \"origin\"]\nurl = me:secret@example.com:a\n", "example.com:a");
    remote("[remote \"origin\"]\nurl = example.com:team@v2/x\n", "example.com:team@v2/x");
    remote("[remote \"origin\"]\nurl = /srv/git/packs@v2\n", "/srv/git/packs@v2");
    remote("[remote \"origin\"]\n\tURL = \"https://example.com/a b\" ; a comment\n", "https://example.com/a b");
    remote("[remote \"origin\"]\nurl = https://one\nurl = https://two\n", "https://two");
    remote("[remote \"up\"]\nurl = https://up\n[remote \"more\"]\nurl = https://more\n", "https://up");
    remote("[remote \"origin\"]\nurl = https://origin\n[remote \"up\"]\nurl = https://up\n[branch \"main\"]\nremote = up\n", "https://up");
    remote("[remote \"origin\"]\nurlish = x\n[core]\nurl = y\n", "");
    remote("[remote \"origin\"]\nurl = \n", "");
    remote("url\n[\n[remote \"\nurl=x\n[remote \"origin\"\nurl = https://cut", "https://cut");
    remote("[remote \"origin\"]\nurl = https://x/\x1b[31m\xff\n", "https://x/?[31m?");
}

static void odd_files_harm_nobody(void **state)
{
    char *path = NULL, long_line[9000];
    (void)state;
    make("odd/p");
    put("odd/.git", "");                                        /* a file that points nowhere */
    struct origin o = origin("odd/p");
    assert_int_equal(o.kind, ORIGIN_FOLDER);
    origin_free(&o);
    put("odd/.git", "gitdir: /no/such/place\n");
    o = origin("odd/p");
    assert_int_equal(o.kind, ORIGIN_FOLDER);
    origin_free(&o);
    path = text_format("%s/odd/.git", folder);
    assert_int_equal(unlink(path), 0);
    free(path);
    put("odd/.git/HEAD", "ref: ../../secret\n");                /* a ref is no way out of the folder */
    put("odd/secret", COMMIT "\n");
    o = origin("odd/p");
    assert_string_equal(o.checkout.commit, "");
    origin_free(&o);
    put("odd/.git/HEAD", "ref: refs/heads/../../../secret\n");
    o = origin("odd/p");
    assert_string_equal(o.checkout.commit, "");
    origin_free(&o);
    put_bytes("odd/.git/HEAD", "ref: refs/heads/m\0ain\n", 22);
    put("odd/.git/refs/heads/m", "1234\n");                     /* no commit */
    put("odd/.git/packed-refs", COMMIT);
    put_bytes("odd/.git/config", "[remote \"origin\"]\nurl = \0x", 26);
    o = origin("odd/p");
    assert_int_equal(o.kind, ORIGIN_GIT);
    assert_string_equal(o.checkout.commit, "");
    origin_free(&o);
    memset(long_line, 'a', sizeof long_line - 1);
    long_line[sizeof long_line - 1] = '\0';
    put("odd/.git/HEAD", long_line);
    put("odd/.git/config", long_line);
    put("odd/.git/commondir", long_line);
    o = origin("odd/p");
    assert_int_equal(o.kind, ORIGIN_GIT);
    origin_free(&o);
    path = text_format("%s/odd/.git/HEAD", folder);
    assert_int_equal(unlink(path), 0);
    assert_int_equal(mkfifo(path, 0600), 0);                    /* nobody waits for it */
    o = origin("odd/p");
    assert_string_equal(o.checkout.branch, "");
    origin_free(&o);
    free(path);
}

static void what_came_with_the_program(void **state)
{
    (void)state;
    make("share/packs/ours");
    make("share/packs2/theirs");
    make("share/drills/measured");
    make("elsewhere/linked");
    char *content = text_format("%s/share/packs", folder), *there = text_format("%s/elsewhere/linked", folder), *link = text_format("%s/linked", content);
    char *drills = text_format("%s/share/drills", folder);
    setenv("WARPDRILL_CONTENT", content, 1);
    assert_int_equal(symlink(there, link), 0);
    says("share/packs/ours", "shipped");
    assert_true(origin_shipped(drills));
    struct origin o = origin("share/packs2/theirs");            /* a longer name is another folder */
    assert_int_equal(o.kind, ORIGIN_FOLDER);
    origin_free(&o);
    o = origin("share/packs/linked");                           /* a link leads out */
    assert_int_equal(o.kind, ORIGIN_FOLDER);
    origin_free(&o);
    assert_false(origin_shipped("/no/such/folder"));
    free(content);
    free(there);
    free(link);
    free(drills);
}

static void agrees_with_git(void **state)
{
    (void)state;
    if (system("command -v git >/dev/null 2>&1") != 0) {
        print_message("# git is not here: not compared\n");
        return;
    }
    char *script = text_format("cd '%s' && export HOME='%s' GIT_CONFIG_NOSYSTEM=1 && git init -q real && cd real && git checkout -q -b topic && mkdir -p packs/p && "
                               "echo x > packs/p/pack.yaml && git add . && git -c user.name=a -c user.email=a@example.com commit -q -m x && "
                               "git remote add origin https://me:secret@example.com/team.git && git worktree add -q ../side -b other && git pack-refs --all && "
                               "git rev-parse HEAD > ../expected", folder, folder);
    assert_int_equal(system(script), 0);
    free(script);
    char expected[13] = "", *path = text_format("%s/expected", folder);
    FILE *f = fopen(path, "r");
    assert_non_null(f);
    assert_non_null(fgets(expected, sizeof expected, f));
    fclose(f);
    free(path);
    struct origin o = origin("real/packs/p");
    assert_string_equal(o.checkout.commit, expected);
    assert_string_equal(o.checkout.branch, "topic");
    assert_string_equal(o.checkout.remote, "https://example.com/team.git");
    origin_free(&o);
    o = origin("side/packs/p");
    assert_string_equal(o.checkout.commit, expected);
    assert_string_equal(o.checkout.branch, "other");
    assert_string_equal(o.checkout.remote, "https://example.com/team.git");
    origin_free(&o);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(a_plain_folder, setup, teardown),
        cmocka_unit_test_setup_teardown(a_checkout, setup, teardown),
        cmocka_unit_test_setup_teardown(other_states_of_head, setup, teardown),
        cmocka_unit_test_setup_teardown(worktrees_and_submodules, setup, teardown),
        cmocka_unit_test_setup_teardown(the_nearest_checkout_counts, setup, teardown),
        cmocka_unit_test_setup_teardown(remotes_lose_their_secrets, setup, teardown),
        cmocka_unit_test_setup_teardown(odd_files_harm_nobody, setup, teardown),
        cmocka_unit_test_setup_teardown(what_came_with_the_program, setup, teardown),
        cmocka_unit_test_setup_teardown(agrees_with_git, setup, teardown),
    };
    return cmocka_run_group_tests_name("origin", tests, NULL, NULL);
}
