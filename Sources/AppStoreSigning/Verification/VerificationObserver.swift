/// Observes the verifier's checks, step by step.
///
/// The same checks run for a result (``Unobserved``, without cost) and for a trace (``TraceRecorder``), so the two
/// cannot disagree.
protocol VerificationObserver {
    /// Whether all steps must be executed, even those that the chain cache would skip.
    static var wantsEveryStep: Bool { get }

    /// The next step; the previous one has passed.
    mutating func begin(_ step: VerificationTrace.Step.Name)

    /// A note about the current step.
    mutating func note(_ text: @autoclosure () -> String)

    /// The header whose key signed the payload.
    mutating func authenticated(by header: VerifiedHeader)
}

extension VerificationObserver {
    @inline(__always)
    mutating func authenticated(by header: VerifiedHeader) {}
}

/// No observation: the steps leave no trace and take no time.
struct Unobserved: VerificationObserver {
    static var wantsEveryStep: Bool { false }

    @inline(__always)
    mutating func begin(_ step: VerificationTrace.Step.Name) {}

    @inline(__always)
    mutating func note(_ text: @autoclosure () -> String) {}
}

/// Stores the signing chain, for further checks.
struct ChainWitness: VerificationObserver {
    static var wantsEveryStep: Bool { false }

    private(set) var header: VerifiedHeader?

    mutating func begin(_ step: VerificationTrace.Step.Name) {}

    mutating func note(_ text: @autoclosure () -> String) {}

    mutating func authenticated(by header: VerifiedHeader) {
        self.header = header
    }
}

/// Records the steps.
struct TraceRecorder: VerificationObserver {
    static var wantsEveryStep: Bool { true }

    /// The signing chain, if it was reached.
    private(set) var header: VerifiedHeader?
    private var steps: [VerificationTrace.Step] = []

    mutating func begin(_ step: VerificationTrace.Step.Name) {
        steps.append(VerificationTrace.Step(name: step, outcome: .passed, notes: []))
    }

    mutating func note(_ text: @autoclosure () -> String) {
        guard !steps.isEmpty else { return }
        steps[steps.count - 1].notes.append(VerificationTrace.printable(text()))
    }

    mutating func authenticated(by header: VerifiedHeader) {
        self.header = header
    }

    /// The trace of a completed decision.
    func trace(of kind: SignedDataKind, failure: VerificationFailure?) -> VerificationTrace {
        var steps = steps
        if let failure, !steps.isEmpty {
            steps[steps.count - 1].outcome = .failed
            steps[steps.count - 1].notes.append(VerificationTrace.printable(failure.message))
        }
        let taken = Set(steps.map(\.name))
        let missed = VerificationTrace.Step.Name.expected(for: kind).filter { !taken.contains($0) }
        steps += missed.map { VerificationTrace.Step(name: $0, outcome: .notReached, notes: []) }
        return VerificationTrace(kind: kind, steps: steps, failure: failure)
    }
}
