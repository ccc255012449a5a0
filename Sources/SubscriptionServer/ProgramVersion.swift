/// The version of this program, as `--version`, `/metrics` and `GET /` tell it.
public enum ProgramVersion {
    /// Semantic Versioning; its first two numbers are those of the API's description.
    public static let current = "0.1.0-dev"
}
