public import AppStoreModel

extension LocalAppStore {
    /// Sets the message for customers of a product in a locale without a realtime answer.
    ///
    /// - Source: Retention Messaging API, Configure Default Message.
    /// - Throws: One of `AppStoreServerCall.configureDefaultMessage.errors`, or 4000000 for an invalid UUID.
    public mutating func configureDefaultMessage(
        productId: String,
        locale: String,
        request: DefaultConfigurationRequest
    ) throws(AppStoreServerAPIError) {
        let locale = try canonicalLocale(productId: productId, locale: locale)
        let identifier = try Self.retentionIdentifier(request.messageIdentifier)
        guard let message = retention.message(identifier) else { throw .messageNotFound }
        guard message.state == .approved else { throw .messageNotApproved }
        guard retention.hasApprovedImages(message) else { throw .imageNotApproved }
        retention.setDefaultMessage(identifier, of: productId, in: locale)
    }

    /// Removes the default message of a product in a locale, if there is one.
    ///
    /// - Source: Retention Messaging API, Delete Default Message.
    /// - Throws: One of `AppStoreServerCall.deleteDefaultMessage.errors`.
    public mutating func deleteDefaultMessage(
        productId: String,
        locale: String
    ) throws(AppStoreServerAPIError) {
        retention.setDefaultMessage(nil, of: productId, in: try canonicalLocale(productId: productId, locale: locale))
    }

    /// The default message of a product in a locale.
    ///
    /// - Source: Retention Messaging API, Get Default Message.
    /// - Throws: One of `AppStoreServerCall.getDefaultMessage.errors`.
    public func defaultMessage(
        productId: String,
        locale: String
    ) throws(AppStoreServerAPIError) -> DefaultConfigurationResponse {
        let locale = try canonicalLocale(productId: productId, locale: locale)
        guard let identifier = retention.defaultMessage(of: productId, in: locale) else {
            throw .defaultMessageNotFound
        }
        return DefaultConfigurationResponse(messageIdentifier: identifier)
    }

    private func canonicalLocale(productId: String, locale: String) throws(AppStoreServerAPIError) -> String {
        guard catalog.products[productId]?.terms != nil else { throw .invalidProductId }
        guard let canonical = LocaleForm.canonical(locale) else { throw .invalidLocale }
        return canonical
    }
}

extension DefaultConfigurationRequest {
    /// Reads the body of Configure Default Message.
    ///
    /// - Throws: Apple's error for the invalid field.
    public init(appleBody json: JSONObject) throws(AppStoreServerAPIError) {
        try self.init(appleBody: json, orThrow: { _ in .generalBadRequest })
    }
}
