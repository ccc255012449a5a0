import AppStoreSigning
import PerennialCommandSupport

/// The root certificates of `--root`, for commands that verify.
enum RootOption {
    /// The certificates of the files, or the default without a file.
    ///
    /// - Throws: The configuration error if a file is unreadable or contains no root certificate.
    static func roots<Root>(
        _ files: [InputFile],
        default builtIn: Root,
        make: (_ der: [UInt8]) throws(SigningError) -> Root
    ) throws -> [Root] {
        guard !files.isEmpty else { return [builtIn] }
        do {
            return try RootCertificateFiles.read(files).map(make)
        } catch let error as InputError {
            throw CommandFailure.report("root_unusable: \(error.message)", status: .wrongConfiguration)
        } catch let error as SigningError {
            throw CommandFailure.report("\(error)", status: .wrongConfiguration)
        }
    }
}
