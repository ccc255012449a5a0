public import AppStoreModel

extension LocalAppStore {
    /// When the developer is notified that no report about a token was received; Apple publishes no time.
    private static let reportDeadline = 30 * Milliseconds.day

    /// The interval of reminders of a custom-link token.
    private static let reminderPeriod = CalendarPeriod(months: 1)

    /// Creates a token, as for a customer's device that leaves the app for an external purchase.
    ///
    /// - Parameters:
    ///   - accountId: The account.
    ///   - type: The type of a custom-link token; `nil` for other tokens.
    ///   - lifetime: How long a custom-link token is active; the default is half a year for acquisition and a year for
    ///     the others.
    /// - Throws: `account_not_found`, `token_type_unknown`, `token_lifetime_invalid`, `signing_failed`.
    public mutating func createExternalPurchaseToken(
        accountId: String,
        type: ExternalPurchaseTokenType? = nil,
        lifetime: CalendarPeriod? = nil
    ) throws(StoreError) -> ExternalPurchaseTokenRecord {
        let account = try accountIndex(accountId)
        if let type, !type.isDocumented {
            let types = ExternalPurchaseTokenType.documented.map(\.rawValue).joined(separator: ", ")
            let message = "\"\(type.rawValue)\" is no type of token; use one of \(types), or none."
            throw StoreError(.tokenTypeUnknown, message, path: "tokenType")
        }
        let end = (lifetime ?? type?.usualLifetime)?.added(to: now)
        guard lifetime == nil || type != nil, end.map({ $0 > now }) ?? true else {
            let message = "Only tokens of custom links end: give a tokenType, and a lifetime above zero."
            throw StoreError(.tokenLifetimeInvalid, message, path: "lifetime")
        }
        let prefix = configuration.environment == .production ? "" : "SANDBOX_"
        let position = externalPurchases.append(
            ExternalPurchaseTokenRecord(
                externalPurchaseId: prefix + identifiers.nextUUID(),
                accountId: ledger[account].accountId,
                creationDate: now,
                type: type,
                expirationDate: end
            )
        )
        if type != nil {
            announceToken(position, .created)
            schedule.push(.tokenReminder(position), dueAt: Self.reminderPeriod.added(to: now))
        }
        schedule.push(.tokenReportDue(position), dueAt: now + Self.reportDeadline)
        try settle()
        return externalPurchases[position]
    }

    /// The external purchase tokens of an account, oldest first.
    ///
    /// - Throws: `account_not_found`.
    public func externalPurchaseTokens(accountId: String) throws(StoreError) -> [ExternalPurchaseTokenRecord] {
        let id = ledger[try accountIndex(accountId)].accountId
        return externalPurchases.tokens.filter { $0.accountId == id }
    }

    /// A token in the form of payloads.
    public func payload(of token: ExternalPurchaseTokenRecord) -> ExternalPurchaseToken {
        ExternalPurchaseToken(
            externalPurchaseId: token.externalPurchaseId,
            bundleId: configuration.bundleId,
            tokenCreationDate: token.creationDate,
            appAppleId: configuration.appAppleId,
            tokenExpirationDate: token.expirationDate,
            tokenType: token.type
        )
    }

    /// Accepts a report about a token.
    ///
    /// A report with errors is discarded as a whole.
    ///
    /// - Source: External Purchase Server API, Send External Purchase Report.
    /// - Throws: ``ExternalPurchaseRefusal``.
    public mutating func sendExternalPurchaseReport(
        _ json: JSONObject
    ) throws(ExternalPurchaseRefusal) -> SendReportSuccessResponse {
        var check = ExternalPurchaseReportCheck(against: externalPurchases, now: now)
        let report = try check.read(json)
        externalPurchases.accept(report, check.items)
        return SendReportSuccessResponse(requestIdentifier: report.requestIdentifier)
    }

    /// An accepted report, as it was sent.
    ///
    /// - Source: External Purchase Server API, Retrieve External Purchase Report.
    /// - Throws: ``ExternalPurchaseRefusal`` with NotFound.
    public func externalPurchaseReport(
        requestIdentifier: String
    ) throws(ExternalPurchaseRefusal) -> RetrieveReportSuccessResponse {
        guard let report = externalPurchases.report(requestIdentifier) else {
            throw ExternalPurchaseRefusal(.notFound, "requestIdentifier")
        }
        return RetrieveReportSuccessResponse(report: report)
    }

    /// Whether there is no report about a token yet.
    func lacksReport(_ position: Int) -> Bool { externalPurchases[position].reportedStatus == nil }

    /// Whether the developer must still be reminded of a token.
    func needsReminder(_ position: Int) -> Bool {
        let token = externalPurchases[position]
        return token.reportedStatus != .duplicateToken
            && nextReminder(of: token) < token.expirationDate ?? .min
    }

    /// Reminds the developer of an active token, and schedules the next reminder.
    mutating func remindOfToken(_ position: Int) {
        externalPurchases[position].reminders += 1
        announceToken(position, .activeTokenReminder)
        if needsReminder(position) {
            schedule.push(.tokenReminder(position), dueAt: nextReminder(of: externalPurchases[position]))
        }
    }

    private func nextReminder(of token: ExternalPurchaseTokenRecord) -> Int64 {
        Self.reminderPeriod.added(to: token.creationDate, times: token.reminders + 1)
    }

    /// Announces a token to the developer; version 1 of notifications has no such type.
    mutating func announceToken(_ position: Int, _ subtype: NotificationSubtype) {
        guard !isSilent, settings.notificationVersion == .v2 else { return }
        var announcement = Announcement(
            type: .externalPurchaseToken,
            subtype: subtype,
            notificationUUID: identifiers.nextUUID(),
            signedDate: now,
            transaction: nil,
            renewalInfo: nil,
            status: nil
        )
        announcement.externalPurchaseToken = payload(of: externalPurchases[position])
        announcements.append(announcement)
    }
}

extension ExternalPurchaseTokenType {
    /// The default lifetime of a token; Apple publishes none here.
    fileprivate var usualLifetime: CalendarPeriod { CalendarPeriod(months: self == .acquisition ? 6 : 12) }
}
