/// Why a store's file cannot be used; the file is left as it is.
public struct StoreFileError: Error, Hashable, CustomStringConvertible, Sendable {
    /// The stable name of a refusal.
    public struct Code: RawRepresentable, Hashable, Sendable {
        /// The name as it appears in messages.
        public let rawValue: String

        /// Makes a code from its name.
        public init(rawValue: String) { self.rawValue = rawValue }

        /// The file, or its folder, cannot be read.
        public static let unreadable = Self(rawValue: "data_unreadable")
        /// The file was written by something else.
        public static let foreign = Self(rawValue: "data_foreign")
        /// The file was written by a newer version.
        public static let newer = Self(rawValue: "data_newer")
        /// The file was written by an older version, which this one does not understand.
        public static let older = Self(rawValue: "data_older")
        /// The file is cut short or changed, or this version does not understand what it holds.
        public static let damaged = Self(rawValue: "data_damaged")
        /// Another store uses the file.
        public static let inUse = Self(rawValue: "data_in_use")
        /// The file could not be written.
        public static let notWritten = Self(rawValue: "data_not_written")
    }

    /// The stable name of the refusal.
    public let code: Code

    /// One sentence that says what is wrong and what to do.
    public let message: String

    /// The code and the message.
    public var description: String { "\(code.rawValue): \(message)" }

    init(_ code: Code, _ message: String) {
        self.code = code
        self.message = message
    }
}
