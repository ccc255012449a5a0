extension Catalog {
    /// The default catalogue: two groups, all payment modes of introductory offers, one offer of every other kind, and
    /// one product of every other type.
    ///
    /// - Throws: `CatalogError` if the built-in file is invalid, which the tests exclude.
    public static func example() throws(CatalogError) -> Catalog {
        try Catalog(storekit: PackageResources.example_storekit)
    }
}
