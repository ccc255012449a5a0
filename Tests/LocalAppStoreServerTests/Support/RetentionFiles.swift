/// The dimensions and checksums of a PNG file of 3840 × 160 pixels, without pixels.
let fullSizeFile = file(header: [0, 0, 15, 0, 0, 0, 0, 160, 8, 2, 0, 0, 0])

/// The same for 1024 × 1024 pixels, as for a bullet point.
let bulletPointFile = file(header: [0, 0, 4, 0, 0, 0, 4, 0, 8, 2, 0, 0, 0])

private func file(header: [UInt8]) -> [UInt8] {
    [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A] + part("IHDR", header) + part("IDAT", [0]) + part("IEND", [])
}

private func part(_ name: String, _ content: [UInt8]) -> [UInt8] {
    let checked = Array(name.utf8) + content
    var register: UInt32 = .max
    for byte in checked {
        register ^= UInt32(byte)
        for _ in 0..<8 { register = register & 1 == 0 ? register >> 1 : register >> 1 ^ 0xEDB8_8320 }
    }
    return [0, 0, 0, UInt8(content.count)] + checked
        + [24, 16, 8, 0].map { UInt8(truncatingIfNeeded: ~register >> $0) }
}

/// A UUID that ends with a number.
func uuid(_ number: Int) -> String {
    let digits = String(number)
    return "0a0b0c0d-0000-4000-8000-" + String(repeating: "0", count: 12 - digits.count) + digits
}
