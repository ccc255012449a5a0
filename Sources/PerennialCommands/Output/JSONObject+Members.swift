import AppStoreModel

/// Members of the server's answers. A member that is absent or of another type counts as nil, zero or nothing.
extension JSONObject {
    /// A string.
    func text(_ name: String) -> String? { self[name]?.stringValue }

    /// An integer.
    func count(_ name: String) -> Int64 { self[name]?.integerValue ?? 0 }

    /// The objects of an array.
    func objects(_ name: String) -> [JSONObject] { (self[name]?.arrayValue ?? []).compactMap(\.objectValue) }

    /// The strings of an array.
    func texts(_ name: String) -> [String] { (self[name]?.arrayValue ?? []).compactMap(\.stringValue) }
}
