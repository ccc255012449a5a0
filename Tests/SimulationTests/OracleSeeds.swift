import Foundation

/// The seeds of the random years: twenty in `make test`, any number in `make oracle SEEDS=…`.
enum OracleSeeds {
    static let all: [UInt64] = {
        let requested = ProcessInfo.processInfo.environment["PERENNIAL_ORACLE_SEEDS"].flatMap(UInt64.init)
        return Array(1...max(1, requested ?? 20))
    }()
}
