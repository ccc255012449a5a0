import Testing

/// Bodies of a request to extend a subscription.
@Suite struct `Bodies of an extension` {
    @Test(arguments: ["{}", #"{"extend_by_days":null,"reason":"outage"}"#, #"{"extend_by_days":7}"#])
    func `name a member that they lack`(body: String) async throws {
        let scene = try await ExtensionScene()
        #expect(try await scene.extend(body: body).errorCode() == "parameter_missing")
        #expect(scene.asked == 0)
    }

    @Test(arguments: [
        #"{"extend_by_days":0,"reason":"outage"}"#, #"{"extend_by_days":91,"reason":"outage"}"#,
        #"{"extend_by_days":"7","reason":"outage"}"#, #"{"extend_by_days":7,"reason":"weather"}"#,
        #"{"extend_by_days":7,"reason":"outage","days":7}"#, "[]",
    ])
    func `are refused if they are wrong`(body: String) async throws {
        let scene = try await ExtensionScene()
        #expect(try await scene.extend(body: body).status == 400)
        #expect(scene.asked == 0)
    }
}
