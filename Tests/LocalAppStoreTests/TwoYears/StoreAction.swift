import AppStoreModel
import LocalAppStore

/// One call that a run may make, with everything that it needs.
///
/// An action makes what it lacks: the one that approves a purchase first requests one. So nearly every action succeeds
/// each time; a refusal is part of the transcript too.
struct StoreAction: Sendable {
    /// The function of the store, and what is special about the call: `purchase: a win-back offer`.
    let name: String
    /// How often it occurs in each round of actions.
    let copies: Int
    /// The call of Apple's API that it is, which is counted and may have a fault.
    let endpoint: AppStoreServerCall.Identifier?
    /// The only environment that has the call; `nil` for both.
    let environment: AppStoreEnvironment?
    /// Makes the call, and returns the text of the answer.
    let play: @Sendable (inout TwoYearsDriver) throws -> String

    init(
        _ name: String,
        copies: Int = 1,
        endpoint: AppStoreServerCall.Identifier? = nil,
        in environment: AppStoreEnvironment? = nil,
        play: @escaping @Sendable (inout TwoYearsDriver) throws -> String
    ) {
        self.name = name
        self.copies = copies
        self.endpoint = endpoint
        self.environment = environment
        self.play = play
    }

    /// The function of the store.
    var function: String { String(name.prefix { $0 != ":" }) }

    /// Every action.
    static let all: [StoreAction] = [
        purchases, offers, subscribers, refunds, families, seats, advancedCommerce, retention, performanceTests,
        externalPurchases, developer, appleCalls,
    ].flatMap(\.self)

    /// The actions that are possible in an environment, each as often as it occurs in a round.
    static func round(in environment: AppStoreEnvironment) -> [StoreAction] {
        all.filter { $0.environment == nil || $0.environment == environment }
            .flatMap { Array(repeating: $0, count: $0.copies) }
    }
}

/// An action found nothing that it could be about.
struct NothingToActOn: Error {}

extension JSONRepresentable {
    /// The JSON as one line.
    var line: String { String(decoding: jsonBytes, as: UTF8.self) }
}

extension PurchaseOutcome {
    /// The outcome as one line.
    var line: String {
        [transactionId, originalTransactionId, signedTransactionInfo, signedRenewalInfo ?? "-"].joined(separator: " ")
    }
}
