import AsyncHTTPClient
import Logging
import ServiceLifecycle
import SubscriptionCore
import SubscriptionOperations
import SubscriptionStorage

/// The local stores that a server follows: one, or several with different apps or environments.
struct FollowedStores: Sendable {
    /// One store.
    struct Store: Sendable {
        let link: StoreLink
        let credentials: StoreLink.Credentials
        /// The token that the store sends with its clock movements.
        let token: String
    }

    let stores: [Store]
    /// The earliest of the stores' clocks.
    let time: FollowedTimeSource

    /// Reads the credentials and the clocks of stores; it waits for a store that has not started yet.
    ///
    /// - Throws: ``StartError``.
    static func find(_ urls: [String], client: HTTPClient, logger: Logger) async throws -> FollowedStores {
        var stores: [Store] = []
        var times: [Timestamp] = []
        for url in urls {
            let link = StoreLink(client: client, baseURL: url)
            let credentials = try await cancelWhenGracefulShutdown {
                try await withThrowingTaskGroup(of: Void.self) { group in
                    group.addTask { await StoreLink.reportWaiting(for: url, logger: logger) }
                    defer { group.cancelAll() }
                    return try await link.credentials()
                }
            }
            if let twin = stores.firstIndex(where: { $0.credentials.app.id == credentials.app.id }) {
                throw StartError.storesAlike(urls[twin], url, app: credentials.app.id)
            }
            times.append(try await link.now())
            stores.append(Store(link: link, credentials: credentials, token: KeyIssuing.makeKey(.secret)))
            logger.notice(
                "Following a local App Store: its app, its root certificate and its clock",
                metadata: ["store": "\(url)", "app": "\(credentials.app.id)"]
            )
        }
        return FollowedStores(stores: stores, time: FollowedTimeSource(of: times))
    }

    /// Registers this server with every store.
    ///
    /// - Throws: ``StartError``.
    func join(serverURL: String) async throws {
        for (index, store) in stores.enumerated() {
            let now = try await store.link.join(serverURL: serverURL, token: store.token)
            time.advance(to: now, ofStore: index)
        }
    }
}

extension StartError {
    fileprivate static func storesAlike(_ first: String, _ second: String, app: AppID) -> StartError {
        StartError(
            "stores_alike",
            "\(first) and \(second) both sell \(app). Start one with another --environment, or with another "
                + "--bundle-id.",
            kind: .configuration
        )
    }
}
