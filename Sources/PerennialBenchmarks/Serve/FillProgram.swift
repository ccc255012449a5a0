import Foundation
import PerennialCommandSupport

/// A program that makes the measured server's database larger, while that server is stopped.
struct FillProgram {
    /// Where it is.
    let path: String

    /// Runs it to its end; it finds the database's address in `PERENNIAL_DATABASE_URL`, and says what it does itself.
    ///
    /// - Throws: `BenchmarkError.fillFailed` where it ends with another status than 0; what starting it throws.
    func run(on database: EmptyDatabase) async throws {
        let process = Process()
        process.executableURL = URL(fileURLWithPath: path)
        process.environment = ProcessInfo.processInfo.environment.merging(
            ["PERENNIAL_DATABASE_URL": database.address]
        ) { $1 }
        process.standardOutput = FileHandle.standardError
        let status = try await withCheckedThrowingContinuation { (ended: CheckedContinuation<Int32, any Error>) in
            process.terminationHandler = { ended.resume(returning: $0.terminationStatus) }
            do {
                try process.run()
            } catch {
                ended.resume(throwing: error)
            }
        }
        guard status == 0 else { throw BenchmarkError.fillFailed(status) }
    }
}
