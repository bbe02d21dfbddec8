/* What formula_parse.c hands to formula.c: a tree of nodes in one array, and the tokens for showing
 * it again. */
#ifndef WD_SCENARIOS_FORMULA_NODE_H
#define WD_SCENARIOS_FORMULA_NODE_H

#include "scenarios/formula/formula.h"

#define FORMULA_BYTES 1024
#define FORMULA_DEPTH 64

enum op {
    OP_NUMBER,
    OP_NAME,
    OP_CALL,
    OP_NEGATE,
    OP_NOT,
    OP_ADD,
    OP_SUB,
    OP_MUL,
    OP_DIV,
    OP_MOD,
    OP_POW,
    OP_LT,
    OP_LE,
    OP_GT,
    OP_GE,
    OP_EQ,
    OP_NE,
    OP_AND,
    OP_OR
};
enum func {
    FUNC_MIN,
    FUNC_MAX,
    FUNC_CEIL,
    FUNC_FLOOR,
    FUNC_ROUND,
    FUNC_SQRT,
    FUNC_LOG2,
    FUNC_ABS,
    FUNC_CEILDIV,
    FUNC_ROUNDUP,
    FUNC_IF,
    FUNC_EXP,
    FUNC_LN,
    FUNC_GCD,
    FUNC_COMB,
    FUNC_XOR,
    FUNC_COUNT
};

struct node {
    enum op op;
    enum func func;
    int column,
        end; /* 1-based byte column of what an error is about; where its text ends (exclusive) */
    int child[2]; /* indices, -1 none; of a call the first argument alone, the others follow by
                     `next` */
    int next;                  /* the next argument of the call that this node stands in, or -1 */
    struct quantity number;
    char *name;                /* OP_NAME */
};

struct formula {
    char *text;
    struct node *node;
    int n, root;
};

const char *func_name(enum func f);

#endif
