import Synchronization

/// Hashes passwords, a few at a time, away from the executor of requests.
///
/// A hash needs 32 MiB and a processor for about a tenth of a second, and anybody may cause one by a sign-in.
package final class PasswordHashing: Sendable {
    /// The number of hashes at a time.
    private static let runningMax = 2
    /// The number of tasks that wait for one. One more is refused.
    private static let waitingMax = 32

    private struct State {
        var running = 0
        var waiting: [CheckedContinuation<Bool, Never>] = []
    }

    /// The cost of new passwords.
    package let cost: PasswordCost
    private let nothing: PasswordVerifier
    private let state = Mutex(State())

    /// Makes the service.
    package init(cost: PasswordCost = .standard) {
        self.cost = cost
        nothing = PasswordVerifier(ofNothing: cost)
    }

    /// The verifier of a new password.
    ///
    /// - Throws: ``OperationError`` `overloaded`.
    package func verifier(of password: String) async throws(OperationError) -> PasswordVerifier {
        let cost = cost
        return try await run { try PasswordVerifier(of: password, cost: cost) }
    }

    /// Whether a password is the right one. Without a verifier it takes as long, and is wrong.
    ///
    /// - Throws: ``OperationError`` `overloaded`.
    package func matches(_ password: String, _ verifier: PasswordVerifier?) async throws(OperationError) -> Bool {
        let used = verifier ?? nothing
        let matches = try await run { try used.matches(password) }
        return matches && verifier != nil
    }

    private func run<Value: Sendable>(
        _ work: @escaping @Sendable () throws -> Value
    ) async throws(OperationError) -> Value {
        guard await enter() else { throw .tooManySignIns }
        defer { leave() }
        do {
            return try await withTaskExecutorPreference(ProcessSurroundings.backgroundExecutor) {
                try await Self.elsewhere(work)
            }
        } catch {
            throw .hashFailed
        }
    }

    @concurrent private static func elsewhere<Value: Sendable>(
        _ work: @Sendable () throws -> Value
    ) async throws -> Value {
        try work()
    }

    /// Waits for a turn.
    ///
    /// - Returns: False if too many wait already.
    private func enter() async -> Bool {
        await withCheckedContinuation { (waiter: CheckedContinuation<Bool, Never>) in
            let answer = state.withLock { state -> Bool? in
                if state.running < Self.runningMax {
                    state.running += 1
                    return true
                }
                guard state.waiting.count < Self.waitingMax else { return false }
                state.waiting.append(waiter)
                return nil
            }
            if let answer { waiter.resume(returning: answer) }
        }
    }

    /// Passes the turn on, in order of arrival.
    private func leave() {
        let next = state.withLock { state -> CheckedContinuation<Bool, Never>? in
            guard !state.waiting.isEmpty else {
                state.running -= 1
                return nil
            }
            return state.waiting.removeFirst()
        }
        next?.resume(returning: true)
    }
}

extension OperationError {
    fileprivate static let tooManySignIns = OperationError(
        "overloaded",
        "Too many people sign in at this moment. Nothing was changed; try again in a few seconds.",
        kind: .unavailable
    )

    fileprivate static let hashFailed = OperationError(
        "password_hash_failed",
        "The password could not be hashed, probably for lack of memory. Try again later.",
        kind: .unavailable
    )
}
