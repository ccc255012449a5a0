import AppStoreModel
public import ArgumentParser
import Foundation
import PerennialCommandSupport

/// `perennial customer`: a customer's purchases with reasons and history, for support.
public struct CustomerCommand: AsyncParsableCommand {
    /// The name and help of the command.
    public static let configuration = CommandConfiguration(
        commandName: "customer",
        abstract: "Show what a customer may use, why, what happened, and what can be done.",
        discussion: """
            Queries a running server. The secret key comes from --key-file, then from PERENNIAL_API_SECRET_KEY, then \
            from PERENNIAL_DEV_SECRET_KEY. Times are in the time zone of this machine. The last section says what can \
            be done, with the exact commands and calls. The exit status is 1 if no customer is found.

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

    @Flag(help: "Print {customer, extensions, refunds, refund_requests, timeline, actions}, one object per customer.")
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
            throw ValidationError(
                "Give the customer's id, --transaction or --order; none may be empty. An id that begins with a hyphen "
                    + "comes last, after two hyphens: perennial customer -- -u42"
            )
        }
    }

    /// Requests and prints.
    public func run() async throws {
        try await connection.withCalls { try await show(SupportCalls(server: $0, refreshes: refresh)) }
    }

    private func show(_ calls: SupportCalls) async throws {
        let customers = try await calls.customers(id: id, transaction: transaction, order: order)
        guard !customers.isEmpty else { throw await calls.notFound(transaction: transaction, order: order) }
        for (number, customer) in customers.enumerated() {
            let timeline = try await calls.timeline(of: customer)
            let report = CustomerReport(
                customer: customer,
                timeline: timeline.entries,
                hasMore: timeline.hasMore,
                extensions: try await calls.extensions(of: customer),
                refunds: try await calls.refunds(of: customer),
                refundRequests: try await calls.refundRequests(of: customer),
                server: connection.server == ServerOptions.defaultServer ? nil : connection.server
            )
            if json {
                StandardOutput.printLine(Self.object(report).serializedText)
                continue
            }
            if number > 0 { StandardOutput.printLine("") }
            for line in report.lines(in: .current) { StandardOutput.printLine(line) }
        }
    }

    private static func object(_ report: CustomerReport) -> JSONObject {
        var object = JSONObject()
        object["customer"] = .object(report.customer)
        var lists = JSONObject()
        for (id, list) in report.extensions.sorted(by: { $0.key < $1.key }) { lists[id] = .object(list) }
        object["extensions"] = .object(lists)
        object["refunds"] = .object(report.refunds)
        object["refund_requests"] = .array(report.refundRequests.map { .object($0) })
        object["timeline"] = .array(report.timeline.map { .object($0) })
        object["actions"] = .array(report.actions(in: .current).map { .object($0.json) })
        return object
    }
}

extension JSONObject {
    fileprivate var serializedText: String { String(decoding: serialize(), as: UTF8.self) }
}
