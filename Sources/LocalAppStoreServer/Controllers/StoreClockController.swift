import AppStoreModel
import HTTPTypes
import Hummingbird
import LocalAppStore

/// The virtual clock, which is stopped unless it is advanced or started.
struct StoreClockController: Sendable {
    let coordinator: StoreCoordinator

    func addRoutes(to routes: inout RouteTable) {
        routes.get("/_store/clock", clock)
        routes.put("/_store/clock", setSpeed)
        routes.post("/_store/clock/advance", advance)
    }

    @Sendable private func clock(_ request: Request, _ context: StoreContext) async throws -> Response {
        .json(await coordinator.clock().json)
    }

    @Sendable private func setSpeed(_ request: Request, _ context: StoreContext) async throws -> Response {
        guard let speed = try await request.fields(["speed"]).integer("speed") else {
            throw StoreCallError.invalid(
                "missing_field",
                """
                speed is missing: it must be an integer, the virtual milliseconds in each real one, or 0 to \
                stand still
                """,
                path: "speed"
            )
        }
        guard (0...ClockDrive.speedMax).contains(speed) else {
            throw StoreCallError.unprocessable(
                "speed_invalid",
                "speed must be from 0 (the clock stands still) to \(ClockDrive.speedMax)",
                path: "speed"
            )
        }
        return .json(try await coordinator.setClockSpeed(speed).json)
    }

    @Sendable private func advance(_ request: Request, _ context: StoreContext) async throws -> Response {
        let target = try ClockTarget(await request.fields(["by", "to"]))
        let (report, now) = try await coordinator.advance { try target.time(from: $0) }
        return .json(report.json(now: now))
    }
}

extension ClockReading {
    /// The answer of `GET /_store/clock`.
    var json: JSONObject { ["now": .integer(now), "speed": .integer(speed)] }
}

/// The target of an advance: `{by: duration}` or `{to: time}`.
enum ClockTarget: Hashable, Sendable {
    /// The longest single advance: protection against typing errors, not a limit of the store.
    static let yearsMax = 100

    case by(CalendarPeriod)
    case to(Int64)

    /// Reads the body.
    ///
    /// - Throws: `missing_field`, `ambiguous_target`, `duration_invalid`, or what the fields throw.
    init(_ fields: RequestFields) throws(StoreCallError) {
        switch (try fields.duration("by"), try fields.time("to")) {
        case (let duration?, nil):
            self = .by(duration)
        case (nil, let time?): self = .to(time)
        case (nil, nil):
            throw .invalid(
                "missing_field",
                "give the target: {\"by\": \"P1M\"} or {\"to\": milliseconds since 1970, or ISO 8601}",
                path: "by"
            )
        case (_?, _?):
            throw .invalid("ambiguous_target", "give by or to, not both", path: "to")
        }
    }

    /// The target time, milliseconds since 1970.
    ///
    /// - Throws: `clock_backwards`, `advance_too_far`.
    func time(from now: Int64) throws(StoreCallError) -> Int64 {
        let (target, path, remedy) =
            switch self {
            case .by(let period): (period.added(to: now), "by", "advance in parts")
            case .to(let time): (time, "to", "check the unit (milliseconds), or advance in parts")
            }
        guard target >= now else {
            throw .unprocessable(
                "clock_backwards",
                "the clock cannot move back: its time is \(TypedTime.text(now))",
                path: path
            )
        }
        guard let furthest = CalendarPeriod(iso8601: "P\(Self.yearsMax)Y")?.added(to: now), target <= furthest else {
            throw .unprocessable(
                "advance_too_far",
                "one advance goes \(Self.yearsMax) years at most: \(remedy)",
                path: path
            )
        }
        return target
    }
}
