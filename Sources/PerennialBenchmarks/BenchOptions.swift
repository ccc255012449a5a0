import ArgumentParser

/// The common options of `perennial bench`.
struct BenchOptions: ParsableArguments {
    @Flag(help: "Print one JSON object.")
    var json = false
}
