import AppStoreModel
public import ArgumentParser
import Foundation
import PerennialCommandSupport

/// `perennial customer`: a customer's purchases with reasons and history, for support.
public struct CustomerCommand: AsyncParsableCommand {
    /// The name and help of the command.
    public static let configuration = CommandConfiguration(
        commandName: "customer",
        abstract: "Show what a customer may use, why, and what happened.",
        discussion: """
            Queries a running server. The secret key comes from --key-file, then from PERENNIAL_API_SECRET_KEY, then \
            from PERENNIAL_DEV_SECRET_KEY. Times are in the time zone of this machine. The exit status is 1 if no \
            customer is found.

            Example:
              perennial customer u_42
              perennial customer u_42 --refresh
              perennial customer --transaction 2000000000000001 --key-file key.txt
              perennial customer --order MK5TTTVWJH --server https://subs.example.com
            """
    )

    @Argument(help: ArgumentHelp("The customer, or one of the customer's aliases.", valueName: "app-user-id"))
    var id: String?

    @Option(help: ArgumentHelp("A transaction of the customer, instead of the customer's id.", valueName: "id"))
    var transaction: String?

    @Option(help: ArgumentHelp("An order number from Apple's mail, instead of the customer's id.", valueName: "number"))
    var order: String?

    @OptionGroup var connection: ServerOptions

    @Flag(help: "Let the server ask Apple about the customer's purchases first. It uses Apple's quota.")
    var refresh = false

    @Flag(help: "Print {customer, extensions, timeline} as the server returns them, one object for each customer.")
    var json = false

    /// Makes the command; the parser sets its values.
    public init() {}

    /// Exactly one way to select a customer is allowed.
    public func validate() throws {
        let given = [id, transaction, order].compactMap(\.self)
        guard given.count <= 1 else {
            throw ValidationError("Give only one of the customer's id, --transaction and --order.")
        }
        guard let given = given.first, !given.isEmpty else {
            throw ValidationError("Give the customer's id, --transaction or --order; none may be empty.")
        }
    }

    /// Requests and prints.
    public func run() async throws {
        try await connection.withCalls { try await show(SupportCalls(server: $0, refreshes: refresh)) }
    }

    private func show(_ calls: SupportCalls) async throws {
        let customers = try await calls.customers(id: id, transaction: transaction, order: order)
        guard !customers.isEmpty else { throw await calls.notFound(transaction: transaction) }
        for (number, customer) in customers.enumerated() {
            let timeline = try await calls.timeline(of: customer)
            let extensions = try await calls.extensions(of: customer)
            if json {
                StandardOutput.printLine(Self.object(customer, extensions, timeline).serializedText)
                continue
            }
            if number > 0 { StandardOutput.printLine("") }
            let report = CustomerReport(
                customer: customer,
                timeline: timeline.entries,
                hasMore: timeline.hasMore,
                extensions: extensions
            )
            for line in report.lines(in: .current) { StandardOutput.printLine(line) }
        }
    }

    private static func object(
        _ customer: JSONObject,
        _ extensions: [String: JSONObject],
        _ timeline: SupportCalls.Timeline
    ) -> JSONObject {
        var object = JSONObject()
        object["customer"] = .object(customer)
        var lists = JSONObject()
        for (id, list) in extensions.sorted(by: { $0.key < $1.key }) { lists[id] = .object(list) }
        object["extensions"] = .object(lists)
        object["timeline"] = .array(timeline.entries.map { .object($0) })
        return object
    }
}

extension JSONObject {
    fileprivate var serializedText: String { String(decoding: serialize(), as: UTF8.self) }
}
