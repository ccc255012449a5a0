import Dispatch

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
/// can leave a child behind.
struct DemoSignals {
    /// One element for each signal.
    let received: AsyncStream<Void>
    private let sources: [any DispatchSourceSignal]

    init() {
        // A reader of the output that goes away is noticed by `ClosedOutput`.
        signal(SIGPIPE, SIG_IGN)
        let (stream, continuation) = AsyncStream.makeStream(of: Void.self)
        received = stream
        sources = [SIGINT, SIGTERM, SIGHUP, SIGQUIT].map { number in
            signal(number, SIG_IGN)
            let source = DispatchSource.makeSignalSource(signal: number, queue: .global())
            source.setEventHandler { continuation.yield() }
            source.resume()
            return source
        }
    }

    /// Lets go of the signals, which are ignored from then on.
    func stop() {
        for source in sources { source.cancel() }
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
