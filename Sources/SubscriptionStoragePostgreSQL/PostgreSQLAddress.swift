#if PostgreSQL
    import CLibPQ
    import SubscriptionStorage

    /// The parsed address of a database: the libpq parameters for each host.
    struct PostgreSQLAddress: Sendable {
        /// The parameters of each host, in the order of attempts; never empty.
        let targets: [[String: String]]

        /// Parses a URL or a connection string like libpq.
        ///
        /// Hosts are tried one by one instead of by libpq, so that each has a deadline and a standby is distinguished
        /// from a host that does not respond. `target_session_attrs` is ignored: the host that accepts writes is used.
        ///
        /// - Throws: ``StorageError`` with `address_malformed`; it does not repeat the address, which may contain a
        ///   password.
        init(_ text: String) throws(StorageError) {
            var given = try Self.parameters(of: text)
            let hosts = Self.list(given.removeValue(forKey: "host"))
            let addresses = Self.list(given.removeValue(forKey: "hostaddr"))
            let ports = Self.list(given.removeValue(forKey: "port"))
            let count = max(1, hosts.count, addresses.count)
            guard
                [hosts, addresses].allSatisfy({ $0.isEmpty || $0.count == count }),
                ports.count <= 1 || ports.count == count
            else { throw Self.malformed("It names as many hosts as ports, or one port.") }
            guard ports.allSatisfy({ $0.isEmpty || UInt16($0).map { $0 > 0 } == true }) else {
                throw Self.malformed("A port is a number from 1 to 65535.")
            }
            guard given["sslmode"].map({ $0.isEmpty || Self.sslModes.contains($0) }) ?? true else {
                throw Self.malformed("sslmode is one of \(Self.sslModes.joined(separator: ", ")).")
            }
            given["target_session_attrs"] = "any"
            given["client_encoding"] = "UTF8"
            let common = given.merging(Self.defaults) { given, _ in given }
            targets = (0..<count).map { index in
                var target = common
                target["host"] = hosts.isEmpty ? nil : hosts[index]
                target["hostaddr"] = addresses.isEmpty ? nil : addresses[index]
                target["port"] = ports.isEmpty ? nil : ports[ports.count == 1 ? 0 : index]
                return target.filter { !$0.value.isEmpty }
            }
        }

        /// - Source: PostgreSQL, "Database Connection Control Functions", `sslmode`.
        private static let sslModes = ["disable", "allow", "prefer", "require", "verify-ca", "verify-full"]

        /// The defaults: a server that vanished is detected within seconds.
        private static let defaults = [
            "fallback_application_name": "perennial", "keepalives_idle": "10", "keepalives_interval": "5",
            "keepalives_count": "3", "tcp_user_timeout": "15000",
        ]

        /// A description of the database for people, without the password.
        var summary: String {
            let hosts = targets.map { "\($0["host"] ?? $0["hostaddr"] ?? "localhost"):\($0["port"] ?? "5432")" }
            let user = targets[0]["user"]
            let parts = [(targets[0]["dbname"] ?? user).map { "database \($0)" }, user.map { "user \($0)" }]
            return ([hosts.joined(separator: ",")] + parts.compactMap(\.self)).joined(separator: ", ")
        }

        private static func parameters(of text: String) throws(StorageError) -> [String: String] {
            guard !text.utf8.contains(0), let options = PQconninfoParse(text, nil) else {
                throw malformed(
                    "A character with a meaning of its own, such as @ or / in a password, is written as %40."
                )
            }
            defer { PQconninfoFree(options) }
            var parameters: [String: String] = [:]
            var option = options
            while let keyword = option.pointee.keyword {
                if let value = option.pointee.val { parameters[String(cString: keyword)] = String(cString: value) }
                option += 1
            }
            return parameters
        }

        private static func list(_ text: String?) -> [String] {
            text.map { $0.split(separator: ",", omittingEmptySubsequences: false).map(String.init) } ?? []
        }

        private static func malformed(_ hint: String) -> StorageError {
            StorageError(
                .addressMalformed,
                "The database must be given as postgres://USER@HOST:PORT/DATABASE. \(hint)",
                isRetryable: false
            )
        }
    }
#endif
