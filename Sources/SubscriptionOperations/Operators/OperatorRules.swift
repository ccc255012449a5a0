import Foundation

/// The rules of names and passwords.
package enum OperatorRules {
    private static let nameCharactersMax = 60
    private static let passwordCharacters = 12...128

    /// The normal form of a name; nil if it is not allowed: one line of 1 to 60 characters, without spaces at its ends.
    package static func name(_ text: String) -> String? {
        let name = text.precomposedStringWithCanonicalMapping
        let isAllowed =
            (1...nameCharactersMax).contains(name.count)
            && name.unicodeScalars.allSatisfy { scalar in
                switch scalar.properties.generalCategory {
                case .control, .lineSeparator, .paragraphSeparator, .format, .surrogate, .unassigned: false
                default: true
                }
            }
            && name.first?.isWhitespace == false && name.last?.isWhitespace == false
        return isAllowed ? name : nil
    }

    /// The normal form of a password, so that every keyboard gives the same bytes for the same text.
    package static func normalPassword(_ text: String) -> String { text.precomposedStringWithCanonicalMapping }

    /// The normal form of a new password; nil if it is not allowed: 12 to 128 characters, and not the name.
    package static func newPassword(_ text: String, of name: String) -> String? {
        let password = normalPassword(text)
        guard
            passwordCharacters.contains(password.count), password.lowercased() != name.lowercased()
        else { return nil }
        return password
    }
}
