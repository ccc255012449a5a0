import AppStoreModel

extension JSONValue {
    /// The audiences of a claim `aud`: one text, or an array of texts; nil for anything else.
    ///
    /// - Source: RFC 7519, section 4.1.3.
    var audiences: [String]? {
        switch self {
        case .string(let audience): return [audience]
        case .array(let elements):
            let texts = elements.compactMap(\.stringValue)
            return texts.count == elements.count ? texts : nil
        default: return nil
        }
    }
}
