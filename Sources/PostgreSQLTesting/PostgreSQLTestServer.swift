#if PostgreSQL
    import Foundation
    import Synchronization

    /// A PostgreSQL server of the tests' own: a private port, data in the temporary folder, gone when the tests end.
    ///
    /// It runs under a shell that waits for the end of its input, so that it stops even where the tests are killed. As
    /// root it runs as `nobody`, because PostgreSQL refuses to be root.
    public final class PostgreSQLTestServer: Sendable {
        /// The port it listens on, on loopback.
        public let port: Int
        private let folder: URL
        private let programs: PostgreSQLPrograms
        private let running = Mutex<(process: Process, input: FileHandle)?>(nil)
        private let schemaCount = Mutex(0)

        private static let one = Result { try PostgreSQLTestServer() }

        /// The server that all tests of a process share.
        ///
        /// - Throws: ``PostgreSQLTestFailure``, which says what to install where PostgreSQL is missing.
        public static func shared() throws -> PostgreSQLTestServer { try one.get() }

        /// Makes a new cluster of databases and starts its server.
        ///
        /// - Throws: ``PostgreSQLTestFailure``.
        public convenience init() throws {
            let programs = try PostgreSQLPrograms.find()
            let folder = try Self.makeFolder(programs)
            try programs.run(
                "initdb",
                [
                    "--pgdata", folder.appending(path: "data").path, "--username", "perennial", "--auth", "trust",
                    "--encoding", "UTF8", "--locale", "C", "--no-sync", "--no-instructions",
                ]
            )
            try self.init(folder: folder, programs: programs)
            try requirePassword(of: Self.guardedUser)
            try start()
        }

        /// A user who needs a password, once a test has made them.
        public static let guardedUser = "guarded"

        /// The first line that fits a connection decides.
        private func requirePassword(of user: String) throws {
            let file = folder.appending(path: "data/pg_hba.conf")
            let rules = try String(contentsOf: file, encoding: .utf8)
            try Data("host all \(user) 127.0.0.1/32 scram-sha-256\n\(rules)".utf8).write(to: file)
        }

        private init(folder: URL, programs: PostgreSQLPrograms) throws {
            self.folder = folder
            self.programs = programs
            port = try FreePort.find()
        }

        /// A standby that follows this server, with everything it holds.
        ///
        /// - Throws: ``PostgreSQLTestFailure``.
        public func makeStandby() throws -> PostgreSQLTestServer {
            let folder = try Self.makeFolder(programs)
            let standby = try PostgreSQLTestServer(folder: folder, programs: programs)
            try programs.run(
                "pg_basebackup",
                [
                    "--pgdata", folder.appending(path: "data").path, "--host", "127.0.0.1", "--port", "\(port)",
                    "--username", "perennial", "--write-recovery-conf", "--checkpoint", "fast", "--no-sync",
                ]
            )
            try standby.start()
            return standby
        }

        /// Makes a standby take writes.
        ///
        /// - Throws: ``PostgreSQLTestFailure``.
        public func promote() throws {
            try programs.run("pg_ctl", ["promote", "--wait", "--pgdata", folder.appending(path: "data").path])
        }

        /// The address of a database.
        ///
        /// - Parameters:
        ///   - schema: Where the tables are.
        ///   - user: Who connects.
        ///   - password: The password; most users need none.
        public func url(
            schema: String? = nil,
            user: String = "perennial",
            password: String? = nil,
            database: String = "postgres"
        ) -> String {
            let secret = password.map { ":\($0)" } ?? ""
            let options = schema.map { "?options=-csearch_path%3D\($0)" } ?? ""
            return "postgres://\(user)\(secret)@127.0.0.1:\(port)/\(database)\(options)"
        }

        /// Makes an empty schema for one test.
        ///
        /// - Returns: Its name.
        /// - Throws: ``PostgreSQLTestFailure``.
        public func makeSchema() throws -> String {
            let number = schemaCount.withLock { count in
                count += 1
                return count
            }
            let name = "test_\(number)"
            try run("CREATE SCHEMA \(name)")
            return name
        }

        /// Runs statements of SQL, and gives the first value of the last one.
        ///
        /// - Throws: ``PostgreSQLTestFailure``.
        @discardableResult
        public func run(_ statements: String, schema: String? = nil) throws -> String? {
            try SimpleConnection.run(statements, at: url(schema: schema))
        }
    }

    extension PostgreSQLTestServer {
        /// Starts the server, and waits until it answers.
        ///
        /// - Throws: ``PostgreSQLTestFailure`` with the server's log.
        public func start() throws {
            let input = Pipe()
            let process = Process()
            process.executableURL = URL(fileURLWithPath: "/bin/sh")
            let server = programs.command + [programs.folder.appending(path: "postgres").path]
            process.arguments = ["-c", Self.script, "sh", folder.path, "\(port)"] + server
            process.standardInput = input.fileHandleForReading
            // A reader of the output of the tests must not wait for the server to end.
            process.standardOutput = FileHandle.nullDevice
            process.standardError = FileHandle.nullDevice
            try process.run()
            try input.fileHandleForReading.close()
            running.withLock { $0 = (process, input.fileHandleForWriting) }
            let deadline = ContinuousClock.now + .seconds(120)
            while ContinuousClock.now < deadline, process.isRunning {
                if SimpleConnection.answers(at: url()) { return }
                Thread.sleep(forTimeInterval: 0.02)
            }
            let log = (try? String(contentsOf: folder.appending(path: "log"), encoding: .utf8)) ?? ""
            throw PostgreSQLTestFailure("PostgreSQL did not start:\n\(log)")
        }

        /// Stops the server as an operator does, and keeps its data.
        ///
        /// - Throws: ``PostgreSQLTestFailure``.
        public func stop() throws { try end("INT") }

        /// Stops the server as if its machine failed, and keeps what was on the disk.
        ///
        /// - Throws: ``PostgreSQLTestFailure``.
        public func crash() throws { try end("QUIT") }

        /// Stops the server and removes its data.
        ///
        /// - Throws: ``PostgreSQLTestFailure``.
        public func remove() throws {
            if running.withLock({ $0 != nil }) { try end("INT") }
            try FileManager.default.removeItem(at: folder)
        }

        private func end(_ signal: String) throws {
            let taken = running.withLock { running in
                defer { running = nil }
                return running.map { (process: $0.process, input: $0.input) }
            }
            guard let taken else { throw PostgreSQLTestFailure("The server does not run.") }
            try taken.input.write(contentsOf: Data("\(signal)\n".utf8))
            try taken.input.close()
            taken.process.waitUntilExit()
        }

        /// The server lives as long as the input. A line names the signal that ends it, and keeps the data. The end
        /// of the input is the end of the tests.
        ///
        /// Nothing waits for the disk: the tests stop processes, never the machine.
        private static let script = """
            folder=$1 port=$2
            shift 2
            cd /
            "$@" -D "$folder/data" -p "$port" -c listen_addresses=127.0.0.1 -c unix_socket_directories= -c fsync=off \
                -c max_connections=200 -c wal_level=replica -c max_wal_senders=4 -c hot_standby=on \
                </dev/null >>"$folder/log" 2>&1 &
            read -r signal
            read -r server <"$folder/data/postmaster.pid" && kill -"${signal:-QUIT}" "$server"
            while [ -e "$folder/data/postmaster.pid" ]; do sleep 0.02; done
            [ -n "$signal" ] || rm -rf "$folder"
            """

        private static func makeFolder(_ programs: PostgreSQLPrograms) throws -> URL {
            let folder = FileManager.default.temporaryDirectory.appending(path: "perennial-pg-\(UUID().uuidString)")
            try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
            try programs.giveAway(folder)
            return folder
        }
    }

    /// Why a test has no PostgreSQL server.
    public struct PostgreSQLTestFailure: Error, Sendable, CustomStringConvertible {
        /// What went wrong, and what to do.
        public let description: String

        init(_ description: String) {
            self.description = description
        }
    }
#endif
