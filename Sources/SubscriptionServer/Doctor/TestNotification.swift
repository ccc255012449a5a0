import AppStoreClient
import AppStoreModel
import AppStoreSigning
import SubscriptionCore
import SubscriptionIntake
import SubscriptionStorage

/// Makes Apple send a test notification, and follows it to the database.
struct TestNotification: Sendable {
    /// How a test notification ended.
    enum Outcome: Hashable, Sendable {
        /// Apple delivered it, and the database contains it.
        case stored
        /// Apple delivered it, but the database does not contain it.
        case elsewhere
        /// The result of Apple's last attempt.
        case undelivered(SendAttemptResult)
        /// No URL is set for the environment.
        case noURL
        /// Apple made no attempt in time.
        case noAttempt
        /// The request failed; the code of the error.
        case failed(String)
        /// The database could not be read; the code of the error.
        case unreadable(String)
    }

    /// The pause between two queries, below Apple's limits of 1/s in production and 0.1/s in sandbox, and the total
    /// time.
    private struct Pace {
        let pause: Duration
        let timeout: Duration
    }

    let target: AppStoreTarget
    let transport: any HTTPTransport
    let database: any SubscriptionDatabase

    private var pace: Pace {
        if target.isLocal { return Pace(pause: .milliseconds(100), timeout: .seconds(20)) }
        let isProduction = target.environment == .production
        return Pace(pause: isProduction ? .seconds(2) : .seconds(11), timeout: .seconds(60))
    }

    /// Sends one, and waits for its delivery.
    func run() async -> Outcome {
        let api = target.api(with: target.keys, transport)
        do throws(AppStoreClientError) {
            let token = try await api.requestTestNotification().testNotificationToken
            guard let status = try await delivered(token, api) else { return .noAttempt }
            guard let last = status.sendAttempts?.last?.sendAttemptResult ?? status.firstSendAttemptResult else {
                return .noAttempt
            }
            guard last == .success else { return .undelivered(last) }
            return await stored(status.signedPayload)
        } catch {
            if error.apiError?.code == AppStoreServerAPIError.serverNotificationURLNotFound.code { return .noURL }
            return .failed(error.code.rawValue)
        }
    }

    /// The status after the first attempt; nil if there is none in time.
    private func delivered(
        _ token: String,
        _ api: AppStoreServerAPIClient.App
    ) async throws(AppStoreClientError) -> CheckTestNotificationResponse? {
        let pace = pace
        let end = ContinuousClock.now + pace.timeout
        while true {
            do throws(AppStoreClientError) {
                let status = try await api.getTestNotificationStatus(testNotificationToken: token).value
                if status.sendAttempts?.isEmpty == false || status.firstSendAttemptResult != nil { return status }
            } catch {
                let isEarly = error.apiError?.code == AppStoreServerAPIError.testNotificationNotFound.code
                guard isEarly || error.isRetryable else { throw error }
            }
            guard ContinuousClock.now + pace.pause < end else { return nil }
            do { try await Task.sleep(for: pace.pause) } catch { return nil }
        }
    }

    /// The server commits a notification before it answers Apple.
    private func stored(_ signedPayload: String) async -> Outcome {
        guard
            let payload = try? UnverifiedJWS.decode(signedPayload).payload,
            let uuid = payload["notificationUUID"]?.stringValue
        else { return .failed("response_malformed") }
        let id = AppleIntake.evidenceID(notificationUUID: uuid)
        do throws(StorageError) {
            let app = target.app
            let found = try await database.read { storage throws(StorageError) in
                try storage.evidence(id, of: app) != nil
            }
            return found ? .stored : .elsewhere
        } catch {
            return .unreadable(error.code.rawValue)
        }
    }
}
