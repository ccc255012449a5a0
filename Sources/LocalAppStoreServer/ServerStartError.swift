import NIOCore

#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#else
    import Darwin
#endif

/// Why a server cannot listen.
public struct ServerStartError: Error, Hashable, CustomStringConvertible, Sendable {
    /// The stable name: `port_in_use`, `port_not_allowed`, `address_not_available` or `listen_failed`.
    public let code: String

    /// One sentence that states the problem and the remedy.
    public let message: String

    /// The code and the message.
    public var description: String { "\(code): \(message)" }

    init(_ error: IOError, host: String, port: Int) {
        switch error.errnoCode {
        case EADDRINUSE:
            code = "port_in_use"
            message =
                "port \(port) is taken: stop the program that listens there, or choose another one (--port 0 picks)"
        case EACCES:
            code = "port_not_allowed"
            message = "port \(port) needs more rights: choose one above 1023 (--port 0 picks)"
        case EADDRNOTAVAIL:
            code = "address_not_available"
            message = "this machine does not have the address \(host): use --host 127.0.0.1"
        default:
            code = "listen_failed"
            message = "cannot listen on \(host), port \(port): the operating system refuses it; check --host and --port"
        }
    }

    /// A host that is not an address of any machine.
    init(_ error: SocketAddressError.UnknownHost, host: String, port: Int) {
        code = "listen_failed"
        message = "cannot listen on \(host), port \(port): no address has the name \(error.host); use --host 127.0.0.1"
    }
}
