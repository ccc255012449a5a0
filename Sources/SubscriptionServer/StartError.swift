#if canImport(Darwin)
    import Darwin
#elseif canImport(Musl)
    import Musl
#else
    import Glibc
#endif

/// The error of a failed start.
public struct StartError: Error, Hashable, Sendable, CustomStringConvertible {
    /// Whether the configuration or the environment is wrong.
    public enum Kind: Hashable, Sendable {
        /// The configuration can never work.
        case configuration
        /// It may work once something else is fixed.
        case surroundings
    }

    /// The stable reason.
    public let code: String
    /// What went wrong and what to do.
    public let message: String
    /// Whether the configuration or the environment is wrong.
    public let kind: Kind
    /// What a report of a defect needs, such as the message of the database; usually nil.
    public let detail: String?

    /// Makes an error.
    public init(_ code: String, _ message: String, kind: Kind, detail: String? = nil) {
        self.code = code
        self.message = message
        self.kind = kind
        self.detail = detail
    }

    /// Code, message and detail.
    public var description: String { "\(code): \(message)" + (detail.map { " Detail: \($0)" } ?? "") }

    /// Compares codes.
    public static func == (left: StartError, right: StartError) -> Bool { left.code == right.code }

    /// Hashes the code.
    public func hash(into hasher: inout Hasher) { hasher.combine(code) }
}

extension StartError {
    static func storeUnreachable(_ url: String) -> StartError {
        StartError(
            "store_unreachable",
            "No local store answered at \(url). Start one with perennial store, or correct --store"
                + (url.contains("://") ? "." : ": the address begins with http://."),
            kind: .surroundings
        )
    }

    static func storeUnknown(_ url: String) -> StartError {
        StartError(
            "store_not_recognised",
            "The server at \(url) is not a local store of this version. --store takes the URL that the store prints.",
            kind: .configuration
        )
    }

    static func portInUse(_ port: Int) -> StartError {
        StartError(
            "port_in_use",
            "Port \(port) is taken. Stop the program that uses it, or choose another with --port (0 picks a free one).",
            kind: .surroundings
        )
    }

    static func addressUnusable(_ host: String, port: Int, _ reason: String) -> StartError {
        StartError("address_unusable", "Cannot listen on \(host), port \(port): \(reason).", kind: .configuration)
    }

    static func databaseNotFound(_ path: String) -> StartError {
        StartError(
            "database_not_found",
            "There is no database at \(path): check the path, or start perennial serve with it, which makes it.",
            kind: .configuration
        )
    }

    /// Why the system refuses to listen, and what to do; never the system's own text.
    static func reason(ofListeningError number: Int32) -> String {
        switch number {
        case EACCES: "ports below 1024 need more privileges; choose a higher one with --port"
        case EADDRNOTAVAIL: "this machine does not have the address; use --host 127.0.0.1, or 0.0.0.0 for all"
        case EMFILE, ENFILE: "too many files are open; raise the limit (ulimit -n)"
        default: "the operating system refuses it; check --host and --port"
        }
    }
}
