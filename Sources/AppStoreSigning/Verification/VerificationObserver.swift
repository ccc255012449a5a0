/// Is told, step by step, what the verifier checks.
///
/// The same checks run for an answer (``Unobserved``, which costs nothing) and for an account of it
/// (``TraceRecorder``): there is no second implementation that could disagree.
protocol VerificationObserver {
    /// Whether every step has to be taken, also those that the chain cache would save.
    static var wantsEveryStep: Bool { get }

    /// The step that comes next; the one before it has passed.
    mutating func begin(_ step: VerificationTrace.Step.Name)

    /// Something to know about the present step.
    mutating func note(_ text: @autoclosure () -> String)

    /// The header whose key signed the payload.
    mutating func authenticated(by header: VerifiedHeader)
}

extension VerificationObserver {
    @inline(__always)
    mutating func authenticated(by header: VerifiedHeader) {}
}

/// Nobody looks: the steps leave no trace and take no time.
struct Unobserved: VerificationObserver {
    static var wantsEveryStep: Bool { false }

    @inline(__always)
    mutating func begin(_ step: VerificationTrace.Step.Name) {}

    @inline(__always)
    mutating func note(_ text: @autoclosure () -> String) {}
}

/// Remembers which chain signed, for those who ask further questions about it.
struct ChainWitness: VerificationObserver {
    static var wantsEveryStep: Bool { false }

    private(set) var header: VerifiedHeader?

    mutating func begin(_ step: VerificationTrace.Step.Name) {}

    mutating func note(_ text: @autoclosure () -> String) {}

    mutating func authenticated(by header: VerifiedHeader) {
        self.header = header
    }
}

/// Writes the steps down.
struct TraceRecorder: VerificationObserver {
    static var wantsEveryStep: Bool { true }

    /// The chain that signed, when it came that far.
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

    /// The account of a decision that has been made.
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
