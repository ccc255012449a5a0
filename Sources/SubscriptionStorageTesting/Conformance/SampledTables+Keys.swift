import SubscriptionCore
import SubscriptionStorage

extension APIKeyRecord: SampledRecord {
    static func sample(_ number: Int) -> APIKeyRecord {
        APIKeyRecord(
            digest: [UInt8(number % 17), 0, 255],
            // A digest is unique among all apps.
            appID: (number % 17).isMultiple(of: 2) ? Samples.app : Samples.otherApp,
            kind: number.isMultiple(of: 3) ? .publishable : .secret,
            hint: "\(number)",
            createdAt: Samples.time(Int64(number % 4)),
            label: number.isMultiple(of: 5) ? nil : "label",
            scope: KeyScope.allCases[number % 4],
            expiresAt: number.isMultiple(of: 2) ? nil : Samples.time(Int64(number)),
            replacedAt: number.isMultiple(of: 3) ? nil : Samples.time(Int64(number) + 1)
        )
    }
}

extension APIKeyUse: SampledRecord {
    static func sample(_ number: Int) -> APIKeyUse {
        APIKeyUse(keyID: "key_\(number % 17)", lastUsedAt: Samples.time(Int64(number)))
    }
}

extension AuditEntry: SampledRecord {
    static func sample(_ number: Int) -> AuditEntry {
        AuditEntry(
            id: AuditEntryID(rawValue: "aud_\(number % 17)"),
            occurredAt: Samples.time(Int64(number % 3)),
            actor: "perennial keys",
            action: "grant.created",
            target: SampledTables.customer(number).rawValue,
            before: number.isMultiple(of: 5) ? nil : "{}",
            after: "{\"n\":\(number)}",
            requestID: number.isMultiple(of: 3) ? nil : "req_\(number)",
            link: number % 17 > 4 ? link(number) : nil
        )
    }

    /// Each entry has its own position.
    private static func link(_ number: Int) -> AuditLink {
        AuditLink(
            sequence: Int64(number % 17),
            previous: [UInt8(number % 256), 1],
            salt: number.isMultiple(of: 2) ? [0, 255] : nil,
            content: [UInt8(number % 256), 2],
            digest: [UInt8(number % 256), 3]
        )
    }
}

extension AuditHead: SampledRecord {
    static func sample(_ number: Int) -> AuditHead {
        AuditHead(sequence: Int64(number), digest: [UInt8(number % 256), 0, 255])
    }
}
