extension GroupEntry {
    /// The sandbox's placeholder group for a customer in no consumer group.
    public static let sandboxPlaceholderId = "900000000000000000"
}
