package import SubscriptionStorage

extension StorageError.Code {
    /// The folder already has a complete export.
    package static let exportFinished = StorageError.Code(rawValue: "export_finished")
    /// The folder has other files, or the beginning of another export.
    package static let exportFolderInUse = StorageError.Code(rawValue: "export_folder_in_use")
    /// No space is left for the export. The same command continues it.
    package static let exportDiskFull = StorageError.Code(rawValue: "export_disk_full")
    /// A file of the export could not be written. The same command continues it.
    package static let exportNotWritten = StorageError.Code(rawValue: "export_not_written")
    /// A file of the export could not be read.
    package static let exportNotRead = StorageError.Code(rawValue: "export_not_read")
    /// The export has no manifest: it was not finished.
    package static let exportIncomplete = StorageError.Code(rawValue: "export_incomplete")
    /// A file of the export is missing, or it is not the one that the manifest describes.
    package static let exportDamaged = StorageError.Code(rawValue: "export_damaged")
    /// Another version of the program made the export.
    package static let exportOfOtherVersion = StorageError.Code(rawValue: "export_of_other_version")
    /// An import needs an empty database.
    package static let databaseNotEmpty = StorageError.Code(rawValue: "database_not_empty")
}

extension StorageError {
    /// A file of an export that is not the one that was written.
    static func exportDamaged(_ file: String, _ problem: String) -> StorageError {
        StorageError(
            .exportDamaged,
            "\(file): \(problem). Nothing was imported. Copy the export again, or make a new one.",
            isRetryable: false
        )
    }
}
