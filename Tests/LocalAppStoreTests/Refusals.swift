import LocalAppStore
import Testing

/// Expects that a call is refused with a code, whatever the message.
func expectRefusal<Answer>(
    _ code: StoreError.Code,
    _ kind: StoreError.Kind,
    sourceLocation: SourceLocation = #_sourceLocation,
    _ call: () throws -> Answer
) {
    let error = #expect(throws: StoreError.self, sourceLocation: sourceLocation) { _ = try call() }
    #expect(error?.code == code, sourceLocation: sourceLocation)
    #expect(error?.kind == kind, sourceLocation: sourceLocation)
}
