import AppStoreModel
import LocalAppStore

/// Sends notifications with the faults that the engine chose for them.
struct FaultyNotificationDeliverer: NotificationDeliverer {
    /// Sends what is to be sent.
    let sender: HTTPNotificationDeliverer

    @concurrent func deliver(_ delivery: Delivery) async throws(CancellationError) -> DeliveryAnswer {
        let body = delivery.body.json
        let url = delivery.url
        switch delivery.fault {
        case .drop: return DeliveryAnswer(.timedOut)
        case .duplicate:
            _ = try await sender.send(.whole(body), to: url)
            return try await sender.send(.whole(body), to: url)
        case .truncate: return try await sender.send(.whole(Array(body.prefix(body.count / 2))), to: url)
        case .slow(let milliseconds): return try await sender.send(.slow(body, .milliseconds(milliseconds)), to: url)
        case .status(let status):
            _ = try await sender.send(.whole(body), to: url)
            return DeliveryAnswer(httpStatus: status)
        case .reset: return try await sender.send(.broken(body), to: url)
        case .delay, .reorder, nil: return try await sender.send(.whole(body), to: url)
        }
    }
}
