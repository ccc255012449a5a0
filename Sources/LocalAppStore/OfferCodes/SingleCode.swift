import PerennialPrimitives

/// A single-use code: eighteen capitals and digits computed from the store's seed and the code's number.
///
/// No list of texts is stored: the last eight characters encode the number, the first ten verify it.
enum SingleCode {
    /// Thirty-two characters without similar pairs.
    private static let alphabet = Array("ABCDEFGHJKLMNPQRSTUVWXYZ23456789".utf8)
    private static let proofLength = 10
    private static let numberLength = 8
    private static let bitsPerCharacter: UInt64 = 5

    /// The text of a code.
    static func text(number: Int, seed: UInt64) -> String {
        let proof = proof(of: UInt64(number), seed: seed)
        let hidden = UInt64(number) ^ mask(of: proof)
        let bytes = characters(of: proof, count: proofLength) + characters(of: hidden, count: numberLength)
        return String(decoding: bytes, as: UTF8.self)
    }

    /// The number of a code; `nil` for a text that is not a code of the store.
    static func number(of text: String, seed: UInt64) -> Int? {
        let bytes = Array(text.utf8)
        guard bytes.count == proofLength + numberLength, let claimed = value(of: bytes.prefix(proofLength)),
            let hidden = value(of: bytes.suffix(numberLength))
        else { return nil }
        let number = hidden ^ mask(of: claimed)
        return proof(of: number, seed: seed) == claimed ? Int(number) : nil
    }

    private static func proof(of number: UInt64, seed: UInt64) -> UInt64 {
        // A different sequence than that of the identifiers.
        var salted = SplitMix64(seed: seed.byteSwapped)
        var generator = SplitMix64(seed: salted.next() &+ number)
        return generator.next() & bits(proofLength)
    }

    private static func mask(of proof: UInt64) -> UInt64 {
        var generator = SplitMix64(seed: proof)
        return generator.next() & bits(numberLength)
    }

    private static func bits(_ characters: Int) -> UInt64 { 1 << (UInt64(characters) * bitsPerCharacter) - 1 }

    private static func characters(of value: UInt64, count: Int) -> [UInt8] {
        (0..<count).map { alphabet[Int(value >> (UInt64($0) * bitsPerCharacter) & 31)] }
    }

    private static func value(of characters: ArraySlice<UInt8>) -> UInt64? {
        var value: UInt64 = 0
        for (position, character) in characters.enumerated() {
            guard let digit = alphabet.firstIndex(of: character) else { return nil }
            value |= UInt64(digit) << (UInt64(position) * bitsPerCharacter)
        }
        return value
    }
}
