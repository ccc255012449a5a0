// SHA-256 on LANES messages, compiled for INSTRUCTIONS; included once for each number of lanes. The lane l of every
// vector belongs to the message l, so that the rounds read as in FIPS 180-4.

#define LANES multi_buffer_sha256_lanes

_Static_assert(LANES == 8, "the transposition is written for eight lanes");

typedef uint32_t NAMED(words) __attribute__((vector_size(LANES * 4)));

#define WORDS NAMED(words)
#define INLINE __attribute__((target(INSTRUCTIONS), always_inline)) static inline

INLINE WORDS NAMED(rotated)(WORDS x, int bits) {
    return (x >> bits) | (x << (32 - bits));
}

#define ROTATED NAMED(rotated)

/// Turns rows, each with words of one message, into columns, each with one word of every message.
INLINE void NAMED(transpose)(WORDS *rows) {
#define MASK(...) __VA_ARGS__
#define EXCHANGE(stride, low, high)                                     \
    for (int i = 0; i < LANES; i++) {                                   \
        if (i & stride) continue;                                       \
        WORDS x = rows[i], y = rows[i + stride];                        \
        rows[i] = __builtin_shufflevector(x, y, low);                   \
        rows[i + stride] = __builtin_shufflevector(x, y, high);         \
    }
    EXCHANGE(4, MASK(0, 1, 2, 3, 8, 9, 10, 11), MASK(4, 5, 6, 7, 12, 13, 14, 15))
    EXCHANGE(2, MASK(0, 1, 8, 9, 4, 5, 12, 13), MASK(2, 3, 10, 11, 6, 7, 14, 15))
    EXCHANGE(1, MASK(0, 8, 2, 10, 4, 12, 6, 14), MASK(1, 9, 3, 11, 5, 13, 7, 15))
#undef EXCHANGE
#undef MASK
}

__attribute__((target(INSTRUCTIONS))) static void NAMED(compress)(
    uint32_t *states, const uint8_t *const *messages, size_t blocks
) {
    WORDS state[8];
    memcpy(state, states, sizeof state);
    for (size_t block = 0; block < blocks; block++) {
        WORDS w[16];
        for (int part = 0; part < 16; part += LANES) {
            for (int lane = 0; lane < LANES; lane++) {
                memcpy(&w[part + lane], messages[lane] + 64 * block + 4 * part, sizeof w[0]);
            }
            NAMED(transpose)(w + part);
        }
        // Messages are big-endian, these processors are not.
        for (int i = 0; i < 16; i++) {
            w[i] = (ROTATED(w[i], 8) & 0xff00ff00) | (ROTATED(w[i], 24) & 0x00ff00ff);
        }
        WORDS a = state[0], b = state[1], c = state[2], d = state[3];
        WORDS e = state[4], f = state[5], g = state[6], h = state[7];
#pragma clang loop unroll(full)
        for (int t = 0; t < 64; t++) {
            if (t >= 16) {
                WORDS w15 = w[(t - 15) & 15], w2 = w[(t - 2) & 15];
                w[t & 15] += w[(t - 7) & 15] + (ROTATED(w15, 7) ^ ROTATED(w15, 18) ^ (w15 >> 3))
                    + (ROTATED(w2, 17) ^ ROTATED(w2, 19) ^ (w2 >> 10));
            }
            WORDS t1 = h + (ROTATED(e, 6) ^ ROTATED(e, 11) ^ ROTATED(e, 25)) + ((e & f) ^ (~e & g))
                + round_constants[t] + w[t & 15];
            WORDS t2 = (ROTATED(a, 2) ^ ROTATED(a, 13) ^ ROTATED(a, 22)) + ((a & b) ^ (a & c) ^ (b & c));
            h = g, g = f, f = e, e = d + t1, d = c, c = b, b = a, a = t1 + t2;
        }
        state[0] += a, state[1] += b, state[2] += c, state[3] += d;
        state[4] += e, state[5] += f, state[6] += g, state[7] += h;
    }
    memcpy(states, state, sizeof state);
}

#undef LANES
#undef WORDS
#undef INLINE
#undef ROTATED
