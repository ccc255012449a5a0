import Foundation
import SubscriptionCore

extension CustomerRecord {
    /// Reads a row of ``RecordColumns/customer``.
    @inlinable package init(row: some ColumnReading) throws(StorageError) {
        self.init(
            id: try row.identifier(0),
            firstSeenAt: try row.time(1),
            stateVersion: try row.integer(2),
            profile: try CustomerProfile(text: try row.optionalText(3))
        )
    }

    /// The columns after the app.
    package var columns: [ColumnValue] {
        get throws(StorageError) {
            [.text(id), .time(firstSeenAt), .integer(stateVersion), .text(try profile.text)]
        }
    }
}

extension CustomerProfile {
    /// Reads a stored profile; null means an empty profile.
    @usableFromInline package init(text: String?) throws(StorageError) {
        guard let text else {
            self.init()
            return
        }
        do {
            self = try JSONDecoder().decode(CustomerProfile.self, from: Data(text.utf8))
        } catch {
            throw .unreadable("a profile: \(error)")
        }
    }

    /// The stored form, the same for equal profiles; nil for an empty one.
    fileprivate var text: String? {
        get throws(StorageError) {
            guard !isEmpty else { return nil }
            let encoder = JSONEncoder()
            encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
            do {
                return String(decoding: try encoder.encode(self), as: UTF8.self)
            } catch {
                throw StorageError(.failed, "A profile has no JSON form.", isRetryable: false, detail: "\(error)")
            }
        }
    }
}
