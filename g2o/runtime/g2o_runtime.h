/* What the derivatives that g2o writes need of C: tapes, on which an iteration keeps values that its
 * reverse sweep reads back, last in first out. */
#ifndef G2O_RUNTIME_H
#define G2O_RUNTIME_H

#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* The first values lie in the tape itself, the others in memory that doubles. */
#define G2O_TAPE(T, NAME)                                                                          \
    typedef struct {                                                                               \
        size_t size, capacity;                                                                     \
        T *more, own[16];                                                                          \
    } g2o_tape_##NAME;                                                                             \
                                                                                                   \
    static inline void g2o_push_##NAME(g2o_tape_##NAME *tape, T value)                             \
    {                                                                                              \
        if (tape->size < 16) {                                                                     \
            tape->own[tape->size++] = value;                                                       \
            return;                                                                                \
        }                                                                                          \
        if (tape->size - 16 == tape->capacity) {                                                   \
            const size_t capacity = tape->capacity == 0 ? 64 : 2 * tape->capacity;                 \
            T *more = (T *)realloc(tape->more, capacity * sizeof(T));                              \
            if (more == NULL) {                                                                    \
                fprintf(stderr, "g2o: no memory for a tape of %zu values\n", capacity);            \
                abort();                                                                           \
            }                                                                                      \
            tape->more = more;                                                                     \
            tape->capacity = capacity;                                                             \
        }                                                                                          \
        tape->more[tape->size++ - 16] = value;                                                     \
    }                                                                                              \
                                                                                                   \
    static inline T g2o_pop_##NAME(g2o_tape_##NAME *tape)                                          \
    {                                                                                              \
        --tape->size;                                                                              \
        return tape->size < 16 ? tape->own[tape->size] : tape->more[tape->size - 16];              \
    }                                                                                              \
                                                                                                   \
    static inline void g2o_free_##NAME(g2o_tape_##NAME *tape) { free(tape->more); }

G2O_TAPE(double, double)
G2O_TAPE(float, float)
G2O_TAPE(int, int)
G2O_TAPE(unsigned int, unsigned_int)
G2O_TAPE(long, long)
G2O_TAPE(unsigned long, unsigned_long)
G2O_TAPE(_Bool, Bool)

#undef G2O_TAPE

/* Values of one type whatever it is, such as a structure: who pushes and pops knows it. */
typedef struct {
    size_t size, capacity;
    char *more;
} g2o_tape_values;

static inline void g2o_push_values(g2o_tape_values *tape, const void *value, size_t bytes)
{
    if (tape->size == tape->capacity) {
        const size_t capacity = tape->capacity == 0 ? 16 : 2 * tape->capacity;
        char *more = (char *)realloc(tape->more, capacity * bytes);
        if (more == NULL) {
            fprintf(stderr, "g2o: no memory for a tape of %zu values\n", capacity);
            abort();
        }
        tape->more = more;
        tape->capacity = capacity;
    }
    memcpy(tape->more + tape->size++ * bytes, value, bytes);
}

/* Where the last value is, until the next one is pushed. */
static inline void *g2o_pop_values(g2o_tape_values *tape, size_t bytes)
{
    return tape->more + --tape->size * bytes;
}

static inline void g2o_free_values(g2o_tape_values *tape) { free(tape->more); }

/* What parallel loops keep: a block of memory for each time that one runs, last in first out. */
typedef struct {
    size_t size, capacity;
    void **blocks;
} g2o_stack;

static inline void *g2o_checked(void *memory)
{
    if (memory == NULL) {
        fprintf(stderr, "g2o: no memory for what a loop keeps\n");
        abort();
    }
    return memory;
}

/* More than there can be is the size of an array in a branch that is not taken: nobody uses it. */
static inline void *g2o_zeros(size_t bytes)
{
    return bytes > PTRDIFF_MAX ? NULL : g2o_checked(calloc(bytes > 0 ? bytes : 1, 1));
}

#ifdef _OPENMP
#define G2O_IN_TURN _Pragma("omp critical(g2o_sums)")
#else
#define G2O_IN_TURN
#endif

/* Sums of one thread are added to those of all. */
#define G2O_SUMS(type)                                                             \
    static inline void g2o_add_sums_##type(type *sums, type *own, ptrdiff_t count) \
    {                                                                              \
        G2O_IN_TURN                                                                \
        for (ptrdiff_t i = 0; i < count; ++i)                                      \
            sums[i] += own[i];                                                     \
        free(own);                                                                 \
    }
G2O_SUMS(float)
G2O_SUMS(double)

static inline void g2o_clear(void *memory, size_t bytes) { memset(memory, 0, bytes); }

static inline void *g2o_keep(g2o_stack *stack, ptrdiff_t count, size_t size)
{
    void *block = g2o_checked(calloc(count > 0 ? (size_t)count : 1, size));
    if (stack->size == stack->capacity) {
        stack->capacity = stack->capacity == 0 ? 16 : 2 * stack->capacity;
        stack->blocks =
            (void **)g2o_checked(realloc(stack->blocks, stack->capacity * sizeof(void *)));
    }
    stack->blocks[stack->size++] = block;
    return block;
}

static inline void *g2o_take(g2o_stack *stack) { return stack->blocks[--stack->size]; }

static inline void g2o_free_stack(g2o_stack *stack)
{
    while (stack->size > 0)
        free(stack->blocks[--stack->size]);
    free(stack->blocks);
}
#endif
