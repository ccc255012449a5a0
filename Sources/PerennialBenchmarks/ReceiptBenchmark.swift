import AppStoreModel
import AppStoreSigning
import AppStoreTestAuthorities
import SwiftASN1

/// Measures the cost of an app receipt: decoding, verification, and extraction of its transaction identifiers.
struct ReceiptBenchmark {
    private let bytes: [UInt8]
    private let text: String
    private let root: ReceiptRoot
    private let purchases: Int

    /// Mints a receipt with new keys.
    ///
    /// - Parameter purchases: The number of purchases in it.
    init(purchases: Int) throws {
        var receipt = AppReceipt(
            bundleId: "com.example.perennial",
            receiptType: .productionSandbox,
            creationDate: 1_767_258_000_000
        )
        // Starts like a set, as some of Apple's do by chance.
        receipt.opaqueValue = [0x31, 0xDE] + [UInt8](repeating: 0x5A, count: 14)
        receipt.inAppPurchases = (0..<Int64(purchases)).map { number in
            var purchase = InAppPurchaseReceipt(
                productId: "pro.monthly",
                transactionId: String(2_000_000_000_000_000 + number),
                originalTransactionId: "2000000000000000",
                quantity: 1,
                purchaseDate: 1_700_000_000_000 + number * 1000
            )
            purchase.originalPurchaseDate = 1_700_000_000_000
            purchase.expirationDate = 1_702_592_000_000 + number * 1000
            purchase.webOrderLineItemId = 2_000_000_100_000_000 + number
            purchase.isTrialPeriod = false
            return purchase
        }
        let authority = try TestReceiptAuthority()
        bytes = try authority.mint(receipt)
        text = try authority.mintBase64(receipt)
        root = authority.receiptRoot
        self.purchases = purchases
    }

    /// Measures in alternating rounds and reports the medians.
    ///
    /// - Throws: ``BenchmarkError/sampleRefused`` if a figure would be meaningless.
    func run(rounds: Int) throws -> JSONObject {
        let verifier = ReceiptVerifier(roots: [root])
        let works: [(name: String, work: (Int) throws -> Void)] = [
            ("raw_asn1_trees_per_second", { _ in try Self.makeTrees(of: bytes[...]) }),
            (
                "parsed_per_second",
                { _ in
                    let found = try UnverifiedReceipt.decode(bytes).receipt.inAppPurchases.count
                    guard found == purchases else { throw BenchmarkError.sampleRefused }
                }
            ),
            (
                "ids_extracted_per_second",
                { _ in
                    let found = ReceiptTransactions.extract(from: text).transactions.count
                    guard found == purchases else { throw BenchmarkError.sampleRefused }
                }
            ),
            ("verified_per_second", { _ in _ = try verifier.verify(bytes).get() }),
            (
                // The offline part of perennial migrate-receipts for a row.
                "migrated_offline_per_second",
                { _ in
                    let found = try verifier.verify(text).get().inAppPurchases
                    let purchases = Set(found.map { $0.originalTransactionId ?? $0.transactionId })
                    guard purchases.count == 1 else { throw BenchmarkError.sampleRefused }
                }
            ),
        ]
        let batches = try works.map { try ThreadClock.batchCount(of: $0.work) }
        var costs = [[Double]](repeating: [], count: works.count)
        for round in 0...rounds {
            for (index, work) in works.enumerated() {
                let cost = try ThreadClock.cost(of: work.work, count: batches[index])
                // The first round warms caches and branch predictors.
                if round > 0 { costs[index].append(cost) }
            }
        }
        var report: JSONObject = ["benchmark": .string("receipts"), "build": .string(VerificationReport.build)]
        for (index, work) in works.enumerated() {
            let perSecond = 1e9 / Statistics.median(costs[index])
            report[work.name] = .decimal(VerificationReport.fixed(perSecond, digits: 1))
        }
        report["purchases"] = .integer(Int64(purchases))
        report["receipt_bytes"] = .integer(Int64(bytes.count))
        report["rounds"] = .integer(Int64(rounds))
        report["time"] = .string("thread_cpu")
        return report
    }

    /// Lets swift-asn1 parse everything: the container, and the octet strings down to the purchases.
    private static func makeTrees(of bytes: ArraySlice<UInt8>) throws {
        follow(try BER.parse(bytes))
    }

    private static func follow(_ node: ASN1Node) {
        switch node.content {
        case .constructed(let nodes):
            for node in nodes { follow(node) }
        case .primitive(let bytes):
            // One in 256 digests, signatures and opaque values starts like a set without being one.
            let set: UInt8 = 0x31
            if node.identifier == .octetString, bytes.first == set, let tree = try? BER.parse(bytes) { follow(tree) }
        }
    }
}
