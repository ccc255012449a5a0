import HTTPTypes
import Logging
import SubscriptionOperations
import SubscriptionStorage
import Testing

/// Log lines contain the event and a remedy. Only failures that need an operator are errors.
@Suite struct `Log lines` {
    private static func lines(
        _ database: any SubscriptionDatabase = BrokenDatabase(),
        _ body: (ServerFixture) async throws -> Void
    ) async throws -> [String] {
        let lines = RecordingLogHandler.Lines()
        let logger = Logger(label: "test") { _ in RecordingLogHandler(lines: lines) }
        try await body(try await ServerFixture(database: database, logger: logger))
        return lines.all
    }

    @Test func `report a full database as an error with its remedy`() async throws {
        let database = BrokenDatabase()
        let lines = try await Self.lines(database) { server in
            database.fill()
            _ = try await server.notify(try server.apple.notification())
        }
        let line = try #require(lines.first { $0.contains("storage_full") })
        #expect(line.hasPrefix("error Request failed (503): "))
        #expect(line.contains("Free"))
    }

    @Test func `name the invalid field of a rejected request, omit empty fields and round times`() async throws {
        let lines = try await Self.lines { server in
            _ = try await server.notify("not.a.jws")
            _ = try await server.send(.get, "/v1/customers/nobody")
        }
        #expect(lines.contains { $0.hasPrefix("notice Request refused (400)") && $0.contains("signedPayload") })
        #expect(lines.contains { $0.hasPrefix("debug Request refused (404)") })
        for line in lines {
            #expect(!line.contains("\": ,") && !line.contains("\": ]"), "\(line)")
            guard let duration = line.firstRange(of: "\"duration_ms\": ") else { continue }
            let number = line[duration.upperBound...].prefix { $0.isNumber || $0 == "." }
            #expect((number.split(separator: ".").last?.count ?? 0) <= 3 && Double(number) != nil, "\(line)")
        }
    }

    @Test func `report permanent failures as errors and temporary ones below`() {
        let passing: [StorageError.Code] = [.busy, .timedOut, .commitUnknown]
        let staying: [StorageError.Code] = [
            .unavailable, .full, .readOnly, .notADatabase, .schemaTooNew, .schemaOutdated, .corrupt, .failed,
        ]
        for code in passing + staying {
            let error = OperationError(StorageError(code, "What happened. What to do.", isRetryable: true))
            #expect(error.needsOperator == staying.contains(code), "\(code.rawValue)")
        }
        #expect(!OperationError("overloaded", "Send it again.", kind: .unavailable).needsOperator)
    }

    @Test func `list the three forms for a submission without a purchase`() async throws {
        let server = try await ServerFixture()
        let answer = try await server.send(.post, "/v1/transactions", body: #"{"app_user_id":"u_42"}"#)
        #expect(answer.status == 400)
        #expect(try answer.errorCode() == "parameter_missing")
        let message = try #require(try answer.string("error", "message"))
        for form in ["signed_transaction", "transaction_id", "app_receipt"] { #expect(message.contains(form)) }
    }
}
