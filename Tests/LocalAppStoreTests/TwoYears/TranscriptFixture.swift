import Foundation

/// The recorded digests of a run, `Fixtures/transcripts/RUN.txt`: one line for each section.
struct TranscriptFixture {
    /// Whether `PERENNIAL_RECORD_TRANSCRIPTS` asks for new recordings.
    static let isRecording = ProcessInfo.processInfo.environment["PERENNIAL_RECORD_TRANSCRIPTS"] != nil

    /// The folder for whole transcripts, if `PERENNIAL_TRANSCRIPTS` names one.
    static let textFolder = ProcessInfo.processInfo.environment["PERENNIAL_TRANSCRIPTS"].map { URL(filePath: $0) }

    private static let folder = URL(filePath: #filePath).deletingLastPathComponent()
        .appending(path: "../../../Fixtures/transcripts").standardizedFileURL

    private let file: URL

    init(run: String) { file = Self.folder.appending(path: run + ".txt") }

    /// Replaces the recording.
    func record(_ transcript: RunTranscript) throws {
        try FileManager.default.createDirectory(at: Self.folder, withIntermediateDirectories: true)
        try Data(transcript.sections.map { Self.line($0) + "\n" }.joined().utf8).write(to: file)
    }

    /// The first section that differs from the recording; `nil` if all are equal.
    func firstDifference(from transcript: RunTranscript) throws -> String? {
        guard FileManager.default.fileExists(atPath: file.path()) else { return "everything: there is no recording" }
        let recorded = try String(contentsOf: file, encoding: .utf8).split(separator: "\n").map(String.init)
        let present = transcript.sections.map(Self.line)
        guard let position = zip(recorded, present).enumerated().first(where: { $1.0 != $1.1 })?.offset else {
            return recorded.count == present.count ? nil : "\(recorded.count) sections recorded, now \(present.count)"
        }
        return transcript.sections[position].name
    }

    private static func line(_ section: RunTranscript.Section) -> String { "\(section.digest)  \(section.name)" }
}
