import AsyncHTTPClient
import SubscriptionCore
import SubscriptionStorage

/// The followed local stores, as far as they answer.
struct DoctorStores: Sendable {
    /// A store that answers.
    struct Store: Sendable {
        let url: String
        let credentials: StoreLink.Credentials
        let now: Timestamp
    }

    private(set) var stores: [Store] = []
    /// The problems of stores that do not answer or that sell the same.
    private(set) var findings: [DoctorFinding] = []
    /// Whether each store of the settings answers.
    private(set) var isComplete = true

    /// Asks all stores at the same time. It does not register with them.
    init(_ urls: [String], client: HTTPClient) async {
        let results = await withTaskGroup(of: (Int, Result<Store, StartError>).self) { group in
            for (index, url) in urls.enumerated() {
                group.addTask { (index, await Self.ask(url, client)) }
            }
            var results: [(Int, Result<Store, StartError>)] = []
            for await result in group { results.append(result) }
            return results.sorted { $0.0 < $1.0 }
        }
        self.init(results.map { (urls[$0.0], $0.1) })
    }

    /// Notes the answers of stores, in the order of the settings.
    init(_ answers: [(url: String, answer: Result<Store, StartError>)]) {
        var urls: Set<String> = []
        for (url, answer) in answers {
            guard urls.insert(Self.plain(url)).inserted else {
                let remedy = "Name it once with --store."
                findings.append(.problem(.store, Self.alike, url, "The settings name it twice.", remedy: remedy))
                continue
            }
            switch answer {
            case .success(let store): add(store)
            case .failure(let error):
                isComplete = false
                let remedy = "Start perennial store, or correct --store."
                findings.append(.problem(.store, error.code, url, error.message, remedy: remedy))
            }
        }
    }

    private static let alike = "stores_alike"

    private static func plain(_ url: String) -> String { url.last == "/" ? String(url.dropLast()) : url }

    private mutating func add(_ store: Store) {
        let app = store.credentials.app.id
        if let twin = stores.first(where: { $0.credentials.app.id == app }) {
            findings.append(
                .problem(
                    .store,
                    Self.alike,
                    store.url,
                    "It sells \(app.rawValue), as \(twin.url) does. A server with both does not start.",
                    remedy: "Start one with another --environment, or with another --bundle-id."
                )
            )
            return
        }
        stores.append(store)
        findings.append(.ok(.store, store.url, "It sells \(app.rawValue)."))
        findings.append(.ok(.clock, store.url, "The store's clock is followed: \(store.now.dateAndTimeText)."))
    }

    /// The earliest clock; nil without a store.
    var now: Timestamp? { stores.map(\.now).min() }

    /// What a server that follows the stores claims of its database; nil if a store does not answer.
    var claim: DatabaseClaim? {
        guard isComplete else { return nil }
        return DatabaseClaim(
            stores: stores.map { .init(app: $0.credentials.app.id, root: $0.credentials.root, now: $0.now) }
        )
    }

    private static func ask(_ url: String, _ client: HTTPClient) async -> Result<Store, StartError> {
        let link = StoreLink(client: client, baseURL: url)
        do {
            return .success(Store(url: url, credentials: try await link.credentials(), now: try await link.now()))
        } catch let error as StartError {
            return .failure(error)
        } catch {
            return .failure(.storeUnreachable(url))
        }
    }
}
