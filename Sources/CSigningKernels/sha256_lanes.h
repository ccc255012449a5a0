// SHA-256 on LANES messages, compiled for INSTRUCTIONS; included once for each number of lanes. The lane l of every
// vector belongs to the message l, so that the rounds read as in FIPS 180-4.

#define LANES multi_buffer_sha256_lanes

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
#if LANES == 16
    EXCHANGE(8, MASK(0, 1, 2, 3, 4, 5, 6, 7, 16, 17, 18, 19, 20, 21, 22, 23),
             MASK(8, 9, 10, 11, 12, 13, 14, 15, 24, 25, 26, 27, 28, 29, 30, 31))
    EXCHANGE(4, MASK(0, 1, 2, 3, 16, 17, 18, 19, 8, 9, 10, 11, 24, 25, 26, 27),
             MASK(4, 5, 6, 7, 20, 21, 22, 23, 12, 13, 14, 15, 28, 29, 30, 31))
    EXCHANGE(2, MASK(0, 1, 16, 17, 4, 5, 20, 21, 8, 9, 24, 25, 12, 13, 28, 29),
             MASK(2, 3, 18, 19, 6, 7, 22, 23, 10, 11, 26, 27, 14, 15, 30, 31))
    EXCHANGE(1, MASK(0, 16, 2, 18, 4, 20, 6, 22, 8, 24, 10, 26, 12, 28, 14, 30),
             MASK(1, 17, 3, 19, 5, 21, 7, 23, 9, 25, 11, 27, 13, 29, 15, 31))
#else
    EXCHANGE(4, MASK(0, 1, 2, 3, 8, 9, 10, 11), MASK(4, 5, 6, 7, 12, 13, 14, 15))
    EXCHANGE(2, MASK(0, 1, 8, 9, 4, 5, 12, 13), MASK(2, 3, 10, 11, 6, 7, 14, 15))
    EXCHANGE(1, MASK(0, 8, 2, 10, 4, 12, 6, 14), MASK(1, 9, 3, 11, 5, 13, 7, 15))
#endif
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
