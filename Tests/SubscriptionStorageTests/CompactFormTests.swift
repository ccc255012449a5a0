import PerennialPrimitives
import SubscriptionCore
import SubscriptionStorage
import Testing

/// The format in which states and events are stored.
@Suite struct `The compact form` {
    private static let numbers: [Int64] = [0, 1, -1, 63, 64, -64, -65, 8_191, 8_192, 1_790_000_000_000, .max, .min]

    private static let texts = [
        "", "a", "2000000123456789", "é", "e\u{301}", "\u{0}", String(repeating: "長", count: 5_000),
    ]

    @Test func `restores every number and every text`() throws {
        var writer = CompactWriter(form: 7)
        for number in Self.numbers { writer.write(number) }
        for number in Self.numbers { writer.write(UInt64(bitPattern: number)) }
        for text in Self.texts { writer.write(text) }
        var reader = try CompactReader(writer.bytes)
        #expect(reader.form == 7)
        for number in Self.numbers { #expect(try reader.number() == number) }
        for number in Self.numbers { #expect(try reader.count() == UInt64(bitPattern: number)) }
        for text in Self.texts { #expect(Array(try reader.text().utf8) == Array(text.utf8)) }
        try reader.finish()
    }

    @Test func `restores every state, and differs if states differ`() throws {
        var random = SplitMix64(seed: 1)
        var forms: [[UInt8]: PurchaseState] = [:]
        for _ in 0..<2_000 {
            let state = PurchaseState.random(&random)
            let bytes = state.compactBytes
            #expect(try PurchaseState(compactBytes: bytes) == state)
            #expect(bytes == state.compactBytes)
            #expect(forms.updateValue(state, forKey: bytes) ?? state == state)
        }
    }

    @Test func `restores every event`() throws {
        var random = SplitMix64(seed: 2)
        for _ in 0..<2_000 {
            let event = SubscriptionEvent.random(&random)
            #expect(try SubscriptionEvent(compactBytes: event.compactBytes) == event)
        }
    }

    @Test func `restores every list of texts`() throws {
        for list in [[], [""], Self.texts] {
            let bytes = list.compactBytes
            #expect(try [String](compactBytes: bytes) == list)
            for length in 0..<min(bytes.count, 200) {
                #expect(throws: StorageError.self) { try [String](compactBytes: Array(bytes[..<length])) }
            }
            #expect(throws: StorageError.self) { try [String](compactBytes: [2] + bytes.dropFirst()) }
        }
    }

    @Test func `that is truncated or changed is an error or another value, never a crash`() {
        var random = SplitMix64(seed: 3)
        for _ in 0..<300 {
            let state = PurchaseState.random(&random).compactBytes
            let event = SubscriptionEvent.random(&random).compactBytes
            for length in 0..<state.count { #expect(!Self.isState(Array(state[..<length]))) }
            for length in 0..<event.count { #expect(!Self.isEvent(Array(event[..<length]))) }
            #expect(!Self.isState(state + [0]))
            #expect(!Self.isEvent(event + [0]))
            for _ in 0..<50 {
                _ = Self.isState(state.damaged(&random))
                _ = Self.isEvent(event.damaged(&random))
            }
        }
    }

    private static func isState(_ bytes: [UInt8]) -> Bool {
        do throws(StorageError) {
            _ = try PurchaseState(compactBytes: bytes)
            return true
        } catch {
            #expect(error.code == .corrupt)
            return false
        }
    }

    private static func isEvent(_ bytes: [UInt8]) -> Bool {
        do throws(StorageError) {
            _ = try SubscriptionEvent(compactBytes: bytes)
            return true
        } catch {
            #expect(error.code == .corrupt)
            return false
        }
    }

    @Test func `has a code for every case`() {
        expectAll(SubscriptionStatus.self)
        expectAll(SubscriptionState.PeriodType.self)
        expectAll(SubscriptionState.BillingIssue.self)
        expectAll(SubscriptionState.EndReason.self)
        expectAll(Offer.Kind.self)
        expectAll(Offer.Payment.self)
        expectAll(Ownership.self)
        expectAll(ProductKind.self)
        expectAll(Entitlement.Source.self)
        expectAll(Entitlement.InactiveReason.self)
        expectAll(SubscriptionEvent.Kind.self)
    }

    private func expectAll<Choice: CompactChoice & CaseIterable & Hashable>(_ type: Choice.Type) {
        #expect(Set(Choice.inOrder) == Set(Choice.allCases))
        #expect(Choice.inOrder.count == Choice.allCases.count)
    }

    /// Stored bytes must be readable as long as the number of the form is the same.
    @Test func `has the bytes that were defined with its number`() {
        let event = SubscriptionEvent(
            kind: .renewed,
            occurredAt: Timestamp(milliseconds: 1_000),
            purchaseID: OriginalTransactionID("1"),
            productID: ProductID("p"),
            transactionID: TransactionID("2"),
            price: Money(milliunits: 9_990, currency: "USD"),
            details: ["a": "b"]
        )
        let written: [UInt8] = [
            1, 7, 0xD0, 0x0F, 1, 1, 0x31, 1, 1, 0x32, 1, 1, 0x70, 1, 0x8C, 0x9C, 0x01, 3, 0x55, 0x53, 0x44, 0, 0, 1, 1,
            1, 0x61,
            1, 0x62,
        ]
        #expect(event.compactBytes == written)
    }

    /// A subscription without a known next period. The first version wrote every subscription this way.
    @Test func `of a subscription without newer properties has the bytes of the first version`() throws {
        let hex = """
            0110323030303030303030303030303030310b70726f2e6d6f6e74686c79010832313030303030310200010080cabeb4826780\
            cabeb4826780daa2f586670001010b70726f2e6d6f6e74686c7901000001000355534401035553410100
            """
        let written = try #require([UInt8](hexadecimal: hex))
        let state = try PurchaseState(compactBytes: written)
        guard case .subscription(let subscription) = state else {
            Issue.record("no subscription")
            return
        }
        #expect(subscription.status == .inBillingRetry && subscription.nextChangeAt == nil)
        #expect(subscription.nextPeriod == SubscriptionState.NextPeriod())
        #expect(state.compactBytes == written)
    }
}

extension [UInt8] {
    fileprivate func damaged(_ random: inout some RandomNumberGenerator) -> [UInt8] {
        var bytes = self
        bytes[Int.random(in: bytes.indices, using: &random)] = .random(in: 0...255, using: &random)
        return bytes
    }
}
