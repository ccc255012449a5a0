import CZlib
import Foundation
import PerennialPrimitives
package import SubscriptionStorage

/// The stored form of a receipt: compressed without loss.
///
/// Base64 text compresses badly, so it is decoded first if encoding it again gives the same text. The stored bytes are
/// a form number, the length before compression (four bytes, big-endian), and a zlib stream.
package struct CompressedReceipt: Hashable, Sendable {
    private enum Form: UInt8 {
        /// The original text.
        case text = 0
        /// The bytes of base64 text with padding and without line breaks.
        case base64 = 1
    }

    /// The maximum length before compression; larger than any request body.
    private static let lengthMax = 16 << 20
    private static let headBytes = 5

    /// The stored bytes.
    package let bytes: [UInt8]

    /// Compresses a receipt.
    ///
    /// - Throws: ``StorageError`` with `storage_failed` if it is too long or zlib has no memory.
    package init(_ text: String) throws(StorageError) {
        var form = Form.text
        var content = Array(text.utf8)
        if let decoded = Base64.decode(content, .standard) {
            form = .base64
            content = decoded
        }
        guard content.count <= Self.lengthMax else { throw Self.failure("\(content.count) bytes are too many") }
        var size = compressBound(uLong(content.count))
        var compressed = [UInt8](repeating: 0, count: Int(size))
        let status = compress2(&compressed, &size, content, uLong(content.count), Z_DEFAULT_COMPRESSION)
        guard status == Z_OK else { throw Self.failure("zlib ended with \(status)") }
        let length = (0..<4).reversed().map { UInt8(truncatingIfNeeded: content.count >> ($0 * 8)) }
        bytes = [form.rawValue] + length + compressed.prefix(Int(size))
    }

    /// Wraps stored bytes.
    package init(bytes: [UInt8]) {
        self.bytes = bytes
    }

    /// The original receipt.
    ///
    /// - Throws: ``StorageError`` with `storage_corrupt` if the bytes are not a receipt.
    package func text() throws(StorageError) -> String {
        guard bytes.count > Self.headBytes, let form = Form(rawValue: bytes[0]) else { throw Self.unreadable }
        let length = bytes[1..<Self.headBytes].reduce(0) { $0 << 8 | Int($1) }
        guard length <= Self.lengthMax else { throw Self.unreadable }
        // One more byte, because zlib accepts no empty buffer.
        var content = [UInt8](repeating: 0, count: length + 1)
        var size = uLong(length)
        let stream = Array(bytes.dropFirst(Self.headBytes))
        guard uncompress(&content, &size, stream, uLong(stream.count)) == Z_OK, size == length else {
            throw Self.unreadable
        }
        content.removeLast()
        switch form {
        case .text: return String(decoding: content, as: UTF8.self)
        case .base64: return String(decoding: Base64.encode(content, .standard), as: UTF8.self)
        }
    }

    private static func failure(_ detail: String) -> StorageError {
        StorageError(.failed, "The receipt could not be compressed.", isRetryable: false, detail: detail)
    }

    private static let unreadable = StorageError(
        .corrupt,
        "A stored receipt cannot be read. Restore the database from a backup.",
        isRetryable: false
    )
}
