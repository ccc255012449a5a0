import AppStoreClient
import AppStoreSigning
import SubscriptionCore

/// Tries each key of an app with a cheap call, which asks for a transaction that does not exist.
struct KeyCheckup: Sendable {
    /// The result of a call with one key.
    enum Trial: Hashable, Sendable {
        /// The call was authorized.
        case accepted
        /// Apple answered 401; the reason is for people.
        case refused(String)
        /// There was no answer about the key; the code of the error.
        case unanswered(String)
    }

    private static let unknownTransaction = "1"

    let target: AppStoreTarget
    let transport: any HTTPTransport

    /// Tries all keys, in their order.
    func trials() async -> [(keyID: String, trial: Trial)] {
        var trials: [(keyID: String, trial: Trial)] = []
        for key in target.keys { trials.append((key.keyId, await trial(key))) }
        return trials
    }

    private func trial(_ key: InAppPurchaseKey) async -> Trial {
        do throws(AppStoreClientError) {
            _ = try await target.api(with: [key], transport).getTransactionInfo(transactionId: Self.unknownTransaction)
            return .accepted
        } catch {
            switch error.code {
            case .unauthorized, .keyMissing, .tokenNotMade: return .refused(error.message)
            case .refused, .transactionNotFound, .rateLimited: return .accepted
            default: return .unanswered(error.code.rawValue)
            }
        }
    }

    /// One finding for each key.
    static func findings(_ app: AppID, _ trials: [(keyID: String, trial: Trial)]) -> [DoctorFinding] {
        let isAnyAccepted = trials.contains { $0.trial == .accepted }
        return trials.map { keyID, trial in
            let subject = "\(app.rawValue) \(keyID)"
            switch trial {
            case .accepted: return .ok(.key, subject, "Apple accepts the key.")
            case .unanswered(let code):
                return .skipped(.key, subject, untried(AppStoreClientError.Code(rawValue: code)))
            case .refused(let reason):
                let remedy = "Replace the key in app_store if it was revoked. \(reason)"
                if isAnyAccepted {
                    let message = "Apple refuses the key (401). Another key of the app is used."
                    return .warning(.key, "key_refused", subject, message, remedy: remedy)
                }
                return .problem(.key, "key_refused", subject, "Apple refuses the key (401).", remedy: remedy)
            }
        }
    }

    private static func untried(_ code: AppStoreClientError.Code) -> String {
        switch code {
        case .serverFault, .responseMalformed, .responseTooLarge:
            "The key was not tried: Apple, or the local store, answered with an error (\(code.rawValue)). "
                + "Run this command again in some minutes."
        case _ where code.mayPass:
            "The key was not tried (\(code.rawValue)). Run this command again in some minutes."
        default: "The key was not tried (\(code.rawValue))."
        }
    }

    /// The finding for an app without keys.
    static func missing(_ app: AppID) -> DoctorFinding {
        .warning(
            .key,
            "key_missing",
            app.rawValue,
            "No key for the App Store Server API is configured, so lost notifications are not recovered.",
            remedy: "Set app_store.key_id, app_store.issuer_id and app_store.private_key_file, or app_store.keys."
        )
    }
}

extension AppStoreClientError.Code {
    /// Whether the cause is neither a key nor the configuration, so that the same call may succeed some minutes later.
    var mayPass: Bool {
        switch self {
        case .rateLimited, .rateLimitedByClient, .serverFault, .timedOut, .deadlineExceeded, .connectionLost,
            .responseMalformed, .responseTooLarge:
            true
        default: false
        }
    }
}
