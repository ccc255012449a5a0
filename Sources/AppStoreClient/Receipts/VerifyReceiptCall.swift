package import AppStoreModel

/// Apple's deprecated `/verifyReceipt`: the transactions that an app receipt stands for.
///
/// The answer is not signed. It is good for identifiers only.
///
/// - Source: App Store Receipts, verifyReceipt.
package struct VerifyReceiptCall: Sendable {
    /// Apple's hosts.
    package static let appleHosts = AppStoreHosts([
        .production: "https://buy.itunes.apple.com",
        .sandbox: "https://sandbox.itunes.apple.com",
    ])

    /// The maximum size of an answer: a few thousand transactions of about 1 KB, and the newest receipt.
    private static let answerBytesMax = 16 << 20

    private let transport: any HTTPTransport
    private let url: String
    private let sharedSecret: String?

    /// Makes the call for one environment.
    ///
    /// - Parameters:
    ///   - hosts: Apple's, or those of a local store.
    ///   - sharedSecret: Apple requires it for receipts with auto-renewable subscriptions.
    /// - Returns: Nil if the hosts have none for the environment.
    package init?(
        transport: any HTTPTransport,
        hosts: AppStoreHosts = Self.appleHosts,
        in environment: AppStoreEnvironment,
        sharedSecret: String?
    ) {
        guard let host = hosts[environment] else { return nil }
        self.transport = transport
        url = host + "/verifyReceipt"
        self.sharedSecret = sharedSecret
    }

    /// Sends a receipt.
    ///
    /// - Parameters:
    ///   - receipt: The receipt in base64, of any age.
    ///   - timeout: The time limit.
    /// - Returns: Nil if the answer is none of this call, or if its HTTP status is no success.
    /// - Throws: ``HTTPTransportError``.
    package func send(_ receipt: String, timeout: Duration) async throws(HTTPTransportError) -> VerifyReceiptAnswer? {
        var body: JSONObject = ["receipt-data": .string(receipt), "exclude-old-transactions": false]
        if let sharedSecret { body["password"] = .string(sharedSecret) }
        let request = AppStoreHTTPRequest(
            method: "POST",
            url: url,
            headers: HTTPHeaders([.init("Content-Type", "application/json"), .init("Accept", "application/json")]),
            body: body.serialize()
        )
        let response = try await transport.send(request, timeout: timeout, bodyBytesMax: Self.answerBytesMax)
        guard response.status == 200 else { return nil }
        return VerifyReceiptAnswer(response.body)
    }
}

/// An answer of `/verifyReceipt`, as far as it identifies transactions.
package struct VerifyReceiptAnswer: Hashable, Sendable {
    /// A transaction in the answer.
    package struct Transaction: Hashable, Sendable {
        /// Its identifier.
        package let id: String
        /// The identifier of the purchase's first transaction.
        package let originalID: String
    }

    /// Apple's status; 0 for a valid receipt.
    package let status: Int64
    /// Whether Apple says that the same request may succeed later.
    package let isRetryable: Bool
    /// The transactions of `latest_receipt_info`, then those of `receipt.in_app` that are not among them.
    package let transactions: [Transaction]

    /// Reads an answer.
    ///
    /// - Returns: Nil if it is no JSON object with a status.
    package init?(_ body: [UInt8]) {
        guard let answer = try? JSONParser.parseObject(body), let status = answer["status"]?.integerValue else {
            return nil
        }
        self.status = status
        isRetryable = answer["is-retryable"]?.boolValue ?? answer["is_retryable"]?.boolValue ?? false
        var transactions: [Transaction] = []
        var known: Set<Transaction> = []
        for list in [answer["latest_receipt_info"], answer["receipt"]?.objectValue?["in_app"]] {
            // The answer about a receipt of iOS 6 has one object instead of a list.
            let entries = list?.arrayValue ?? list?.objectValue.map { [.object($0)] } ?? []
            for entry in entries.compactMap(\.objectValue).compactMap(Transaction.init(entry:))
            where known.insert(entry).inserted {
                transactions.append(entry)
            }
        }
        self.transactions = transactions
    }
}

extension VerifyReceiptAnswer.Transaction {
    fileprivate init?(entry: JSONObject) {
        guard let id = entry["transaction_id"]?.identifier else { return nil }
        self.init(id: id, originalID: entry["original_transaction_id"]?.identifier ?? id)
    }
}

extension JSONValue {
    /// An identifier: Apple sends texts, and in some answers numbers.
    fileprivate var identifier: String? {
        guard let text = stringValue ?? integerValue.map(String.init), !text.isEmpty else { return nil }
        return text
    }
}
