import AppStoreModel
import AppStoreSigning
import PerennialPrimitives

extension LocalAppStore {
    /// An answer to a realtime request that is on time, complete, and validly signed.
    ///
    /// - Throws: The error, with the codes of `SignatureRefusal` for signatures.
    func acceptable(
        _ answer: RealtimeAnswer,
        deadlineMilliseconds: Int64
    ) throws(RetentionRefusal) -> VerifiedRealtimeResponse {
        switch answer.result {
        case .success: break
        case .timedOut:
            throw RetentionRefusal(.timedOut, "No answer came within \(deadlineMilliseconds) milliseconds.")
        case .unsuccessfulHTTPResponseCode:
            let status = answer.httpStatus.map(String.init) ?? "another one"
            throw RetentionRefusal(.status, "The status of the answer is \(status); it must be 200.")
        case .invalidResponse:
            throw RetentionRefusal(.answerMalformed, "The answer is no HTTP answer, or far too long.")
        default:
            throw RetentionRefusal(.unreachable, "The request failed: \(answer.result.rawValue).")
        }
        let response: RealtimeResponseBody
        do { response = try RealtimeResponseBody(jsonBytes: answer.body) } catch {
            throw RetentionRefusal(.answerMalformed, "The answer is no RealtimeResponseBody: \(error).")
        }
        guard response.namesOneMessage else {
            let message = "An answer has exactly one of Apple's four objects, with a UUID as its messageIdentifier."
            throw RetentionRefusal(.answerMalformed, message)
        }
        let verifier = RealtimeResponseVerifier(publicKeys: acceptedKeys)
        switch judged({ verifier.check(response, bundleId: configuration.bundleId, now: $0) }) {
        case .accepted(let verified): return verified
        case .refused(let refusal):
            throw RetentionRefusal(RetentionRefusal.Code(rawValue: refusal.code.rawValue), refusal.message)
        }
    }
}

extension RealtimeResponseBody {
    /// Whether there is exactly one object, with a valid message identifier.
    fileprivate var namesOneMessage: Bool {
        let names = [
            message?.messageIdentifier, alternateProduct?.messageIdentifier, promotionalOffer?.messageIdentifier,
            advancedCommerceInfo?.messageIdentifier,
        ].compactMap(\.self)
        return names.count == 1 && names.allSatisfy(\.isUUID)
    }
}
