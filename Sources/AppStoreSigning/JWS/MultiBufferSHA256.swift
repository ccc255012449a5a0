import CSigningKernels

/// SHA-256 of several messages at once, each in a lane of the processor's vectors.
///
/// Hashing is a third of what a notification costs where the processor has no instructions for SHA-256. There, eight
/// messages side by side take little longer than two of them one after the other.
struct MultiBufferSHA256: Sendable {
    /// The forms that this processor has, the fastest first.
    static let available = [0, 1].compactMap { MultiBufferSHA256(form: $0) }

    /// The form to use here; `nil` where one message after the other is as fast.
    static let preferred = has_sha256_instructions() == 0 ? available.first : nil

    /// The bytes that the compression function takes at a time.
    static let blockSize = 64

    /// How many messages go side by side.
    static let lanes = multi_buffer_sha256_lanes

    private let compress: multi_buffer_sha256

    private init?(form: Int32) {
        guard let compress = multi_buffer_sha256_form(form) else { return nil }
        self.compress = compress
    }

    /// The state after a beginning that many messages share.
    ///
    /// - Parameter bytes: The beginning; what does not fill its last block is left to the messages.
    func midstate(after bytes: ArraySlice<UInt8>) -> Midstate {
        let blocks = bytes.count / Self.blockSize
        guard blocks > 0 else { return .initial }
        var states = Midstate.initial.words.flatMap { [UInt32](repeating: $0, count: Self.lanes) }
        bytes.withUnsafeBufferPointer { buffer in
            compress(&states, [UnsafePointer<UInt8>?](repeating: buffer.baseAddress, count: Self.lanes), blocks)
        }
        return Midstate(words: (0..<8).map { states[$0 * Self.lanes] }, hashedBytes: blocks * Self.blockSize)
    }

    /// The digests of messages, in their order.
    ///
    /// - Parameter messages: At most as many as there are lanes.
    func digests(of messages: [Message]) -> [WordDigest] {
        precondition(messages.count <= Self.lanes, "more messages than lanes")
        let tails = messages.map { $0.tail() }
        var digests: [WordDigest] = []
        Self.withPointers(to: messages.map(\.bytes) + tails.map { $0[...] }) { pointers in
            let work = messages.indices.map { index in
                LaneWork(
                    messages[index],
                    at: pointers[index],
                    tail: pointers[messages.count + index],
                    tailBlocks: tails[index].count / Self.blockSize
                )
            }
            digests = self.digests(of: work)
        }
        return digests
    }

    private func digests(of work: [LaneWork]) -> [WordDigest] {
        var work = work
        var states = [UInt32](repeating: 0, count: 8 * Self.lanes)
        for lane in work.indices {
            for word in 0..<8 { states[word * Self.lanes + lane] = work[lane].start.words[word] }
        }
        var digests = [WordDigest?](repeating: nil, count: work.count)
        while let busy = work.first(where: { !$0.isDone }) {
            let blocks = work.reduce(busy.blocks) { $1.isDone ? $0 : min($0, $1.blocks) }
            // A lane without work reads along with one that has some; its digest has been taken already.
            let starts = (0..<Self.lanes).map { lane in
                lane < work.count && !work[lane].isDone ? work[lane].position : busy.position
            }
            compress(&states, starts, blocks)
            for lane in work.indices where !work[lane].isDone {
                work[lane].advance(by: blocks)
                if work[lane].isDone {
                    digests[lane] = WordDigest(words: (0..<8).map { states[$0 * Self.lanes + lane] })
                }
            }
        }
        return digests.compactMap(\.self)
    }

    /// Calls a body while all of the arrays stay where they are.
    private static func withPointers(
        to arrays: [ArraySlice<UInt8>],
        found: [UnsafePointer<UInt8>?] = [],
        _ body: ([UnsafePointer<UInt8>?]) -> Void
    ) {
        guard found.count < arrays.count else { return body(found) }
        arrays[found.count].withUnsafeBufferPointer { buffer in
            withPointers(to: arrays, found: found + [buffer.baseAddress], body)
        }
    }
}

extension MultiBufferSHA256 {
    /// How far a message has been hashed.
    struct Midstate: Sendable {
        /// The eight words of the state.
        let words: [UInt32]
        /// How many bytes it stands for, a multiple of the block's size.
        let hashedBytes: Int

        /// Nothing hashed yet (FIPS 180-4, section 5.3.3).
        static let initial = Midstate(
            words: [
                0x6a09_e667, 0xbb67_ae85, 0x3c6e_f372, 0xa54f_f53a, 0x510e_527f, 0x9b05_688c, 0x1f83_d9ab, 0x5be0_cd19,
            ],
            hashedBytes: 0
        )
    }

    /// A whole message, and how far it has been hashed.
    struct Message {
        /// All of its bytes.
        let bytes: ArraySlice<UInt8>
        /// Where to go on from; its bytes are those the message begins with.
        let start: Midstate

        /// What does not fill a block, with the padding of FIPS 180-4, section 5.1.1.
        fileprivate func tail() -> [UInt8] {
            let size = MultiBufferSHA256.blockSize
            var tail = Array(bytes.suffix(bytes.count % size))
            tail.append(0x80)
            while tail.count % size != size - 8 { tail.append(0) }
            let bits = UInt64(bytes.count) * 8
            for shift in stride(from: 56, through: 0, by: -8) { tail.append(UInt8(truncatingIfNeeded: bits >> shift)) }
            return tail
        }
    }

    /// What a lane has to do: the whole blocks of a message where they lie, then the padded rest.
    private struct LaneWork {
        let start: Midstate
        /// Where the next block is.
        private(set) var position: UnsafePointer<UInt8>?
        /// How many blocks lie there.
        private(set) var blocks: Int
        private var tail: (position: UnsafePointer<UInt8>?, blocks: Int)?

        var isDone: Bool { blocks == 0 }

        init(_ message: Message, at bytes: UnsafePointer<UInt8>?, tail: UnsafePointer<UInt8>?, tailBlocks: Int) {
            start = message.start
            position = bytes.map { $0 + message.start.hashedBytes }
            blocks = (message.bytes.count - message.start.hashedBytes) / MultiBufferSHA256.blockSize
            self.tail = (tail, tailBlocks)
            if blocks == 0 { beginTail() }
        }

        mutating func advance(by count: Int) {
            position = position.map { $0 + count * MultiBufferSHA256.blockSize }
            blocks -= count
            if blocks == 0 { beginTail() }
        }

        private mutating func beginTail() {
            guard let tail else { return }
            (position, blocks) = tail
            self.tail = nil
        }
    }
}
