#ifndef C_BASE64_H
#define C_BASE64_H

#include <stddef.h>
#include <stdint.h>

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
