#if PostgreSQL
    import Foundation

    /// PostgreSQL's programs on this machine.
    struct PostgreSQLPrograms: Sendable {
        /// Where they are.
        let folder: URL

        private static let isRoot = geteuid() == 0
        private static let unprivilegedUser = "nobody"

        /// Finds the newest version that is installed.
        ///
        /// - Throws: ``PostgreSQLTestFailure`` with what to install.
        static func find() throws -> PostgreSQLPrograms {
            let debian = URL(fileURLWithPath: "/usr/lib/postgresql")
            let versions = ((try? FileManager.default.contentsOfDirectory(atPath: debian.path)) ?? []).compactMap(
                Int.init
            )
            let folders =
                versions.sorted(by: >).map { debian.appending(path: "\($0)/bin") }
                + ["/opt/homebrew/bin", "/usr/local/bin", "/usr/bin"].map(URL.init(fileURLWithPath:))
            let found = folders.first { folder in
                ["initdb", "postgres", "pg_ctl", "pg_basebackup"].allSatisfy { name in
                    FileManager.default.isExecutableFile(atPath: folder.appending(path: name).path)
                }
            }
            guard let found else {
                throw PostgreSQLTestFailure(
                    """
                    These tests need a PostgreSQL server. Install it: apt-get install postgresql (or brew \
                    install postgresql).
                    """
                )
            }
            return PostgreSQLPrograms(folder: found)
        }

        /// What goes before a program so that it is not root.
        var command: [String] { Self.isRoot ? ["runuser", "-u", Self.unprivilegedUser, "--"] : [] }

        /// Runs a program to its end.
        ///
        /// - Throws: ``PostgreSQLTestFailure`` with what it said.
        func run(_ name: String, _ arguments: [String]) throws {
            let process = Process()
            process.executableURL = URL(fileURLWithPath: "/usr/bin/env")
            process.arguments = command + [folder.appending(path: name).path] + arguments
            process.currentDirectoryURL = URL(fileURLWithPath: "/")
            let output = Pipe()
            process.standardInput = FileHandle.nullDevice
            process.standardOutput = FileHandle.nullDevice
            process.standardError = output
            try process.run()
            let said = try output.fileHandleForReading.readToEnd() ?? Data()
            process.waitUntilExit()
            guard process.terminationStatus == 0 else {
                throw PostgreSQLTestFailure("\(name) failed: \(String(decoding: said, as: UTF8.self))")
            }
        }

        /// Lets the user that the server runs as own a folder.
        func giveAway(_ folder: URL) throws {
            try FileManager.default.setAttributes([.posixPermissions: 0o700], ofItemAtPath: folder.path)
            guard Self.isRoot else { return }
            try FileManager.default.setAttributes(
                [.ownerAccountName: Self.unprivilegedUser],
                ofItemAtPath: folder.path
            )
        }
    }

    /// A port that nobody listens on.
    enum FreePort {
        /// Outgoing connections mostly have ports from 32,768 on. One of those ports could be taken while the server is
        /// stopped: even by a client that tries to reach the server, and then connects to itself. The conformance tests
        /// have the ports from 15,000 on.
        private static let ports = 10_000..<15_000
        private static let triesMax = 100

        static func find() throws -> Int {
            for _ in 0..<triesMax {
                let port = Int.random(in: ports)
                if try isFree(port) { return port }
            }
            throw PostgreSQLTestFailure("There is no free port.")
        }

        private static func isFree(_ port: Int) throws -> Bool {
            #if canImport(Glibc)
                let descriptor = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
            #else
                let descriptor = socket(AF_INET, SOCK_STREAM, 0)
            #endif
            guard descriptor >= 0 else { throw PostgreSQLTestFailure("There is no socket to be had.") }
            defer { close(descriptor) }
            var address = sockaddr_in()
            address.sin_family = sa_family_t(AF_INET)
            address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
            address.sin_port = UInt16(port).bigEndian
            return withUnsafePointer(to: &address) { pointer in
                pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { address in
                    bind(descriptor, address, socklen_t(MemoryLayout<sockaddr_in>.size)) == 0
                }
            }
        }
    }
#endif
