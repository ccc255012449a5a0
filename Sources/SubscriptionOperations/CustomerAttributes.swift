import AppStoreModel
public import SubscriptionCore
public import SubscriptionStorage

/// The developer's attributes of a customer.
public struct CustomerAttributes: Sendable {
    /// How many attributes a customer may be given.
    public static let attributesMax = 50
    /// How long a name may be, in bytes.
    public static let nameBytesMax = 40
    /// How long a text may be, in bytes.
    public static let valueBytesMax = 500

    /// A change of a customer's attributes.
    public enum Change: Hashable, Sendable {
        /// These replace all attributes.
        case replace([String: String])
        /// These are set; those with nil are removed.
        case merge([String: String?])
    }

    private let database: any SubscriptionDatabase
    private let time: any TimeSource

    /// Makes the use case.
    public init(database: any SubscriptionDatabase, time: any TimeSource) {
        self.database = database
        self.time = time
    }

    /// A customer with the attributes.
    ///
    /// - Throws: ``OperationError`` `customer_not_found`, or storage's codes.
    public func customer(_ name: CustomerID, of app: AppID) async throws(OperationError) -> CustomerRecord {
        let customer: CustomerRecord?
        do {
            customer = try await database.read { storage throws(StorageError) in
                try storage.customer(named: name, of: app)
            }
        } catch {
            throw OperationError(error)
        }
        guard let customer else { throw .customerNotFound }
        return customer
    }

    /// Changes a customer's attributes. The customer may be unknown. Entitlements and the version do not change.
    ///
    /// - Parameter who: The person who makes the change, for the audit log; nil for a backend, which sets attributes
    ///   all the time.
    /// - Returns: The customer with the attributes.
    /// - Throws: ``OperationError`` `attribute_name_reserved`, `attribute_name_invalid`, `attribute_value_invalid`,
    ///   `too_many_attributes`, or storage's codes.
    public func change(
        _ name: CustomerID,
        of app: AppID,
        _ change: Change,
        by who: Operator? = nil
    ) async throws(OperationError) -> CustomerRecord {
        try change.check()
        let now = time.now()
        let result: Result<CustomerRecord, OperationError>
        do {
            result = try await database.write { storage throws(StorageError) in
                let id = try storage.customerID(for: name, app: app)
                var customer =
                    try storage.customer(id, of: app) ?? CustomerRecord(id: id, firstSeenAt: now, stateVersion: 0)
                let before = customer.profile.attributes
                customer.profile.apply(change, at: now)
                let after = customer.profile.attributes
                guard after.count <= Self.attributesMax || after.count <= before.count else {
                    return .failure(.tooManyAttributes)
                }
                try storage.save(customer, of: app)
                if let who, before != after {
                    try storage.audit(
                        .attributesChanged,
                        .customer(id),
                        by: who,
                        app: app,
                        at: now,
                        before: AuditedValue(attributes: before, changedFrom: after),
                        after: AuditedValue(attributes: after, changedFrom: before)
                    )
                }
                return .success(customer)
            }
        } catch {
            throw OperationError(error)
        }
        return try result.get()
    }
}

extension AuditedValue {
    /// The attributes that others do not have with the same value.
    fileprivate init(
        attributes: [String: CustomerProfile.Attribute],
        changedFrom others: [String: CustomerProfile.Attribute]
    ) {
        var texts = JSONObject()
        for (name, attribute) in attributes.sorted(by: { $0.key < $1.key }) where others[name] != attribute {
            texts[name] = .string(attribute.value)
        }
        self.init(["attributes": .object(texts)])
    }
}

extension CustomerProfile {
    /// An attribute with an unchanged value keeps its time, so repeating a change has no effect.
    fileprivate mutating func apply(_ change: CustomerAttributes.Change, at now: Timestamp) {
        switch change {
        case .replace(let texts):
            attributes = attributes.filter { texts[$0.key] != nil }
            for (name, text) in texts { set(name, to: text, at: now) }
        case .merge(let texts):
            for (name, text) in texts { set(name, to: text, at: now) }
        }
    }

    private mutating func set(_ name: String, to text: String?, at now: Timestamp) {
        guard let text else {
            attributes[name] = nil
            return
        }
        guard attributes[name].map({ $0.value.utf8.elementsEqual(text.utf8) }) != true else { return }
        attributes[name] = Attribute(value: text, setAt: now)
    }
}

extension CustomerAttributes.Change {
    fileprivate func check() throws(OperationError) {
        switch self {
        case .replace(let texts):
            guard texts.count <= CustomerAttributes.attributesMax else { throw .tooManyAttributes }
            for (name, text) in texts { try Self.check(name, text) }
        case .merge(let texts):
            for (name, text) in texts { try Self.check(name, text) }
        }
    }

    private static func check(_ name: String, _ text: String?) throws(OperationError) {
        if name.hasPrefix("$") || name.hasPrefix("_") { throw .attributeNameReserved }
        let allowed = Set("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789_.-".utf8)
        guard (1...CustomerAttributes.nameBytesMax).contains(name.utf8.count), name.utf8.allSatisfy(allowed.contains)
        else { throw .attributeNameInvalid }
        guard let text else { return }
        guard text.utf8.count <= CustomerAttributes.valueBytesMax, !text.utf8.contains(0) else {
            throw .attributeValueInvalid
        }
    }
}

extension OperationError {
    fileprivate static let tooManyAttributes = OperationError(
        "too_many_attributes",
        """
        A customer may have at most \(CustomerAttributes.attributesMax) attributes. Remove one by setting it to \
        null with PATCH.
        """,
        kind: .invalidRequest,
        parameter: "attributes"
    )

    fileprivate static let attributeNameReserved = OperationError(
        "attribute_name_reserved",
        "Names that begin with $ or _ are reserved. Choose another one.",
        kind: .invalidRequest,
        parameter: "attributes"
    )

    fileprivate static let attributeNameInvalid = OperationError(
        "attribute_name_invalid",
        "An attribute's name is 1 to \(CustomerAttributes.nameBytesMax) letters, digits, _ . or - of ASCII.",
        kind: .invalidRequest,
        parameter: "attributes"
    )

    fileprivate static let attributeValueInvalid = OperationError(
        "attribute_value_invalid",
        "An attribute's value has at most \(CustomerAttributes.valueBytesMax) bytes, and no NUL character.",
        kind: .invalidRequest,
        parameter: "attributes"
    )
}
