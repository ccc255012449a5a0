import AppStoreModel

extension JSONRepresentable {
    /// Reads the body of a call in the same way as Apple's server: the invalid field determines the error.
    ///
    /// - Throws: The error that `error` returns for the first invalid field.
    init(
        appleBody json: JSONObject,
        orThrow error: (ModelError) -> AppStoreServerAPIError
    ) throws(AppStoreServerAPIError) {
        do throws(ModelError) {
            try self.init(json: json)
        } catch let fault {
            throw error(fault)
        }
    }
}

extension ModelError {
    /// The invalid member of the body, without the path inside it.
    var field: String { String(path.prefix { $0 != "." && $0 != "[" }) }
}

/// Checks the form of an identifier in a path.
enum IdentifierForm {
    /// The maximum number of digits that the App Store Server API accepts.
    private static let digitsMax = 20

    /// Throws an error unless the identifier consists of digits.
    static func check(
        _ identifier: String,
        orThrow error: AppStoreServerAPIError
    ) throws(AppStoreServerAPIError) {
        let digits = UInt8(ascii: "0")...UInt8(ascii: "9")
        guard (1...digitsMax).contains(identifier.utf8.count), identifier.utf8.allSatisfy(digits.contains) else {
            throw error
        }
    }
}
