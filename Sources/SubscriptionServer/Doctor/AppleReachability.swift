import AppStoreClient
import SubscriptionCore
import SubscriptionOperations

/// Sends a request without a token to a host of the App Store Server API. Any answer shows that it is reachable, and
/// its `Date` header is Apple's clock.
struct AppleReachability: Sendable {
    private static let timeout = Duration.seconds(10)
    private static let answerBytesMax = 1 << 20

    /// The base URL of an environment.
    let url: String
    let transport: any HTTPTransport
    let time: any TimeSource

    func findings() async -> [DoctorFinding] {
        let request = AppStoreHTTPRequest(method: "GET", url: "\(url)/inApps/v1/notifications/test/0")
        let before = time.now()
        let response: AppStoreHTTPResponse
        do {
            response = try await transport.send(
                request,
                timeout: Self.timeout,
                bodyBytesMax: Self.answerBytesMax
            )
        } catch {
            return [
                .problem(
                    .appStore,
                    "app_store_unreachable",
                    url,
                    "The App Store Server API does not answer (\(error.code.rawValue)).",
                    remedy: "Allow outgoing HTTPS connections to this host, and check DNS and the proxy."
                ),
                .skipped(.clock, url, "The clock was not compared, because there is no answer."),
            ]
        }
        return [reached(response.status), clock(response, before: before, after: time.now())]
    }

    private func reached(_ status: Int) -> DoctorFinding {
        guard status >= 500 else { return .ok(.appStore, url, "The App Store Server API answers.") }
        let message = "The App Store Server API answered \(status)."
        return .warning(.appStore, "app_store_fault", url, message, remedy: "Run this command again later.")
    }

    private func clock(_ response: AppStoreHTTPResponse, before: Timestamp, after: Timestamp) -> DoctorFinding {
        let date = response.headers["date"].flatMap { HTTPDate.milliseconds($0, now: after.milliseconds) }
        guard let date else { return .skipped(.clock, url, "The answer has no Date header.") }
        let comparison = ClockComparison(
            witness: url,
            time: Timestamp(milliseconds: date),
            resolutionMilliseconds: 1_000,
            before: before,
            after: after
        )
        return comparison.finding
    }
}
