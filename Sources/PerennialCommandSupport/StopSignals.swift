import Foundation

#if canImport(Darwin)
    import Darwin
#elseif canImport(Musl)
    import Musl
#else
    import Glibc
#endif

/// Ctrl-C and other stop signals, as an asynchronous sequence.
///
/// After its creation none of these signals ends the program directly. It is created before the first child, so no
/// child is left behind. No signal is lost, as it could be between `SIG_IGN` and a Dispatch source, which is registered
/// later.
package struct StopSignals {
    /// One element for each signal.
    package let received: AsyncStream<Void>

    private static let numbers = [SIGINT, SIGTERM, SIGHUP, SIGQUIT]
    /// The write end of the signal pipe: the handler may only write to it.
    nonisolated(unsafe) private static var reported: Int32 = -1

    /// Begins to handle the signals.
    package init() {
        // `ClosedOutput` detects that the reader of the output has exited.
        signal(SIGPIPE, SIG_IGN)
        let pipe = Pipe()
        let (stream, continuation) = AsyncStream.makeStream(of: Void.self)
        received = stream
        Self.reported = pipe.fileHandleForWriting.fileDescriptor
        Thread.detachNewThread {
            var byte: UInt8 = 0
            // The pipe lives as long as this thread.
            while true {
                let count = read(pipe.fileHandleForReading.fileDescriptor, &byte, 1)
                if count > 0 { continuation.yield() } else if count == 0 || errno != EINTR { break }
            }
        }
        for number in Self.numbers {
            signal(number) { _ in
                let before = errno
                _ = write(StopSignals.reported, "!", 1)
                errno = before
            }
        }
    }

    /// Stops handling the signals, which are ignored from then on.
    package func stop() {
        for number in Self.numbers { signal(number, SIG_IGN) }
    }
}

/// Standard output whose reader has exited, as `head` does after its lines.
package enum ClosedOutput {
    private static let pollInterval = Duration.milliseconds(200)

    /// Returns when standard output has no reader, or the task is cancelled.
    package static func wait() async {
        while !isClosed() {
            do { try await Task.sleep(for: pollInterval) } catch { return }
        }
    }

    private static func isClosed() -> Bool {
        var descriptor = pollfd(fd: STDOUT_FILENO, events: 0, revents: 0)
        guard poll(&descriptor, 1, 0) > 0 else { return false }
        return Int32(descriptor.revents) & Int32(POLLERR | POLLHUP) != 0
    }
}
