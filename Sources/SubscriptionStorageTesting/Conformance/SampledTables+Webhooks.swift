import SubscriptionCore
import SubscriptionStorage

extension WebhookEndpoint: SampledRecord {
    static func sample(_ number: Int) -> WebhookEndpoint {
        var endpoint = WebhookEndpoint(
            id: WebhookEndpointID(rawValue: "we_\(number % 17)"),
            createdAt: Samples.time(Int64(number % 4)),
            url: "https://example.com/\(number)",
            label: number.isMultiple(of: 3) ? "label" : nil,
            form: Form.allCases[number % Form.allCases.count],
            eventTypes: number.isMultiple(of: 2) ? nil : ["subscription.*", "entitlement.granted"]
        )
        endpoint.disabledReason = number.isMultiple(of: 5) ? DisabledReason.allCases[number % 3] : nil
        return endpoint
    }
}

extension WebhookSecret: SampledRecord {
    static func sample(_ number: Int) -> WebhookSecret {
        WebhookSecret(
            endpointID: WebhookEndpointID(rawValue: "we_\(number % 5)"),
            id: "secret \(number % 7)",
            kind: Kind.allCases[number % Kind.allCases.count],
            text: "whsec_\(number)",
            createdAt: Samples.time(Int64(number)),
            expiresAt: number.isMultiple(of: 2) ? nil : Samples.time(Int64(number) + 1)
        )
    }
}

extension WebhookProgress: SampledRecord {
    static func sample(_ number: Int) -> WebhookProgress {
        var progress = WebhookProgress(
            endpointID: WebhookEndpointID(rawValue: "we_\(number % 17)"),
            cursor: Int64(number)
        )
        progress.nextDueAt = number.isMultiple(of: 2) ? Samples.time(Int64(number)) : nil
        progress.openCount = number % 9
        progress.health.failures = number % 4
        progress.health.failingSince = number.isMultiple(of: 3) ? Samples.time(Int64(number)) : nil
        progress.health.probeAt = number.isMultiple(of: 5) ? Samples.time(Int64(number) + 1) : nil
        progress.deliveredAt = number.isMultiple(of: 7) ? nil : Samples.time(Int64(number) + 2)
        progress.erasures = number % 6
        progress.holder = number.isMultiple(of: 4) ? "server" : nil
        progress.heldUntil = number.isMultiple(of: 4) ? Samples.time(Int64(number) + 3) : nil
        return progress
    }
}

extension WebhookDelivery: SampledRecord {
    static func sample(_ number: Int) -> WebhookDelivery {
        var delivery = WebhookDelivery(
            endpointID: WebhookEndpointID(rawValue: "we_\(number % 3)"),
            sequence: Int64(number % 11),
            messageID: "evt_\(number)",
            type: "subscription.renewed",
            customerID: number.isMultiple(of: 4) ? nil : CustomerID("customer \(number % 5)"),
            orderKey: number.isMultiple(of: 6) ? nil : "customer \(number % 5)",
            state: State.allCases[number % State.allCases.count],
            createdAt: Samples.time(Int64(number))
        )
        delivery.blocks = number.isMultiple(of: 3)
        delivery.dueAt = delivery.state == .waiting ? Samples.time(Int64(number % 3)) : nil
        delivery.settledAt = delivery.isOpen ? nil : Samples.time(Int64(number % 5))
        delivery.tries = number % 10
        delivery.attemptCount = number % 12
        delivery.attempts = number.isMultiple(of: 2) ? "[]" : nil
        delivery.body = number.isMultiple(of: 2) ? [UInt8(number % 256), 0, 255] : nil
        return delivery
    }
}
