import AsyncHTTPClient
import NIOCore
import NIOHTTP1

/// How a body is transferred.
enum BodyTransfer: Sendable {
    case whole([UInt8])
    /// With a pause in the middle.
    case slow([UInt8], Duration)
    /// With a connection reset in the middle.
    case broken([UInt8])
}

/// The sender closed its own connection in the middle of a body.
struct ConnectionClosed: Error {}

extension BodyTransfer {
    /// The request that posts the body, for a client that reads the answer's body.
    func request(to url: String) -> HTTPClientRequest {
        var request = HTTPClientRequest(url: url)
        request.method = .POST
        request.headers.add(name: "Content-Type", value: "application/json")
        request.headers.add(name: "User-Agent", value: "perennial-store")
        request.body = body
        return request
    }

    private var body: HTTPClientRequest.Body {
        switch self {
        case .whole(let bytes): .bytes(ByteBuffer(bytes: bytes))
        case .slow(let bytes, let pause):
            .stream(HalvedBody(bytes: bytes, pause: pause), length: .known(Int64(bytes.count)))
        case .broken(let bytes):
            .stream(HalvedBody(bytes: bytes, pause: nil), length: .known(Int64(bytes.count)))
        }
    }
}

/// A body in two halves with a pause between them; without a pause, the transfer stops after the first half.
private struct HalvedBody: AsyncSequence, Sendable {
    struct Iterator: AsyncIteratorProtocol {
        fileprivate var halves: [ByteBuffer]
        fileprivate let pause: Duration?
        private var isFirst = true

        fileprivate init(halves: [ByteBuffer], pause: Duration?) {
            self.halves = halves
            self.pause = pause
        }

        mutating func next() async throws -> ByteBuffer? {
            guard !halves.isEmpty else { return nil }
            if !isFirst {
                guard let pause else { throw ConnectionClosed() }
                try await Task.sleep(for: pause)
            }
            isFirst = false
            return halves.removeFirst()
        }
    }

    let bytes: [UInt8]
    let pause: Duration?

    func makeAsyncIterator() -> Iterator {
        let middle = bytes.count / 2
        let halves = [bytes.prefix(middle), bytes.dropFirst(middle)].map { ByteBuffer(bytes: $0) }
        return Iterator(halves: halves, pause: pause)
    }
}
