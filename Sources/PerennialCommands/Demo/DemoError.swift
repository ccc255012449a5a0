/// Why the demo could not go on.
struct DemoError: Error, Hashable, Sendable, CustomStringConvertible {
    /// A sentence for the person at the terminal, with the remedy where there is one.
    let description: String

    init(_ description: String) {
        self.description = description
    }
}
