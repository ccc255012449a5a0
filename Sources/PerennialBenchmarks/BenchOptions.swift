import ArgumentParser

/// What every `perennial bench` command understands.
struct BenchOptions: ParsableArguments {
    @Flag(help: "Print one JSON object, for machines.")
    var json = false
}
