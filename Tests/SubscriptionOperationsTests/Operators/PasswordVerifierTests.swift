import SubscriptionOperations
import Testing

/// What is stored of passwords.
@Suite struct `The verifier of a password` {
    private static let password = "correct horse battery"
    private static let cost = PasswordCost(logRounds: 4, blockSize: 8, parallelism: 1)
    /// Made with another implementation of scrypt.
    private static let foreign =
        "$scrypt$ln=10,r=8,p=1$AAECAwQFBgcICQoLDA0ODw$hKGWL22WtdGfIbxEPAZ06BS2bWyYKuZIKvypfAlYOWk"

    @Test func `accepts the password and no other, also after it was stored`() throws {
        let made = try PasswordVerifier(of: Self.password, cost: Self.cost)
        let read = try #require(PasswordVerifier(text: made.text))
        #expect(read == made)
        #expect(made.text.hasPrefix("$scrypt$ln=4,r=8,p=1$"))
        for verifier in [made, read] {
            #expect(try verifier.matches(Self.password))
            for other in ["Correct horse battery", "correct horse batter", "correct horse battery ", ""] {
                #expect(try !verifier.matches(other))
            }
        }
    }

    @Test func `has a salt of its own`() throws {
        let texts = try (0..<2).map { _ in try PasswordVerifier(of: Self.password, cost: Self.cost).text }
        #expect(texts[0] != texts[1])
    }

    @Test func `is that of scrypt, with the cost in its text`() throws {
        let verifier = try #require(PasswordVerifier(text: Self.foreign))
        #expect(verifier.cost == PasswordCost(logRounds: 10, blockSize: 8, parallelism: 1))
        #expect(try verifier.matches(Self.password))
        #expect(try !verifier.matches("another password"))
        #expect(verifier.text == Self.foreign)
    }

    @Test func `is nothing if its text is damaged or asks for too much`() {
        let damaged = [
            "", "$scrypt$", Self.password, String(Self.foreign.dropLast()), Self.foreign + "A", Self.foreign + "$",
            String(Self.foreign.dropFirst()), Self.foreign.replacing("scrypt", with: "argon2id"),
            Self.foreign.replacing("ln=10", with: "ln=0"), Self.foreign.replacing("ln=10", with: "ln=99"),
            Self.foreign.replacing("ln=10", with: "ln=-1"), Self.foreign.replacing("r=8", with: "r=x"),
            Self.foreign.replacing(",p=1", with: ""), Self.foreign.replacing("ln=10,r=8", with: "ln=20,r=16"),
            Self.foreign.replacing("AAEC", with: "AA*C"),
        ]
        for text in damaged { #expect(PasswordVerifier(text: text) == nil, "\(text)") }
    }

    @Test func `is compared with nothing for an unknown name, which is never right`() async throws {
        let hashing = PasswordHashing(cost: Self.cost)
        let verifier = try await hashing.verifier(of: Self.password)
        #expect(verifier.cost == Self.cost)
        #expect(try await hashing.matches(Self.password, verifier))
        #expect(try await !hashing.matches(Self.password, nil))
    }

    @Test func `is made by two tasks at a time, and too many are refused`() async throws {
        let hashing = PasswordHashing(cost: PasswordCost(logRounds: 10, blockSize: 8, parallelism: 1))
        let results = await withTaskGroup(of: OperationError?.self) { group in
            for _ in 0..<120 {
                group.addTask {
                    do throws(OperationError) {
                        _ = try await hashing.matches(Self.password, nil)
                        return nil
                    } catch {
                        return error
                    }
                }
            }
            return await group.reduce(into: []) { $0.append($1) }
        }
        let refused = results.compactMap(\.self)
        #expect(refused.allSatisfy { $0.code == "overloaded" && $0.isRetryable })
        // Two run and 32 wait, whatever else happens.
        #expect(results.count - refused.count >= 34)
        #expect(try await !hashing.matches(Self.password, nil), "it works again afterwards")
    }

    @Test(arguments: [
        ("short", false), ("twelve chars", true), (String(repeating: "x", count: 128), true),
        (String(repeating: "x", count: 129), false), ("ANNA-ANNA-ANNA", false), ("пароль пароль", true),
    ])
    func `needs 12 to 128 characters that are not the name`(text: String, isAllowed: Bool) {
        #expect((OperatorRules.newPassword(text, of: "anna-anna-anna") != nil) == isAllowed)
    }

    @Test func `does not depend on how a keyboard writes a character`() {
        let (composed, decomposed) = ("passw\u{f6}rter 12345", "passwo\u{308}rter 12345")
        let normal = OperatorRules.normalPassword(decomposed)
        #expect(Array(normal.utf8) == Array(composed.utf8))
    }

    @Test(arguments: ["", " anna", "anna ", "an\nna", "an\u{0}na", "an\u{2028}na", "an\u{202e}na"])
    func `belongs to a name of one line`(name: String) {
        #expect(OperatorRules.name(name) == nil)
        #expect(OperatorRules.name("Anna K. (on call)") == "Anna K. (on call)")
        #expect(OperatorRules.name(String(repeating: "x", count: 61)) == nil)
    }
}
