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
    /// The problems of stores that do not answer.
    private(set) var findings: [DoctorFinding] = []

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
        for (index, result) in results {
            switch result {
            case .success(let store):
                stores.append(store)
                findings.append(
                    .ok(.store, store.url, "It sells \(store.credentials.app.id.rawValue).")
                )
                findings.append(
                    .ok(.clock, store.url, "The store's clock is followed: \(store.now.dateAndTimeText).")
                )
            case .failure(let error):
                let remedy = "Start perennial store, or correct --store."
                findings.append(.problem(.store, error.code, urls[index], error.message, remedy: remedy))
            }
        }
    }

    /// The earliest clock; nil without a store.
    var now: Timestamp? { stores.map(\.now).min() }

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
