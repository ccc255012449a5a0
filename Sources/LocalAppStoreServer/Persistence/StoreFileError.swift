/// Why a store's file cannot be used; the file stays unchanged.
public struct StoreFileError: Error, Hashable, CustomStringConvertible, Sendable {
    /// The stable name of an error.
    public struct Code: RawRepresentable, Hashable, Sendable {
        /// The name as it appears in messages.
        public let rawValue: String

        /// Makes a code from its name.
        public init(rawValue: String) { self.rawValue = rawValue }

        /// The file, or its folder, cannot be read.
        public static let unreadable = Self(rawValue: "data_unreadable")
        /// The file was not written by this program.
        public static let foreign = Self(rawValue: "data_foreign")
        /// The file was written by a newer version.
        public static let newer = Self(rawValue: "data_newer")
        /// The file was written by an older version, which this one does not understand.
        public static let older = Self(rawValue: "data_older")
        /// The file is truncated or changed, or this version cannot read its content.
        public static let damaged = Self(rawValue: "data_damaged")
        /// Another store uses the file.
        public static let inUse = Self(rawValue: "data_in_use")
        /// The file could not be written.
        public static let notWritten = Self(rawValue: "data_not_written")
    }

    /// The stable name of the error.
    public let code: Code

    /// One sentence that states the problem and the remedy.
    public let message: String

    /// The code and the message.
    public var description: String { "\(code.rawValue): \(message)" }

    init(_ code: Code, _ message: String) {
        self.code = code
        self.message = message
    }
}
