import Foundation
import PerennialCommandSupport

/// A program that enlarges the measured server's database while that server is stopped.
struct FillProgram {
    /// Its path.
    let path: String

    /// Runs it to its end; it gets the database's address in `PERENNIAL_DATABASE_URL`, and prints its own progress.
    ///
    /// - Throws: `BenchmarkError.fillFailed` for an exit status other than 0; errors of starting it.
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
