import AppStoreModel

extension JSONRepresentable {
    /// Reads the body of a call as Apple's server does: the field at fault decides the error.
    ///
    /// - Throws: What `error` makes of the first fault.
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
    /// The member of the body at fault, without what lies inside it.
    var field: String { String(path.prefix { $0 != "." && $0 != "[" }) }
}

/// Checks the form of an identifier in a path.
enum IdentifierForm {
    /// The most digits that the App Store Server API takes.
    private static let digitsMax = 20

    /// Throws an error unless the identifier is made of digits.
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
