public import SubscriptionCore

/// A secret of a webhook endpoint. It signs each request, so it is stored itself.
public struct WebhookSecret: Hashable, Sendable {
    /// What the secret is for.
    public enum Kind: String, Hashable, Sendable, CaseIterable {
        /// The key of an HMAC-SHA256, `whsec_…`.
        case hmac
        /// The private key of an Ed25519 signature, `whsk_…`.
        case ed25519
        /// The value of the header field `Authorization`.
        case authorization
    }

    /// The endpoint.
    public var endpointID: WebhookEndpointID
    /// The identifier, which is not secret.
    public var id: String
    /// What it is for.
    public var kind: Kind
    /// The secret.
    public var text: String
    /// When it was made.
    public var createdAt: Timestamp
    /// When it stops being used, in real time; nil if it was not rotated.
    public var expiresAt: Timestamp?

    /// Makes a secret.
    public init(
        endpointID: WebhookEndpointID,
        id: String,
        kind: Kind,
        text: String,
        createdAt: Timestamp,
        expiresAt: Timestamp? = nil
    ) {
        self.endpointID = endpointID
        self.id = id
        self.kind = kind
        self.text = text
        self.createdAt = createdAt
        self.expiresAt = expiresAt
    }
}

extension WebhookSecret: TableRecord {
    /// The table.
    public static let table = TableDescription(
        "webhook_secrets",
        columns: [
            .text("endpoint_id"), .text("secret_id"), .text("kind"), .text("secret", secret: true),
            .integer("created_at"), .integer("expires_at", optional: true),
        ],
        key: ["endpoint_id", "secret_id"],
        lock: .none,
        isOftenEmpty: true,
        step: 22
    )

    /// The values of the columns, in the order of the table.
    public var columns: [ColumnValue] {
        [.text(endpointID), .text(id), .text(kind), .text(text), .time(createdAt), .time(expiresAt)]
    }

    /// Reads a row.
    ///
    /// - Throws: ``StorageError`` with `storage_corrupt` if a value is invalid.
    public init(row: some ColumnReading) throws(StorageError) {
        self.init(
            endpointID: try row.identifier(0),
            id: try row.text(1),
            kind: try row.choice(2),
            text: try row.text(3),
            createdAt: try row.time(4),
            expiresAt: try row.optionalTime(5)
        )
    }
}

extension TableReading {
    /// The secrets of an endpoint, newest first.
    ///
    /// - Throws: ``StorageError``.
    public func webhookSecrets(of endpoint: WebhookEndpointID, app: AppID) throws(StorageError) -> [WebhookSecret] {
        // The rows are in order of identifier. The sort is stable, so secrets with the same time keep that order.
        try rows(of: WebhookSecret.self, TableLookup(of: app, equal: [.text(endpoint)])).sorted {
            $0.createdAt > $1.createdAt
        }
    }
}

extension TableWriting {
    /// Adds or replaces a secret.
    ///
    /// - Throws: ``StorageError``.
    public func save(_ secret: WebhookSecret, of app: AppID) throws(StorageError) { try save(secret, in: app) }

    /// Removes a secret.
    ///
    /// - Throws: ``StorageError``.
    public func remove(_ secret: WebhookSecret, of app: AppID) throws(StorageError) {
        try remove(WebhookSecret.self, TableLookup(of: app, equal: [.text(secret.endpointID), .string(secret.id)]))
    }
}
