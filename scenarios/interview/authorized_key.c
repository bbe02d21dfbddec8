#include "scenarios/interview/authorized_key.h"

#include <errno.h>
#include <sodium.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "kernels/wire/path.h"
#include "kernels/wire/text.h"

enum { KEY_MOST = 16 * 1024 };

static const char letters[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789";

/* sshd takes the text between double quotes and gives it to the account's shell. What either reads
 * as more than a letter is refused or quoted. */
static int command_make(char **out, const char *program, const char *code, struct err *err)
{
    char plain[128], of_code[80];
    snprintf(plain, sizeof plain, "%s/._+-", letters);
    snprintf(of_code, sizeof of_code, "%s-", letters);
    if (*program != '/' || strpbrk(program, "'\"\\\n\r") ||
        text_first_bad(program, strlen(program)) != strlen(program))
        return err_set(err, ERR_BAD_REQUEST,
                       "the path of this program cannot stand in an authorized_keys line: %s",
                       program);
    if (!*code || code[strspn(code, of_code)])
        return err_set(err, ERR_BAD_REQUEST, "that is no code");
    const char *quote = program[strspn(program, plain)] ? "'" : "";
    *out = text_format("%s%s%s join %s", quote, program, quote, code);
    return 0;
}

static int file_read(char *out, const char *path, struct err *err)
{
    FILE *f;
    int rc = path_open_stream(&f, path, err);
    if (rc)
        return rc;
    size_t n = fread(out, 1, KEY_MOST, f);
    int failed = ferror(f) ? errno : 0;
    fclose(f);
    if (failed)
        return err_set(err, ERR_IO, "cannot read %s: %s", path, strerror(failed));
    while (n > 0 && (out[n - 1] == '\n' || out[n - 1] == '\r'))
        n--;
    out[n] = '\0';
    if (strstr(out, "PRIVATE KEY"))
        return err_set(err, ERR_BAD_REQUEST,
                       "%s is a private key, which nobody but its owner should have; the file that "
                       "ends in .pub is meant",
                       path);
    if (n == 0 || n == KEY_MOST || strlen(out) != n || text_first_bad(out, n) != n ||
        strchr(out, '\n'))
        return err_set(err, ERR_BAD_REQUEST, "%s is not one line with a public key", path);
    return 0;
}

/* The key's own bytes begin with the name of its type. */
static bool blob_is(const char *base64, const char *type)
{
    unsigned char blob[KEY_MOST];
    size_t n, k = strlen(type);
    if (sodium_base642bin(blob, sizeof blob, base64, strlen(base64), NULL, &n, NULL,
                          sodium_base64_VARIANT_ORIGINAL) != 0)
        return false;
    return n > k + 4 && blob[0] == 0 && blob[1] == 0 && blob[2] == 0 && blob[3] == k &&
           !memcmp(blob + 4, type, k);
}

static int key_take(char **type, char **base64, char *line, const char *path, struct err *err)
{
    static const char *const known[] = {"ssh-ed25519",
                                        "sk-ssh-ed25519@openssh.com",
                                        "ecdsa-sha2-nistp256",
                                        "ecdsa-sha2-nistp384",
                                        "ecdsa-sha2-nistp521",
                                        "sk-ecdsa-sha2-nistp256@openssh.com",
                                        "ssh-rsa"};
    char *rest = line;
    *type = strtok_r(rest, " \t", &rest);
    *base64 = strtok_r(rest, " \t", &rest);
    for (size_t i = 0; *type && *base64 && i < sizeof known / sizeof *known; i++)
        if (!strcmp(*type, known[i]) && blob_is(*base64, known[i]))
            return 0;
    return err_set(err, ERR_BAD_REQUEST,
                   "%s does not begin with a public key such as \"ssh-ed25519 AAAA...\"", path);
}

int authorized_key_line(char **out, const char *program, const char *code, const char *file,
                     struct err *err)
{
    char line[KEY_MOST + 1], *type = NULL, *base64 = NULL, *command = NULL;
    int rc = command_make(&command, program, code, err);
    if (rc == 0 && file)
        rc = file_read(line, file, err);
    if (rc == 0 && file)
        rc = key_take(&type, &base64, line, file, err);
    if (rc == 0)
        *out = text_format("restrict,pty,command=\"%s\" %s %s", command,
                           type ? type : "the-candidate's", base64 ? base64 : "public-key");
    free(command);
    return rc;
}
