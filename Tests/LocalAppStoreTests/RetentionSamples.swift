import AppStoreModel
import LocalAppStore

/// The chunks of a PNG file without its pixels.
func pngFile(width: Int, height: Int, colourType: UInt8 = 2, parts: [(String, [UInt8])] = []) -> [UInt8] {
    let header = bigEndian(UInt32(width)) + bigEndian(UInt32(height)) + [8, colourType, 0, 0, 0]
    let all = [("IHDR", header)] + parts + [("IDAT", [0]), ("IEND", [])]
    return [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A] + all.flatMap { pngPart($0.0, $0.1) }
}

/// One chunk of a PNG file, with its checksum.
func pngPart(_ name: String, _ content: [UInt8]) -> [UInt8] {
    let checked = Array(name.utf8) + content
    // Bit by bit, as the standard describes it.
    var register: UInt32 = .max
    for byte in checked {
        register ^= UInt32(byte)
        for _ in 0..<8 { register = register & 1 == 0 ? register >> 1 : register >> 1 ^ 0xEDB8_8320 }
    }
    return bigEndian(UInt32(content.count)) + checked + bigEndian(~register)
}

private func bigEndian(_ number: UInt32) -> [UInt8] {
    [24, 16, 8, 0].map { UInt8(truncatingIfNeeded: number >> $0) }
}

/// An image for a message, with the minimum height.
let fullSizeFile = pngFile(width: 3840, height: 160)

/// An image of a bullet point.
let bulletPointFile = pngFile(width: 1024, height: 1024)

/// A UUID that ends with a number.
func uuid(_ number: Int) -> String {
    let digits = String(number)
    return "0a0b0c0d-0000-4000-8000-" + String(repeating: "0", count: 12 - digits.count) + digits
}

extension UploadMessageRequestBody {
    /// A short message.
    static let stay = UploadMessageRequestBody(header: "Stay", body: "We would miss you.")
}

extension LocalAppStore {
    /// Uploads a short message.
    mutating func uploadStay(_ number: Int) throws {
        try uploadMessage(uuid(number), request: .stay)
    }
}
