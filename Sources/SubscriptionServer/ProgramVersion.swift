/// The version of this program in `--version`, `/metrics` and `GET /`.
public enum ProgramVersion {
    /// Semantic Versioning; the first two numbers equal those of the API description.
    public static let current = "0.1.0-dev"
}
