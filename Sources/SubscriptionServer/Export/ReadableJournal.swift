import AppStoreModel
import SubscriptionOperations
import SubscriptionStorage

/// How far an unfinished readable export is: the file `progress.json.partial` beside its files.
///
/// A value in CSV may contain line ends, so the end of the last whole row is recorded here, and not looked for in the
/// file.
struct ReadableJournal: Hashable {
    static let name = "progress.json\(TableFile.partial)"
    private static let kind = "perennial-readable-export"
    private static let version: Int64 = 1

    /// The form of the files.
    let format: ReadableExport.Format
    /// How far the signed inputs are; nil before the first.
    let evidence: TablePosition?

    /// Makes a journal.
    init(format: ReadableExport.Format, evidence: TablePosition?) {
        self.format = format
        self.evidence = evidence
    }

    /// The content of the file.
    var text: [UInt8] {
        var object = JSONObject()
        object["format"] = .string(Self.kind)
        object["format_version"] = .integer(Self.version)
        object["schema_step"] = .integer(Int64(CopiedTables.schemaStep))
        object["file_format"] = .string(format.rawValue)
        if let evidence { object["evidence"] = .object(evidence.json) }
        return object.serialize() + [UInt8(ascii: "\n")]
    }

    /// Reads the file of an export in a format.
    ///
    /// - Throws: ``StorageError`` with `export_folder_in_use` for the file of another export.
    init(text: [UInt8], of format: ReadableExport.Format) throws(StorageError) {
        guard let object = try? JSONParser.parseObject(text), object["format"]?.stringValue == Self.kind,
            object["format_version"]?.integerValue == Self.version,
            object["schema_step"]?.integerValue == Int64(CopiedTables.schemaStep),
            object["file_format"]?.stringValue == format.rawValue
        else { throw .exportFolderInUse }
        var position: TablePosition?
        if let evidence = object["evidence"] {
            position = evidence.objectValue.flatMap { TablePosition(json: $0) }
            guard position != nil else { throw .exportFolderInUse }
        }
        self.init(format: format, evidence: position)
    }
}
