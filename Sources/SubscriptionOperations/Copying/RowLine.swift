import AppStoreModel
import PerennialPrimitives
package import SubscriptionStorage

/// A row of a table as a line of JSON: an object with the columns in order. Nulls are omitted, bytes are base64.
enum RowLine {
    /// The maximum length of a line: signed inputs are limited to a few megabytes.
    ///
    /// - Units: bytes.
    static let bytesMax = 64 << 20

    /// The line of a row, with its end.
    static func text(of row: [ColumnValue], in table: CopiedTable) -> [UInt8] {
        var object = JSONObject()
        for (column, value) in zip(table.columns, row) {
            switch value {
            case .null: break
            case .string(let text): object[column.name] = .string(text)
            case .number(let number): object[column.name] = .integer(number)
            case .truth(let truth): object[column.name] = .bool(truth)
            case .blob(let bytes):
                object[column.name] = .string(String(decoding: Base64.encode(bytes, .standard), as: UTF8.self))
            }
        }
        var line = object.serialize()
        line.append(UInt8(ascii: "\n"))
        return line
    }

    /// The key of a line in a table whose key comes first, without reading the rest of the line; nil if it has none.
    static func key(of line: [UInt8], in table: CopiedTable) -> [ColumnValue]? {
        let next = Array(",\"\(table.columns[table.key.count].name)\":".utf8)
        guard let end = line.prefix(1 << 10).firstRange(of: next)?.lowerBound else { return nil }
        guard let object = try? JSONParser.parseObject(Array(line[..<end]) + [UInt8(ascii: "}")]) else { return nil }
        var key: [ColumnValue] = []
        for name in table.key {
            switch object[name] {
            case .string(let text)?: key.append(.string(text))
            case .integer(let number)?: key.append(.number(number))
            default: return nil
            }
        }
        return key
    }

    /// The row of a line without its end; nil if it is not a row of the table.
    static func row(of line: [UInt8], in table: CopiedTable) -> [ColumnValue]? {
        let limits = JSONLimits(depthMax: 1, bytesMax: bytesMax)
        guard let object = try? JSONParser.parseObject(line, limits: limits) else { return nil }
        var row: [ColumnValue] = []
        row.reserveCapacity(table.columns.count)
        var used = 0
        for column in table.columns {
            guard let value = object[column.name] else {
                guard column.isOptional else { return nil }
                row.append(.null)
                continue
            }
            switch (column.kind, value) {
            case (.text, .string(let text)): row.append(.string(text))
            case (.integer, .integer(let number)): row.append(.number(number))
            case (.flag, .bool(let truth)): row.append(.truth(truth))
            case (.bytes, .string(let text)):
                guard let bytes = Base64.decode(text.utf8, .standard) else { return nil }
                row.append(.blob(bytes[...]))
            default: return nil
            }
            used += 1
        }
        return used == object.count ? row : nil
    }
}

/// Divides pieces of a file into lines.
package struct LineReader {
    /// The number of the last line; the first is 1.
    package private(set) var line = 0
    private var rest: [UInt8] = []

    /// Whether the file ends without a line end, so far.
    package var hasRest: Bool { !rest.isEmpty }

    /// Begins a file.
    package init() {}

    /// Passes the lines that end in a piece, without their ends.
    package mutating func read(
        _ piece: ArraySlice<UInt8>,
        _ body: ([UInt8], _ line: Int) throws(StorageError) -> Void
    ) throws(StorageError) {
        var start = piece.startIndex
        while let end = piece[start...].firstIndex(of: UInt8(ascii: "\n")) {
            rest += piece[start..<end]
            line += 1
            let complete = rest
            rest.removeAll(keepingCapacity: true)
            start = end + 1
            try body(complete, line)
        }
        rest += piece[start...]
    }
}
