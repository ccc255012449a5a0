import CZlib
import Foundation
import PerennialPrimitives
package import SubscriptionStorage

/// A receipt as it is kept: compressed, and the same text byte for byte when it is read again.
///
/// Receipts come in base64, which hides what repeats in them. They are decoded first, where encoding them again gives
/// the same text. The bytes are a number for the form, the length before compression (four bytes, the highest first),
/// and a zlib stream.
package struct CompressedReceipt: Hashable, Sendable {
    private enum Form: UInt8 {
        /// The text as it came.
        case text = 0
        /// What the text encodes in base64, with padding and without line breaks.
        case base64 = 1
    }

    /// Before compression; more than any request may have.
    private static let lengthMax = 16 << 20
    private static let headBytes = 5

    /// What is stored.
    package let bytes: [UInt8]

    /// Compresses a receipt.
    ///
    /// - Throws: ``StorageError`` with `storage_failed` where it is too long, or zlib has no memory.
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

    /// Takes what is stored.
    package init(bytes: [UInt8]) {
        self.bytes = bytes
    }

    /// The receipt as it came.
    ///
    /// - Throws: ``StorageError`` with `storage_corrupt` where the bytes are no receipt.
    package func text() throws(StorageError) -> String {
        guard bytes.count > Self.headBytes, let form = Form(rawValue: bytes[0]) else { throw Self.unreadable }
        let length = bytes[1..<Self.headBytes].reduce(0) { $0 << 8 | Int($1) }
        guard length <= Self.lengthMax else { throw Self.unreadable }
        // One more, since zlib takes no buffer of nothing.
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
        "A kept receipt could not be read. Restore a copy of the database.",
        isRetryable: false
    )
}
