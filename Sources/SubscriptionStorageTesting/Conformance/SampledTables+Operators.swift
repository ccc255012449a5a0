import SubscriptionCore
import SubscriptionStorage

extension OperatorAccount: SampledRecord {
    static func sample(_ number: Int) -> OperatorAccount {
        var account = OperatorAccount(
            id: OperatorID(rawValue: "opr_\(number % 17)"),
            name: "Person \(number % 17)",
            role: OperatorRole.allCases[number % 4],
            apps: number.isMultiple(of: 3) ? nil : [Samples.app, Samples.otherApp].dropLast(number % 3),
            createdAt: Samples.time(Int64(number % 5))
        )
        if number.isMultiple(of: 2) {
            account.password = "$scrypt$ln=15,r=8,p=1$\(number)$hash"
            account.totpSecret = [UInt8(number % 256), 0, 255]
            account.totpStep = Int64(number)
        }
        account.failures = number % 7
        account.lockedUntil = number.isMultiple(of: 5) ? Samples.time(Int64(number)) : nil
        account.disabledAt = number.isMultiple(of: 4) ? Samples.time(Int64(number)) : nil
        account.signedInAt = number.isMultiple(of: 3) ? Samples.time(Int64(number)) : nil
        return account
    }
}

extension OperatorKey: SampledRecord {
    static func sample(_ number: Int) -> OperatorKey {
        OperatorKey(
            digest: [UInt8(number % 17), 0, 255],
            operatorID: OperatorID(rawValue: "opr_\(number % 17 % 5)"),
            kind: number.isMultiple(of: 2) ? .key : .session,
            hint: "\(number)",
            label: number.isMultiple(of: 5) ? nil : "label",
            createdAt: Samples.time(Int64(number % 4)),
            expiresAt: number.isMultiple(of: 2) ? nil : Samples.time(Int64(number))
        )
    }
}
