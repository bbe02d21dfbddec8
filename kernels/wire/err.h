/* Errors that people read: a code for the caller's branch, a text for the person. */
#ifndef WD_WIRE_ERR_H
#define WD_WIRE_ERR_H

/* Codes are negative so that a function can return 0, a count, or one of these. The names double
 * as the protocol's error codes (err_name). */
enum err_code {
    ERR_OK = 0,
    ERR_IO = -1,          /* a file, pipe or socket: nothing of ours is wrong */
    ERR_BAD_REQUEST = -2, /* malformed input: content, message, command line */
    ERR_TOO_LARGE = -3,   /* a cap was passed; the text names the cap */
    ERR_VERSION = -4,
    ERR_NO_GPU = -5,
    ERR_PERMISSION = -6,
    ERR_UNSUPPORTED = -7,
    ERR_COMPILE = -8,
    ERR_LAUNCH = -9,
    ERR_FAULT = -10,
    ERR_TIMEOUT = -11,
    ERR_MEMORY = -12,
    ERR_BUSY = -13,
    ERR_LOST = -14,
    ERR_WEDGED = -15,
    ERR_INTERNAL = -16,
    ERR_CANCELLED = -17,
    ERR_MISSING = -18,    /* asked for something that does not exist: a scenario, a recording */
};

struct err {
    int code;         /* ERR_OK or one of the above */
    char text[2048];  /* UTF-8, may hold several lines (content errors show the line and a caret) */
    char call[64];    /* the library's function that failed, "" when it was none */
    const char *remedy; /* what the person should do, a constant text; NULL when nothing is known */
};

/* Stores code and text, cut to size and cleaned (text_clean); returns code, so that
 * `return err_set(...)` reads well. err may be NULL. Call and remedy of an earlier error go; to say
 * more of an error that has them, use err_reword. */
int err_set(struct err *err, int code, const char *fmt, ...) __attribute__((format(printf, 3, 4)));

/* The same, but call and remedy stay. */
int err_reword(struct err *err, int code, const char *fmt, ...)
    __attribute__((format(printf, 3, 4)));

/* Adds the call that failed and the remedy; either may be NULL, as err may. */
void err_advise(struct err *err, const char *call, const char *remedy);

/* Copies a whole error, call and remedy too; to may be NULL. Returns the code. */
int err_copy(struct err *to, const struct err *from);

/* "bad-request" for ERR_BAD_REQUEST and so on: the protocol's spelling. Never NULL. */
const char *err_name(int code);

/* The code for a protocol spelling; ERR_INTERNAL if unknown. */
int err_from_name(const char *name);

#endif
