import Crypto
import CryptoExtras
import Foundation
import PerennialPrimitives

/// The cost of a hash of a password by scrypt (RFC 7914).
package struct PasswordCost: Hashable, Sendable {
    /// The binary logarithm of the number of rounds.
    package var logRounds: Int
    /// The size of a block, in units of 128 bytes.
    package var blockSize: Int
    /// The number of independent runs.
    package var parallelism: Int

    /// Makes a cost.
    package init(logRounds: Int, blockSize: Int, parallelism: Int) {
        (self.logRounds, self.blockSize, self.parallelism) = (logRounds, blockSize, parallelism)
    }

    /// The cost of new passwords: 32 MiB, and about a tenth of a second.
    package static let standard = PasswordCost(logRounds: 15, blockSize: 8, parallelism: 1)

    /// Whether a hash with this cost can be computed: at most 256 MiB.
    var isPossible: Bool {
        (1...20).contains(logRounds) && (1...16).contains(blockSize) && (1...16).contains(parallelism)
            && bytes <= 256 << 20
    }

    /// The memory of a hash.
    private var bytes: Int { 128 << logRounds * blockSize }

    /// The text in a verifier.
    var text: String { "ln=\(logRounds),r=\(blockSize),p=\(parallelism)" }

    /// Reads the text of a verifier; nil if it is not one.
    init?(text: some StringProtocol) {
        let parts = text.split(separator: ",", omittingEmptySubsequences: false)
        let names = ["ln=", "r=", "p="]
        guard parts.count == names.count else { return nil }
        let numbers = zip(parts, names).compactMap { $0.hasPrefix($1) ? Int($0.dropFirst($1.count)) : nil }
        guard numbers.count == names.count else { return nil }
        self.init(logRounds: numbers[0], blockSize: numbers[1], parallelism: numbers[2])
        guard isPossible else { return nil }
    }
}

/// What is stored of a password: a salted hash that is slow and needs memory, with its cost.
///
/// Its text is `$scrypt$ln=15,r=8,p=1$SALT$HASH`, with base64 without padding, so the cost of new passwords can be
/// raised while older ones stay valid.
package struct PasswordVerifier: Hashable, Sendable {
    private static let saltByteCount = 16
    private static let hashByteCount = 32

    /// The cost.
    package let cost: PasswordCost
    private let salt: [UInt8]
    private let hash: [UInt8]

    /// Hashes a password with a new salt. It takes about a tenth of a second: see ``PasswordHashing``.
    ///
    /// - Throws: An error of the cryptographic library for an impossible cost.
    package init(of password: String, cost: PasswordCost) throws {
        self.cost = cost
        salt = RandomSecret.bytes(Self.saltByteCount)
        hash = try Self.hash(password, salt: salt, cost: cost)
    }

    /// A verifier that no password satisfies.
    init(ofNothing cost: PasswordCost) {
        self.cost = cost
        salt = RandomSecret.bytes(Self.saltByteCount)
        hash = RandomSecret.bytes(Self.hashByteCount)
    }

    /// Reads the stored text; nil if it is damaged.
    package init?(text: String) {
        let parts = text.split(separator: "$", omittingEmptySubsequences: false)
        guard
            parts.count == 5, parts[0].isEmpty, parts[1] == "scrypt", let cost = PasswordCost(text: parts[2]),
            let salt = Self.decode(parts[3]), salt.count == Self.saltByteCount,
            let hash = Self.decode(parts[4]), hash.count == Self.hashByteCount
        else { return nil }
        (self.cost, self.salt, self.hash) = (cost, salt, hash)
    }

    /// The text to store.
    package var text: String { "$scrypt$\(cost.text)$\(Self.encode(salt))$\(Self.encode(hash))" }

    /// Whether a password is the right one.
    ///
    /// - Throws: As ``init(of:cost:)``.
    package func matches(_ password: String) throws -> Bool {
        try Self.hash(password, salt: salt, cost: cost).equalsInConstantTime(hash)
    }

    private static func hash(_ password: String, salt: [UInt8], cost: PasswordCost) throws -> [UInt8] {
        let key = try KDF.Scrypt.deriveKey(
            from: Data(password.utf8),
            salt: salt,
            outputByteCount: hashByteCount,
            rounds: 1 << cost.logRounds,
            blockSize: cost.blockSize,
            parallelism: cost.parallelism
        )
        return key.withUnsafeBytes { Array($0) }
    }

    private static func encode(_ bytes: [UInt8]) -> String {
        var text: [UInt8] = []
        Base64.append(bytes, to: &text, .standard)
        return String(decoding: text, as: UTF8.self)
    }

    private static func decode(_ text: Substring) -> [UInt8]? {
        let padding = [UInt8](repeating: UInt8(ascii: "="), count: (4 - text.utf8.count % 4) % 4)
        return Base64.decode(Array(text.utf8) + padding, .standard)
    }
}
