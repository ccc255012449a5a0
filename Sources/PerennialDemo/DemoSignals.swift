import Foundation

#if canImport(Darwin)
    import Darwin
#elseif canImport(Musl)
    import Musl
#else
    import Glibc
#endif

/// Ctrl-C and its kind, as an end that can be waited for.
///
/// From its making on, none of these signals ends the program by itself: made before the first child is started, none
/// can leave a child behind. Nor is one lost, as it would be between `SIG_IGN` and a source of Dispatch, which is
/// registered some time after it was asked for.
struct DemoSignals {
    /// One element for each signal.
    let received: AsyncStream<Void>

    private static let numbers = [SIGINT, SIGTERM, SIGHUP, SIGQUIT]
    /// The writing end of the pipe that tells of signals: the handler may do nothing but write to it.
    nonisolated(unsafe) private static var reported: Int32 = -1

    init() {
        // A reader of the output that goes away is noticed by `ClosedOutput`.
        signal(SIGPIPE, SIG_IGN)
        let pipe = Pipe()
        let (stream, continuation) = AsyncStream.makeStream(of: Void.self)
        received = stream
        Self.reported = pipe.fileHandleForWriting.fileDescriptor
        Thread.detachNewThread {
            var byte: UInt8 = 0
            // The pipe, and so both of its ends, lives as long as this thread.
            while true {
                let count = read(pipe.fileHandleForReading.fileDescriptor, &byte, 1)
                if count > 0 { continuation.yield() } else if count == 0 || errno != EINTR { break }
            }
        }
        for number in Self.numbers {
            signal(number) { _ in
                let before = errno
                _ = write(DemoSignals.reported, "!", 1)
                errno = before
            }
        }
    }

    /// Lets go of the signals, which are ignored from then on.
    func stop() {
        for number in Self.numbers { signal(number, SIG_IGN) }
    }
}

/// Standard output whose reader went away, as `head` does when it has its lines.
enum ClosedOutput {
    private static let pollInterval = Duration.milliseconds(200)

    /// Returns when nobody reads standard output any more, or when the task is cancelled.
    static func wait() async {
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
