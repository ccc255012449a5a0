#include "CBase64.h"

#if defined(__x86_64__)

#include <immintrin.h>

#define GROUP 32
#define DECODED 24

__attribute__((target("avx2"), always_inline)) static inline __m256i between(__m256i bytes, char first, char last) {
    return _mm256_and_si256(
        _mm256_cmpgt_epi8(bytes, _mm256_set1_epi8(first - 1)), _mm256_cmpgt_epi8(_mm256_set1_epi8(last + 1), bytes)
    );
}

__attribute__((target("avx2"))) static size_t decode_groups(
    const uint8_t *text, size_t count, const char last[2], uint8_t *output, size_t room, int *valid
) {
    // From 24 bits in each four bytes to three bytes in reading order.
    const __m256i bytes_in_order = _mm256_setr_epi8(
        2, 1, 0, 6, 5, 4, 10, 9, 8, 14, 13, 12, -1, -1, -1, -1,
        2, 1, 0, 6, 5, 4, 10, 9, 8, 14, 13, 12, -1, -1, -1, -1
    );
    const __m256i halves_joined = _mm256_setr_epi32(0, 1, 2, 4, 5, 6, 7, 7);
    __m256i all_known = _mm256_set1_epi8(-1);
    size_t taken = 0;
    for (; count - taken >= GROUP && room >= GROUP; taken += GROUP, output += DECODED, room -= DECODED) {
        __m256i c = _mm256_loadu_si256((const __m256i *)(text + taken));
        __m256i upper = between(c, 'A', 'Z'), lower = between(c, 'a', 'z'), digit = between(c, '0', '9');
        __m256i last_but_one = _mm256_cmpeq_epi8(c, _mm256_set1_epi8(last[0]));
        __m256i very_last = _mm256_cmpeq_epi8(c, _mm256_set1_epi8(last[1]));
        all_known = _mm256_and_si256(all_known, _mm256_or_si256(
            _mm256_or_si256(upper, lower), _mm256_or_si256(digit, _mm256_or_si256(last_but_one, very_last))
        ));
        // What is to be added to each character for its six bits.
        __m256i offset = _mm256_or_si256(
            _mm256_or_si256(
                _mm256_and_si256(upper, _mm256_set1_epi8(0 - 'A')), _mm256_and_si256(lower, _mm256_set1_epi8(26 - 'a'))
            ),
            _mm256_or_si256(
                _mm256_and_si256(digit, _mm256_set1_epi8(52 - '0')),
                _mm256_or_si256(
                    _mm256_and_si256(last_but_one, _mm256_set1_epi8((char)(62 - last[0]))),
                    _mm256_and_si256(very_last, _mm256_set1_epi8((char)(63 - last[1])))
                )
            )
        );
        __m256i six_bits = _mm256_add_epi8(c, offset);
        __m256i twelve_bits = _mm256_maddubs_epi16(six_bits, _mm256_set1_epi32(0x01400140));
        __m256i twenty_four_bits = _mm256_madd_epi16(twelve_bits, _mm256_set1_epi32(0x00011000));
        __m256i bytes = _mm256_shuffle_epi8(twenty_four_bits, bytes_in_order);
        _mm256_storeu_si256((__m256i *)output, _mm256_permutevar8x32_epi32(bytes, halves_joined));
    }
    if (_mm256_movemask_epi8(all_known) != -1) {
        *valid = 0;
    }
    return taken;
}

size_t base64_decode_groups(
    const uint8_t *text, size_t count, const char last[2], uint8_t *output, size_t room, int *valid
) {
    __builtin_cpu_init();
    return __builtin_cpu_supports("avx2") ? decode_groups(text, count, last, output, room, valid) : 0;
}

__attribute__((target("avx2"))) static size_t encode_groups(
    const uint8_t *bytes, size_t count, const char last[2], uint8_t *output
) {
    // Three bytes in reading order become the four bytes from which six bits each are taken.
    const __m256i spread = _mm256_setr_epi8(
        1, 0, 2, 1, 4, 3, 5, 4, 7, 6, 8, 7, 10, 9, 11, 10,
        1, 0, 2, 1, 4, 3, 5, 4, 7, 6, 8, 7, 10, 9, 11, 10
    );
    size_t taken = 0;
    // Each half is read as 16 bytes, of which 12 count.
    for (; count - taken >= DECODED + 4; taken += DECODED, output += GROUP) {
        __m256i b = _mm256_set_m128i(
            _mm_loadu_si128((const __m128i *)(bytes + taken + DECODED / 2)),
            _mm_loadu_si128((const __m128i *)(bytes + taken))
        );
        b = _mm256_shuffle_epi8(b, spread);
        __m256i odd = _mm256_mulhi_epu16(
            _mm256_and_si256(b, _mm256_set1_epi32(0x0FC0FC00)), _mm256_set1_epi32(0x04000040)
        );
        __m256i even = _mm256_mullo_epi16(
            _mm256_and_si256(b, _mm256_set1_epi32(0x003F03F0)), _mm256_set1_epi32(0x01000010)
        );
        __m256i six_bits = _mm256_or_si256(odd, even);
        // What is to be added to six bits for their character: a step at the beginning of each range.
        __m256i offset = _mm256_set1_epi8('A');
        offset = _mm256_add_epi8(offset, _mm256_and_si256(
            _mm256_cmpgt_epi8(six_bits, _mm256_set1_epi8(25)), _mm256_set1_epi8('a' - 26 - 'A')
        ));
        offset = _mm256_add_epi8(offset, _mm256_and_si256(
            _mm256_cmpgt_epi8(six_bits, _mm256_set1_epi8(51)), _mm256_set1_epi8('0' - 52 - ('a' - 26))
        ));
        offset = _mm256_add_epi8(offset, _mm256_and_si256(
            _mm256_cmpgt_epi8(six_bits, _mm256_set1_epi8(61)), _mm256_set1_epi8((char)(last[0] - 62 - ('0' - 52)))
        ));
        offset = _mm256_add_epi8(offset, _mm256_and_si256(
            _mm256_cmpgt_epi8(six_bits, _mm256_set1_epi8(62)), _mm256_set1_epi8((char)(last[1] - 63 - (last[0] - 62)))
        ));
        _mm256_storeu_si256((__m256i *)output, _mm256_add_epi8(six_bits, offset));
    }
    return taken;
}

size_t base64_encode_groups(const uint8_t *bytes, size_t count, const char last[2], uint8_t *output) {
    __builtin_cpu_init();
    return __builtin_cpu_supports("avx2") ? encode_groups(bytes, count, last, output) : 0;
}

#else

size_t base64_encode_groups(const uint8_t *bytes, size_t count, const char last[2], uint8_t *output) {
    (void)bytes, (void)count, (void)last, (void)output;
    return 0;
}

size_t base64_decode_groups(
    const uint8_t *text, size_t count, const char last[2], uint8_t *output, size_t room, int *valid
) {
    (void)text, (void)count, (void)last, (void)output, (void)room, (void)valid;
    return 0;
}

#endif
