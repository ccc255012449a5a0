import AppStoreModel
import SubscriptionServer

/// A checked configuration in the form of `perennial config check --json`.
struct ConfigurationReport {
    private let effective: EffectiveConfiguration

    init(_ effective: EffectiveConfiguration) {
        self.effective = effective
    }

    /// One line of JSON; secrets are masked.
    var jsonLine: String {
        var object = JSONObject()
        object["valid"] = .bool(effective.problems.isEmpty)
        object["settings"] = .array(
            effective.settings.map { setting in
                var line = JSONObject()
                line["key"] = .string(setting.key.name)
                line["value"] = setting.shown.json
                line["origin"] = .string(setting.origin)
                line["secret"] = .bool(setting.key.isSecret)
                return .object(line)
            }
        )
        object["problems"] = .array(
            effective.problems.map { problem in
                var line = JSONObject()
                line["code"] = .string(problem.code.rawValue)
                line["key"] = problem.key.map { .string($0) } ?? .null
                line["place"] = .string(problem.location)
                line["message"] = .string(problem.message)
                return .object(line)
            }
        )
        object["warnings"] = .array(effective.warnings.map { .string($0) })
        return String(decoding: JSONValue.object(object).serialize(), as: UTF8.self)
    }
}

extension SettingValue {
    fileprivate var json: JSONValue {
        switch self {
        case .text(let text): .string(text)
        case .integer(let number): .integer(Int64(number))
        case .truth(let truth): .bool(truth)
        case .list(let texts): .array(texts.map { .string($0) })
        }
    }
}
