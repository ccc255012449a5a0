import AppStoreModel
import LocalAppStore

/// What an attempt to deliver does on the wire, with the fault that the engine chose for it.
struct DeliveryPlan: Sendable {
    /// What is sent, one after the other; the answer to the last one counts.
    let transfers: [DeliveryTransfer]
    /// What counts in place of any answer.
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

/// How the body of a notification goes over the wire.
enum DeliveryTransfer: Hashable, Sendable {
    case whole
    /// Without its second half, as if that were all.
    case truncated
    /// With a pause in the middle.
    case slow(milliseconds: Int64)
    /// With a broken connection in the middle.
    case broken
}
