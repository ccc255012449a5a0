package import SubscriptionCore

/// The stored form of an event: one byte for the form, then its parts in the order below (decision 24).
extension SubscriptionEvent {
    private static let form: UInt8 = 1
    /// The form with the reason of an inactive entitlement.
    private static let inactiveForm: UInt8 = 2

    /// The event as bytes, the same for equal events.
    package var compactBytes: [UInt8] {
        var writer = CompactWriter(form: entitlement?.inactiveReason == nil ? Self.form : Self.inactiveForm)
        writer.write(kind)
        writer.write(occurredAt)
        writer.write(purchaseID) { $0.write($1) }
        writer.write(transactionID) { $0.write($1) }
        writer.write(productID) { $0.write($1) }
        writer.write(price) { $0.write($1) }
        writer.write(proceeds) { $0.write($1) }
        writer.write(entitlement) { $1.write(to: &$0) }
        writer.write(details) { writer, details in
            writer.write(UInt64(details.count))
            for (name, value) in details.sorted(by: { $0.key.utf8.lexicographicallyPrecedes($1.key.utf8) }) {
                writer.write(name)
                writer.write(value)
            }
        }
        return writer.bytes
    }

    /// Reads what ``compactBytes`` wrote.
    ///
    /// - Throws: ``StorageError`` with `storage_corrupt`.
    package init(compactBytes: [UInt8]) throws(StorageError) {
        var reader = try CompactReader(compactBytes)
        guard [Self.form, Self.inactiveForm].contains(reader.form) else {
            throw .unreadable("an event of form \(reader.form)")
        }
        self.init(
            kind: try reader.choice(),
            occurredAt: try reader.time(),
            purchaseID: try reader.optional { reader throws(StorageError) in try reader.identifier() }
        )
        transactionID = try reader.optional { reader throws(StorageError) in try reader.identifier() }
        productID = try reader.optional { reader throws(StorageError) in try reader.identifier() }
        price = try reader.optional { reader throws(StorageError) in try reader.money() }
        proceeds = try reader.optional { reader throws(StorageError) in try reader.money() }
        entitlement = try reader.optional { reader throws(StorageError) in
            var entitlement = try Entitlement(from: &reader)
            if reader.form == Self.inactiveForm { entitlement.inactiveReason = try reader.choice() }
            return entitlement
        }
        details = try reader.optional { reader throws(StorageError) in
            var details: [String: String] = [:]
            for _ in 0..<(try reader.count()) {
                let name = try reader.text()
                details[name] = try reader.text()
            }
            return details
        }
        try reader.finish()
    }
}

extension Entitlement {
    fileprivate func write(to writer: inout CompactWriter) {
        writer.write(id)
        writer.write(isActive)
        writer.write(expiresAt) { $0.write($1) }
        writer.write(graceExpiresAt) { $0.write($1) }
        writer.write(productID) { $0.write($1) }
        writer.write(purchaseID) { $0.write($1) }
        writer.write(grantID) { $0.write($1) }
        writer.write(willRenew)
        writer.write(hasBillingIssue)
        writer.write(source)
        if let inactiveReason { writer.write(inactiveReason) }
    }

    fileprivate init(from reader: inout CompactReader) throws(StorageError) {
        self.init(
            id: try reader.identifier(),
            isActive: try reader.flag(),
            expiresAt: try reader.optional { reader throws(StorageError) in try reader.time() },
            graceExpiresAt: try reader.optional { reader throws(StorageError) in try reader.time() },
            productID: try reader.optional { reader throws(StorageError) in try reader.identifier() },
            purchaseID: try reader.optional { reader throws(StorageError) in try reader.identifier() },
            grantID: try reader.optional { reader throws(StorageError) in try reader.identifier() },
            willRenew: try reader.flag(),
            hasBillingIssue: try reader.flag(),
            source: try reader.choice()
        )
    }
}
