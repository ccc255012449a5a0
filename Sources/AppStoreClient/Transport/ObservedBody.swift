#if Client
    import Synchronization

    /// The body of a request, which notes that it is read.
    ///
    /// AsyncHTTPClient reads a body when the connection is made and the head is sent. Until then the server cannot have
    /// processed the request.
    struct ObservedBody: RandomAccessCollection, Sendable {
        private final class Observation: Sendable {
            let isRead = Atomic(false)
        }

        private let bytes: [UInt8]
        private let observation = Observation()

        /// Makes a body; nil without bytes, which nobody would read.
        init?(_ bytes: [UInt8]?) {
            guard let bytes, !bytes.isEmpty else { return nil }
            self.bytes = bytes
        }

        /// Whether a byte was read.
        var isRead: Bool { observation.isRead.load(ordering: .acquiring) }

        var startIndex: Int { bytes.startIndex }
        var endIndex: Int { bytes.endIndex }

        subscript(index: Int) -> UInt8 {
            observation.isRead.store(true, ordering: .releasing)
            return bytes[index]
        }
    }
#endif
