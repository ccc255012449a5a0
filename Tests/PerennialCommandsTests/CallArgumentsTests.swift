import AppStoreClient
import AppStoreModel
import Testing

@testable import PerennialCommands

/// Command-line arguments become exactly the named call, or a message with the correct form.
@Suite struct `Arguments of perennial api` {
    @Test(arguments: AppStoreServerCall.all)
    func `every call can be made from its usage`(call: AppStoreServerCall) throws {
        let values = call.pathParameters.map { "value-of-\($0)" }
        guard call.body != .png else { return }
        let fields = call.body == .json ? ["a=b"] : []
        let request = try CallArguments(call: call, values: values, query: [], fields: fields, body: nil)
        #expect(request.path == Dictionary(uniqueKeysWithValues: zip(call.pathParameters, values)))
        #expect((request.body != nil) == (call.body == .json))
        #expect(CallList.usage(of: call).hasPrefix("perennial api \(call.name)"))
    }

    @Test func `query parameters keep their order, and dates become milliseconds`() throws {
        let request = try arguments(
            "get-transaction-history",
            values: ["1"],
            query: ["productId=a=b", "productId=c", "startDate=2026-01-31T09:00:00Z", "endDate=7"]
        )
        #expect(
            request.query == [
                QueryItem("productId", "a=b"), QueryItem("productId", "c"), QueryItem("startDate", "1769850000000"),
                QueryItem("endDate", "7"),
            ]
        )
    }

    @Test func `fields are texts, times by name, or JSON after a colon`() throws {
        let object = try NamedValue.object(["id=7", "endDate=1970-01-01T00:00:01Z", "list:=[1,{\"a\":null}]", "empty="])
        #expect(object == ["id": "7", "endDate": 1000, "list": [1, ["a": .null]], "empty": ""])
    }

    @Test(arguments: ["", "x", "=x", ":=1", "a:=", "a:=yes", "someDate=noon"])
    func `a field of another form is refused`(argument: String) {
        #expect(throws: UsageError.self) { try NamedValue.object([argument]) }
    }

    @Test func `arguments that do not fit the call are refused with the correct form`() {
        let wrong: [(name: String, values: [String], query: [String], fields: [String], said: String)] = [
            ("get-transaction-info", [], [], [], "perennial api get-transaction-info <transactionId>"),
            ("get-transaction-info", ["1", "2"], [], [], "<transactionId>"),
            ("get-transaction-info", ["1"], ["sort=x"], [], "no query parameter sort"),
            ("get-transaction-info", ["1"], [], ["a=b"], "has no body"),
            ("get-notification-history", [], [], [], "NotificationHistoryRequest"),
            ("upload-image", ["1"], [], [], "PNG"),
        ]
        for item in wrong {
            let error = #expect(throws: UsageError.self) {
                try arguments(item.name, values: item.values, query: item.query, fields: item.fields)
            }
            #expect(error?.message.contains(item.said) == true, "\(item.name): \(error?.message ?? "")")
        }
    }

    @Test(arguments: [
        ("get-transactions-info", "get-transaction-info"), ("transaction-history", "get-transaction-history"),
        ("GetTestNotification test notification", "request-test-notification"),
    ])
    func `a similar name leads to a suggestion`(given: String, meant: String) {
        let error = #expect(throws: UsageError.self) { try CallArguments.call(named: given) }
        #expect(error?.message.contains(meant) == true, "\(error?.message ?? "")")
    }

    @Test func `the list names every call once with its limit`() throws {
        let listed = try #require(try JSONParser.parse(Array(CallList.text(json: true).utf8)).arrayValue)
        #expect(listed.count == AppStoreServerCall.all.count)
        let table = CallList.text(json: false).split(separator: "\n")
        for call in AppStoreServerCall.all {
            let row = try #require(table.first { $0.hasPrefix(call.name + " ") })
            #expect(row.contains(call.path) && row.contains(call.method))
        }
    }

    private func arguments(
        _ name: String,
        values: [String],
        query: [String] = [],
        fields: [String] = []
    ) throws -> CallArguments {
        try CallArguments(
            call: try CallArguments.call(named: name),
            values: values,
            query: query,
            fields: fields,
            body: nil
        )
    }
}
