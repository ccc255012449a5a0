extension ExternalPurchaseReportError: CustomStringConvertible {
    /// The code with its name and location.
    public var description: String {
        let location = [lineItemId, fieldName].compactMap(\.self).joined(separator: ".")
        let title = ["\(errorCode)", errorCode.name].compactMap(\.self).joined(separator: " ")
        return location.isEmpty ? title : "\(title) in \(location)"
    }
}
