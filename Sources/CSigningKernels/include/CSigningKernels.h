#ifndef C_SIGNING_KERNELS_H
#define C_SIGNING_KERNELS_H

#include <stddef.h>
#include <stdint.h>

/// How many messages `multi_buffer_sha256` takes.
enum { multi_buffer_sha256_lanes = 8 };

/// The compression function of SHA-256 (FIPS 180-4, section 6.2.2) on eight messages side by side, one in each lane of the
/// processor's vectors.
///
/// `states` holds the eight words of every lane, word by word: the word `i` of the lane `l` is `states[i * 8 + l]`.
/// `messages` holds a pointer for each lane, from where `blocks` times 64 bytes are read. Padding is the caller's.
typedef void (*multi_buffer_sha256)(uint32_t *states, const uint8_t *const *messages, size_t blocks);

/// The form with the rotations of AVX-512 (0) or with AVX2 (1); NULL for other numbers and where the processor cannot.
multi_buffer_sha256 multi_buffer_sha256_form(int form);

/// Whether the processor has instructions for SHA-256, with which one message after the other is as fast.
int has_sha256_instructions(void);

/// Decodes base64 (RFC 4648), 32 characters to 24 bytes at a time, as far as whole such groups go and `output` has 32
/// bytes of room for each.
///
/// `last` holds the alphabet's last two characters. Returns how many characters were taken, a multiple of 32, and clears
/// `*valid` when one of them is outside the alphabet. Takes none where the processor has no instructions for it.
size_t base64_decode_groups(
    const uint8_t *text, size_t count, const char last[2], uint8_t *output, size_t room, int *valid
);

/// Encodes bytes as base64 (RFC 4648), 24 bytes to 32 characters at a time, as far as such groups go with 4 bytes behind them.
///
/// `last` holds the alphabet's last two characters; `output` has room for four characters for each three bytes. Returns
/// how many bytes were taken, a multiple of 24; none where the processor has no instructions for it.
size_t base64_encode_groups(const uint8_t *bytes, size_t count, const char last[2], uint8_t *output);

#endif
