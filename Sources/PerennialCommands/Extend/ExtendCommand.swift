public import ArgumentParser

/// `perennial extend`: paid periods lengthened through Apple.
public struct ExtendCommand: AsyncParsableCommand {
    /// The name and help of the command.
    public static let configuration = CommandConfiguration(
        commandName: "extend",
        abstract: "Lengthen the paid period of subscriptions.",
        subcommands: [ExtendOneCommand.self, CampaignCommand.self]
    )

    private static let daysMax = 90

    /// Makes the command; the parser sets its values.
    public init() {}

    /// Refuses a number of days that Apple does not take.
    ///
    /// - Throws: `ValidationError`.
    static func check(days: Int) throws {
        guard (1...daysMax).contains(days) else {
            throw ValidationError("--days must be a number from 1 to \(daysMax), not \(days).")
        }
    }
}
