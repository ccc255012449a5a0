import AppStoreModel
import HTTPTypes
package import Hummingbird
import SubscriptionCore
package import SubscriptionOperations
import SubscriptionStorage

/// Apple's notification history compared with what is held.
package struct RecoveryController: Sendable {
    private static let bodyBytesMax = 4 << 10
    private static let pageMax = 100

    private let windows: RecoveryWindows

    /// Makes the controller.
    package init(windows: RecoveryWindows) {
        self.windows = windows
    }

    /// Adds the routes.
    package func addRoutes(to group: RouterGroup<ServerRequestContext>) {
        group.get("recovery/windows", use: list)
        group.post("recovery/windows", use: request)
        group.get("recovery/windows/{id}", use: show)
    }

    private func request(_ request: Request, context: ServerRequestContext) async throws -> Response {
        let app = try context.secretKey().appID
        let body = try await request.jsonObject(limit: Self.bodyBytesMax)
        try body.allowOnly(["from", "to", "only_failures"])
        let window = try await windows.request(
            RecoveryWindows.Request(
                id: RecoveryWindowID(rawValue: context.newID("rw_")),
                from: try body.requiredTime("from"),
                to: try body.requiredTime("to"),
                onlyFailures: try body.flag("only_failures")
            ),
            app: app,
            by: try context.keyHolder()
        )
        return .json(JSONObject(recoveryWindow: window, of: app), status: .accepted)
    }

    private func show(_ request: Request, context: ServerRequestContext) async throws -> Response {
        let app = try context.secretKey().appID
        let id = RecoveryWindowID(rawValue: try context.parameters.require("id").checkedParameter("id"))
        return .json(JSONObject(recoveryWindow: try await windows.window(id, app: app), of: app))
    }

    private func list(_ request: Request, context: ServerRequestContext) async throws -> Response {
        let app = try context.secretKey().appID
        let query = try request.query(["after", "limit"])
        var size = Self.pageMax
        if let limit = query["limit"] {
            guard let number = Int(limit), (1...Self.pageMax).contains(number) else {
                throw APIError.invalid("limit", "limit must be a number from 1 to \(Self.pageMax).")
            }
            size = number
        }
        let last = try query["after"].map { RecoveryWindowID(rawValue: try String($0).checkedParameter("after")) }
        let found = try await windows.windows(app: app, before: last, limit: size + 1)
        let shown = found.prefix(size)
        var list = JSONObject()
        list["object"] = .string("list")
        list["data"] = .array(shown.map { .object(JSONObject(recoveryWindow: $0, of: app)) })
        list["has_more"] = .bool(found.count > size)
        list["next_cursor"] = found.count > size ? .text(shown.last?.id.rawValue) : .null
        return .json(list)
    }
}

extension JSONObject {
    init(recoveryWindow window: RecoveryWindow, of app: AppID) {
        self.init()
        self["object"] = .string("recovery_window")
        self["id"] = .string(window.id.rawValue)
        self["bundle_id"] = .string(app.bundleID)
        self["environment"] = .text(app.environment?.rawValue)
        self["from"] = .integer(window.from.milliseconds)
        self["to"] = .integer(window.to.milliseconds)
        self["only_failures"] = .bool(window.onlyFailures)
        self["reason"] = .string(window.reason.rawValue)
        self["state"] = .string(window.state.rawValue)
        for (name, count) in [
            ("sent", window.counts.sent), ("held", window.counts.held), ("recovered", window.counts.recovered),
            ("retrying", window.counts.retrying), ("refused", window.counts.refused),
            ("missing", window.counts.missing),
        ] {
            self[name] = .integer(Int64(count))
        }
        var problems = JSONObject()
        for (code, count) in window.problems.sorted(by: { $0.key < $1.key }) { problems[code] = .integer(Int64(count)) }
        self["problems"] = .object(problems)
        self["created_at"] = .integer(window.createdAt.milliseconds)
        self["finished_at"] = .time(window.finishedAt)
        self["retry_at"] = .time(window.retryAt)
        self["error"] = window.failure.map { .object(JSONObject(problem: $0)) } ?? .null
    }
}
