import ArgumentParser
import Foundation

/// A file from the command line; `-` is standard input.
struct InputFile: ExpressibleByArgument, Hashable {
    /// The maximum size of the input.
    ///
    /// - Units: bytes.
    static let bytesMax = 16 << 20

    private static let chunkBytes = 1 << 16

    /// The path as given.
    let path: String

    init(path: String) {
        self.path = path
    }

    init?(argument: String) {
        guard !argument.isEmpty else { return nil }
        path = argument
    }

    /// Its name in messages.
    var name: String { isStandardInput ? "standard input" : path }

    private var isStandardInput: Bool { path == "-" }

    /// Its content.
    ///
    /// - Throws: `input_not_found`, `input_is_a_folder`, `input_unreadable`, `input_too_large`, `input_empty`.
    func read() throws(InputError) -> [UInt8] {
        let bytes = try readAll(from: try open())
        guard !bytes.isEmpty else {
            throw InputError(.empty, "\(name) is empty: the command needs an input")
        }
        return bytes
    }

    /// Its content as text.
    ///
    /// - Throws: As ``read()``, and `input_not_text` if it is not UTF-8.
    func readText() throws(InputError) -> String {
        guard let text = String(validating: try read(), as: UTF8.self) else {
            throw InputError(.notText, "\(name) is not text: give a file in UTF-8")
        }
        return text
    }

    /// Opens it.
    ///
    /// - Throws: `input_not_found`, `input_is_a_folder`, `input_unreadable`.
    func open() throws(InputError) -> FileHandle {
        if isStandardInput { return .standardInput }
        var isFolder: ObjCBool = false
        guard FileManager.default.fileExists(atPath: path, isDirectory: &isFolder) else {
            throw InputError(.notFound, "\(path) does not exist: check the path")
        }
        guard !isFolder.boolValue else {
            throw InputError(.isFolder, "\(path) is a directory: give the path of a file")
        }
        guard let handle = FileHandle(forReadingAtPath: path) else {
            throw InputError(.unreadable, "\(path) cannot be opened: check that you may read it")
        }
        return handle
    }

    private func readAll(from handle: FileHandle) throws(InputError) -> [UInt8] {
        var bytes: [UInt8] = []
        do {
            while let chunk = try handle.read(upToCount: Self.chunkBytes), !chunk.isEmpty {
                bytes.append(contentsOf: chunk)
                if bytes.count > Self.bytesMax { break }
            }
            if !isStandardInput { try handle.close() }
        } catch {
            throw InputError(.unreadable, "\(name) cannot be read: check that it is open and that you may read it")
        }
        guard bytes.count <= Self.bytesMax else {
            throw InputError(.tooLarge, "\(name) has more than \(Self.bytesMax) bytes, the limit of the input")
        }
        return bytes
    }
}

/// Why an input is unusable.
struct InputError: Error, CustomStringConvertible {
    /// The stable reasons.
    enum Code: String {
        case notFound = "input_not_found"
        case isFolder = "input_is_a_folder"
        case unreadable = "input_unreadable"
        case tooLarge = "input_too_large"
        case empty = "input_empty"
        case notText = "input_not_text"
        case malformed = "input_malformed"
    }

    let code: Code
    let message: String

    init(_ code: Code, _ message: String) {
        self.code = code
        self.message = message
    }

    var description: String { "\(code.rawValue): \(message)" }
}
