import AppStoreModel
import Testing

@Suite struct `The calls of Apple's server APIs` {
    @Test func `there are forty-two calls, each with its own name`() {
        #expect(ServerAPICall.all.map(\.number) == Array(1...42))
        #expect(Set(ServerAPICall.all.map(\.name)).count == 42)
    }

    /// A body without an entry in the tables of fields would not be tested.
    @Test func `every field of every body is tested`() {
        let tested = Set(`Every object at any depth`.objects.map { ObjectIdentifier($0.0) })
        for call in ServerAPICall.all {
            for body in [call.request, call.answer].compactMap(\.self) {
                #expect(tested.contains(ObjectIdentifier(body)), "\(body) of \(call.name)")
            }
        }
    }
}
