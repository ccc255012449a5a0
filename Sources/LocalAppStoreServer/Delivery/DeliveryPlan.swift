import AppStoreModel
import LocalAppStore

/// The network actions of one delivery attempt, including the fault that the engine selected.
struct DeliveryPlan: Sendable {
    /// The transfers in order; the answer to the last one counts.
    let transfers: [DeliveryTransfer]
    /// The result that replaces any answer.
    var answer: DeliveryAnswer?

    init(for delivery: Delivery) {
        switch delivery.fault {
        case .drop:
            transfers = []
            answer = DeliveryAnswer(.timedOut)
        case .duplicate: transfers = [.whole, .whole]
        case .truncate: transfers = [.truncated]
        case .slow(let milliseconds): transfers = [.slow(milliseconds: milliseconds)]
        case .status(let status):
            transfers = [.whole]
            answer = DeliveryAnswer(httpStatus: status)
        case .reset: transfers = [.broken]
        case .delay, .reorder, nil: transfers = [.whole]
        }
    }
}

/// How the body of a notification is transferred.
enum DeliveryTransfer: Hashable, Sendable {
    case whole
    /// Only the first half, as a complete body.
    case truncated
    /// With a pause in the middle.
    case slow(milliseconds: Int64)
    /// With a connection reset in the middle.
    case broken
}
