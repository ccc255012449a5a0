import Foundation
import Synchronization

#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#elseif canImport(Darwin)
    import Darwin
#endif

/// A scripted server on the loopback interface. It handles each connection by a given behaviour, and of HTTP it knows
/// only the end of a request. It blocks, so it has its own thread.
final class LoopbackServer: Sendable {
    /// The behaviour for a connection.
    enum Behaviour: Sendable {
        /// Reads the request, sends the bytes, closes.
        case answer(String)
        /// Reads the request, sends the bytes, and then waits until the client closes.
        case stall(String)
        /// Closes without an answer after the request.
        case disconnect
    }

    /// The error for a server that could not be created.
    struct Failure: Error {
        let step: String
    }

    private let listener: Int32
    private let received = Mutex<[String]>([])
    let port: UInt16

    /// The requests as received, head and body.
    var requests: [String] { received.withLock { $0 } }

    var url: String { "http://127.0.0.1:\(port)" }

    /// Listens on a free port; each connection uses the next behaviour, and there are no more than these.
    init(_ behaviours: [Behaviour]) throws {
        listener = try Self.makeListener()
        port = try Self.port(of: listener)
        let thread = Thread { [listener, box = Box(self)] in
            for behaviour in behaviours {
                let connection = accept(listener, nil, nil)
                guard connection >= 0 else { return }
                box.server?.serve(connection, behaviour)
            }
        }
        thread.start()
    }

    /// Listens on a free port, and answers no request before this number of them has arrived, each on a connection of
    /// its own.
    init(_ answer: String, toRequestsTogether count: Int) throws {
        listener = try Self.makeListener()
        port = try Self.port(of: listener)
        let thread = Thread { [listener, box = Box(self)] in
            var connections: [Int32] = []
            defer { for connection in connections { close(connection) } }
            while connections.count < count {
                let connection = accept(listener, nil, nil)
                guard connection >= 0 else { return }
                connections.append(connection)
                let request = Self.readRequest(connection)
                box.server?.received.withLock { $0.append(request) }
            }
            for connection in connections { Self.write(answer, to: connection) }
        }
        thread.start()
    }

    deinit {
        // Wakes a thread that waits for a connection; closing alone does not.
        shutdown(listener, Int32(SHUT_RDWR))
        close(listener)
    }

    /// Does not keep the server alive from its own thread; written once, before that thread starts.
    private final class Box: Sendable {
        private nonisolated(unsafe) weak var weakServer: LoopbackServer?

        init(_ server: LoopbackServer) { weakServer = server }

        var server: LoopbackServer? { weakServer }
    }

    private func serve(_ connection: Int32, _ behaviour: Behaviour) {
        defer { close(connection) }
        let request = Self.readRequest(connection)
        received.withLock { $0.append(request) }
        switch behaviour {
        case .answer(let text):
            Self.write(text, to: connection)
        case .stall(let text):
            Self.write(text, to: connection)
            // Ends when the client closes the connection.
            var byte: UInt8 = 0
            while recv(connection, &byte, 1, 0) > 0 {}
        case .disconnect:
            return
        }
    }

    private static func readRequest(_ connection: Int32) -> String {
        var bytes: [UInt8] = []
        var buffer = [UInt8](repeating: 0, count: 65_536)
        while bytes.count < 1 << 20, !isComplete(bytes) {
            let count = recv(connection, &buffer, buffer.count, 0)
            guard count > 0 else { break }
            bytes += buffer.prefix(count)
        }
        return String(decoding: bytes, as: UTF8.self)
    }

    private static func isComplete(_ bytes: [UInt8]) -> Bool {
        guard let end = bytes.firstRange(of: Array("\r\n\r\n".utf8)) else { return false }
        let head = String(decoding: bytes[..<end.lowerBound], as: UTF8.self).lowercased()
        let line = head.split(separator: "\r\n").first { $0.hasPrefix("content-length:") }
        let length = line.flatMap { Int($0.dropFirst("content-length:".count).trimmingCharacters(in: .whitespaces)) }
        return bytes.count >= end.upperBound + (length ?? 0)
    }

    private static func write(_ text: String, to connection: Int32) {
        var rest = Array(text.utf8)[...]
        while !rest.isEmpty {
            let count = rest.withUnsafeBytes { send(connection, $0.baseAddress, $0.count, Int32(MSG_NOSIGNAL)) }
            guard count > 0 else { return }
            rest = rest.dropFirst(count)
        }
    }

    private static func makeListener() throws -> Int32 {
        #if canImport(Glibc)
            let stream = Int32(SOCK_STREAM.rawValue)
        #else
            let stream = SOCK_STREAM
        #endif
        let descriptor = socket(AF_INET, stream, 0)
        guard descriptor >= 0 else { throw Failure(step: "socket") }
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_addr.s_addr = in_addr_t(0x7F00_0001).bigEndian
        let bound = withUnsafePointer(to: &address) {
            $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                bind(descriptor, $0, socklen_t(MemoryLayout<sockaddr_in>.size))
            }
        }
        guard bound == 0, listen(descriptor, 16) == 0 else {
            close(descriptor)
            throw Failure(step: "bind")
        }
        return descriptor
    }

    private static func port(of descriptor: Int32) throws -> UInt16 {
        var address = sockaddr_in()
        var length = socklen_t(MemoryLayout<sockaddr_in>.size)
        let result = withUnsafeMutablePointer(to: &address) {
            $0.withMemoryRebound(to: sockaddr.self, capacity: 1) { getsockname(descriptor, $0, &length) }
        }
        guard result == 0 else { throw Failure(step: "getsockname") }
        return UInt16(bigEndian: address.sin_port)
    }
}
