/// A broken invariant.
public struct SimulationFailure: Error, Hashable, Sendable, CustomStringConvertible {
    /// What must always be true.
    public enum Invariant: String, Hashable, Sendable {
        /// A customer has access only if signed data or a grant gives it.
        case accessWithoutEvidence = "access_without_evidence"
        /// A period that is paid and not refunded gives access, and so does a grant that runs.
        case accessTaken = "access_taken"
        /// What was acknowledged is stored, also after a crash.
        case acknowledgedAndLost = "acknowledged_and_lost"
        /// Each signed input is stored once.
        case storedTwice = "stored_twice"
        /// The sum of the events is the revenue of the known transactions.
        case revenueDiffers = "revenue_differs"
        /// Sequence numbers of events have no gaps, and the versions of a customer never go back.
        case eventsOutOfOrder = "events_out_of_order"
        /// At the end nothing is missing of what Apple sent.
        case gapAtTheEnd = "gap_at_the_end"
        /// At the end each customer has what the store's ledger says.
        case ledgerDiffers = "ledger_differs"
        /// At the end the sum of the events is the revenue of the store's ledger.
        case ledgerRevenueDiffers = "ledger_revenue_differs"
        /// A server reports an error that nothing in the simulation causes.
        case unexpectedError = "unexpected_error"
        /// The simulation itself waits for something that never comes.
        case standstill = "standstill"
    }

    /// Which one.
    public let invariant: Invariant
    /// What was found, and where.
    public let message: String
    /// The virtual day, counted from 1.
    public let day: Int

    /// The invariant, the day and what was found.
    public var description: String { "\(invariant.rawValue) on day \(day): \(message)" }
}
