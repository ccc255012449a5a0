import AppStoreModel
import SubscriptionStorage

/// The description of a complete export. It is written last.
package struct ExportManifest: Hashable, Sendable {
    /// The file of a table.
    package struct Table: Hashable, Sendable {
        /// The name of the table; the file is `NAME.ndjson`.
        package var name: String
        /// The number of rows, one line each.
        package var rows: Int
        /// The size.
        package var bytes: Int
        /// The SHA-256 of the file, in hexadecimal digits.
        package var sha256: String

        /// The name of the file.
        package var file: String { "\(name).ndjson" }
    }

    static let name = "manifest.json"
    private static let format = "perennial-export"
    private static let version: Int64 = 1

    /// The step of the schema that the rows have.
    package var schemaStep: Int
    /// Whether API keys and signing keys are in it.
    package var hasKeys: Bool
    /// The tables, in the order of an import.
    package var tables: [Table]

    /// The number of rows of all tables.
    package var rows: Int { tables.reduce(0) { $0 + $1.rows } }
    /// The size of all files.
    ///
    /// - Units: bytes.
    package var bytes: Int { tables.reduce(0) { $0 + $1.bytes } }

    /// Makes a description; without tables, it is that of an export that has begun.
    package init(schemaStep: Int, hasKeys: Bool, tables: [Table]) {
        self.schemaStep = schemaStep
        self.hasKeys = hasKeys
        self.tables = tables
    }

    /// The content of the file.
    var text: [UInt8] {
        var object = JSONObject()
        object["format"] = .string(Self.format)
        object["format_version"] = .integer(Self.version)
        object["schema_step"] = .integer(Int64(schemaStep))
        object["with_keys"] = .bool(hasKeys)
        object["tables"] = .array(
            tables.map { table in
                [
                    "name": .string(table.name), "file": .string(table.file), "rows": .integer(Int64(table.rows)),
                    "bytes": .integer(Int64(table.bytes)), "sha256": .string(table.sha256),
                ]
            }
        )
        return object.serialize() + [UInt8(ascii: "\n")]
    }

    /// Reads the file.
    ///
    /// - Throws: ``StorageError`` with `export_damaged`, or `export_of_other_version` for another format.
    init(text: [UInt8]) throws(StorageError) {
        let damaged = StorageError.exportDamaged(Self.name, "the file is not a manifest")
        guard let object = try? JSONParser.parseObject(text), object["format"]?.stringValue == Self.format,
            let version = object["format_version"]?.integerValue
        else { throw damaged }
        guard version == Self.version else { throw .exportOfOtherVersion("its format is \(version)") }
        guard let step = object["schema_step"]?.integerValue.flatMap({ Int(exactly: $0) }),
            case .bool(let hasKeys)? = object["with_keys"], let list = object["tables"]?.arrayValue
        else { throw damaged }
        var tables: [Table] = []
        for entry in list {
            guard let table = entry.objectValue, let name = table["name"]?.stringValue,
                let rows = table["rows"]?.integerValue.flatMap({ Int(exactly: $0) }),
                let bytes = table["bytes"]?.integerValue.flatMap({ Int(exactly: $0) }),
                let sha256 = table["sha256"]?.stringValue
            else { throw damaged }
            tables.append(Table(name: name, rows: rows, bytes: bytes, sha256: sha256))
        }
        self.init(schemaStep: step, hasKeys: hasKeys, tables: tables)
    }

    /// The tables of a complete export with these options.
    static func tables(withKeys: Bool) -> [CopiedTable] {
        CopiedTables.all.filter { withKeys || !$0.isSecret }
    }
}

extension StorageError {
    static func exportOfOtherVersion(_ difference: String) -> StorageError {
        StorageError(
            .exportOfOtherVersion,
            "Another version of this program made the export: \(difference), and this one reads schema step "
                + "\(CopiedTables.schemaStep). Import it with the version that made it, then run perennial migrate "
                + "with this one.",
            isRetryable: false
        )
    }
}
