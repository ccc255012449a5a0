import AppStoreClient
import AppStoreModel
import Testing

@testable import PerennialCommands

/// A failed call is reported equally to people and programs: our code, Apple's number, its meaning, and whether a retry
/// can help.
@Suite struct `Reports of failed calls` {
    @Test func `Apple's error has a number, a name and a meaning`() {
        let error = AppStoreClientError(
            code: .rateLimited,
            message: "Wait.",
            isRetryable: true,
            response: AppStoreHTTPResponse(status: 429, body: Array(#"{"errorCode":4290000}"#.utf8)),
            apiError: AppStoreServerAPIError(code: 4_290_000),
            retryAfter: RetryAfter("1769850000000", now: 1_769_849_000_000)
        )
        let report = CallFailureReport(error: error)
        let object = report.json["error"]?.objectValue
        #expect(object?["code"] == "rate_limited" && object?["retryable"] == true)
        #expect(object?["httpStatus"] == 429 && object?["retryAfter"] == 1_769_850_000_000)
        #expect(object?["apple"]?.objectValue?["errorCode"] == 4_290_000)
        #expect(object?["body"] == ["errorCode": 4_290_000])
        #expect(report.text.hasPrefix("rate_limited: Wait.\n  Apple: 4290000 RateLimitExceeded"))
        #expect(report.text.contains("That means: ") && report.text.contains("allowed again: 2026-01-31T09:00:00Z"))
    }

    @Test func `a response other than JSON is shown without terminal control characters`() {
        let error = AppStoreClientError(
            code: .serverFault,
            message: "Fault.",
            isRetryable: true,
            response: AppStoreHTTPResponse(status: 500, body: Array("<html>\u{1B}[2J".utf8))
        )
        let report = CallFailureReport(error: error)
        #expect(report.text.contains("<html>") && !report.text.contains("\u{1B}"))
        #expect(report.text.contains("may succeed later"))
        #expect(report.json["error"]?.objectValue?["body"] == "<html>\u{1B}[2J")
    }

    @Test func `a failure without a response reports only known values`() {
        let report = CallFailureReport(error: AppStoreClientError(code: .connectionFailed, message: "Away."))
        #expect(
            report.json["error"]?.objectValue?.keys == [
                "code", "message", "retryable", "mayHaveTakenEffect", "attempts",
            ]
        )
        #expect(report.text == "connection_failed: Away.")
    }
}
