import AppStoreModel
import ArgumentParser
import PerennialCommandSupport
import SubscriptionOperations
import SubscriptionStorage

extension KeysCommand {
    /// `perennial keys revoke`.
    struct Revoke: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            abstract:
                """
                Revoke a key. Running servers accept it for at most \(KnownKeys.trustedFor.components.seconds) more \
                seconds.
                """
        )

        @OptionGroup var target: Target

        @Argument(
            help: ArgumentHelp(
                "The key as keys list prints it (sk_…3f9a), its last four characters, or the whole key.",
                valueName: "key"
            )
        )
        var key: String

        /// The result of the search for the named key.
        private enum Outcome {
            case revoked(APIKeyRecord)
            case found(count: Int)
        }

        func run() async throws {
            let (app, key, now) = (target.appID, key, SystemTimeSource().now())
            var count = 1
            try await target.printLines { database throws(StorageError) in
                let outcome = try await database.write { storage throws(StorageError) -> Outcome? in
                    guard try storage.apps().contains(where: { $0.id == app }) else { return nil }
                    let named = try storage.apiKeys(of: app).filter { $0.isNamed(key) }
                    guard let record = named.first, named.count == 1 else { return .found(count: named.count) }
                    try storage.removeAPIKey(digest: record.digest, of: app)
                    try storage.audit(
                        .keyRevoked,
                        .key(record.shownText),
                        by: Operator("perennial keys revoke"),
                        app: app,
                        at: now,
                        before: AuditedValue(record)
                    )
                    return .revoked(record)
                }
                switch outcome {
                case nil: return nil
                case .revoked(let record): return ["revoked \(record.shownText)"]
                case .found(let found):
                    count = found
                    return []
                }
            }
            switch count {
            case 1: return
            case 0:
                throw CommandFailure.report(
                    "key_not_found: \(app) has no such key: perennial keys list shows its keys",
                    status: .failed
                )
            default:
                throw CommandFailure.report(
                    "key_ambiguous: \(count) keys of \(app) match, and none was revoked: give the whole key",
                    status: .failed
                )
            }
        }
    }
}

extension AuditedValue {
    /// The description of a key, without its secret.
    init(_ key: APIKeyRecord) {
        self.init(["kind": .string(key.kind.rawValue), "label": key.label.map { .string($0) }])
    }
}

extension APIKeyRecord {
    /// Whether a text names this key: as listed, by its last characters, or completely.
    fileprivate func isNamed(_ text: String) -> Bool {
        text == shownText || text == hint || KeyIssuing.digest(text) == digest
    }
}
