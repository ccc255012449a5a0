import AppStoreModel
import AppStoreTestAuthorities
import PerennialPrimitives
import Testing

@testable import AppStoreSigning

@Suite struct `Verification in batches` {
    @Test(arguments: [0, 1, 3, 4, 15, 16, 17, 40])
    func `a batch has the same results as single verifications`(count: Int) throws {
        let samples = try Samples()
        let batch = try (0..<count).map { try input(number: $0, samples) }
        let alone = SignedDataVerifier(roots: [samples.authority.trustedRoot], apps: [samples.app])
        let together = SignedDataVerifier(roots: [samples.authority.trustedRoot], apps: [samples.app])

        let notifications = together.verifyNotifications(batch)
        let transactions = together.verifyTransactions(batch)

        #expect(notifications == batch.map { alone.verifyNotification($0) })
        #expect(transactions == batch.map { alone.verifyTransaction($0) })
        if count >= 9 {
            #expect(notifications.contains { $0.payload != nil } && transactions.contains { $0.payload != nil })
            #expect(Set(notifications.compactMap { $0.failure?.code }).count >= 4)
        }
    }

    @Test func `every hashing method has the same results, with several chains in one batch`() throws {
        let samples = try [Samples(), Samples()]
        let verifier = SignedDataVerifier(roots: samples.map(\.authority.trustedRoot), apps: [samples[0].app])
        let batch = try (0..<32).map { try input(number: $0 / 2, samples[$0 % 2]) }

        let outcomes = verifier.verifyNotifications(batch)

        #expect(outcomes == batch.map { verifier.verifyNotification($0) })
        #expect(outcomes.count { $0.payload != nil } == 6)
    }

    @Test func `a chain without a valid signature in a batch is not cached`() throws {
        let samples = try Samples()
        let cache = VerifiedChainCache()
        let verifier = SignedDataVerifier(
            roots: [samples.authority.trustedRoot],
            apps: [samples.app],
            chainCache: cache
        )
        let forged = try (0..<8).map { _ in
            try changed(samples.sign(try samples.notification()), at: .signature)
        }

        let outcomes = verifier.verifyNotifications(forged)

        #expect(outcomes.allSatisfy { $0.failure?.code == .signatureInvalid })
        #expect(cache.statistics.count == 0)
    }

    @Test func `any changed byte anywhere in a batch is detected, and only there`() throws {
        let samples = try Samples()
        let genuine = try (0..<16).map { _ in Array(try samples.sign(try samples.notification()).utf8) }
        var random = SplitMix64(seed: 1)
        for _ in 0..<60 {
            var batch = genuine
            let hit = Int.random(in: 0..<16, using: &random)
            let position = Int.random(in: batch[hit].indices, using: &random)
            batch[hit][position] ^= UInt8.random(in: 1...255, using: &random)

            let outcomes = samples.verifier.verifyNotifications(batch)

            for (index, outcome) in outcomes.enumerated() {
                #expect((outcome.payload == nil) == (index == hit), "byte \(position) of \(hit)")
            }
        }
    }

    /// Valid and invalid inputs of every kind in alternation.
    private func input(number: Int, _ samples: Samples) throws -> [UInt8] {
        let notification = try samples.sign(try samples.notification(transaction: samples.transaction()))
        switch number % 9 {
        case 1: return Array(try samples.sign(samples.transaction()).utf8)
        case 2: return try changed(notification, at: .signature)
        case 3: return try changed(notification, at: .payload)
        case 4: return Array(notification.utf8.dropLast(100))
        case 5: return Array("not signed at all".utf8)
        case 6: return Array(try Samples().sign(samples.transaction()).utf8)
        case 7: return []
        default: return Array(notification.utf8)
        }
    }

    private enum Position { case payload, signature }

    private func changed(_ jws: String, at position: Position) throws -> [UInt8] {
        var bytes = Array(jws.utf8)
        let dot = try #require(bytes.lastIndex(of: UInt8(ascii: ".")))
        let index = position == .payload ? dot - 200 : dot + 20
        bytes[index] = bytes[index] == UInt8(ascii: "A") ? UInt8(ascii: "B") : UInt8(ascii: "A")
        return bytes
    }
}
