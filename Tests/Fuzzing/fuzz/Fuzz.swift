import FuzzTargets
import Glibc

/// The driver of libFuzzer.
@_silgen_name("LLVMFuzzerRunDriver")
private func runFuzzer(
  _ count: UnsafeMutablePointer<CInt>, _ words: UnsafeMutablePointer<UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>>,
  _ callback: @convention(c) (UnsafePointer<UInt8>?, Int) -> CInt
) -> CInt

/// Searches for bytes that a target does not stand, led by the code that they reach.
@main enum Fuzz {
  private static let target = FuzzTarget.named(CommandLine.arguments.dropFirst().first ?? "")

  static func main() {
    guard target != nil else {
      print("usage: fuzz TARGET [OPTION OF LIBFUZZER ...] [FOLDER ...]\ntargets: \(FuzzTarget.all.map(\.name).joined(separator: ", "))")
      exit(2)
    }
    // libFuzzer gets the words without the name of the target.
    var count = CommandLine.argc - 1
    var words = CommandLine.unsafeArgv.advanced(by: 1)
    words[0] = CommandLine.unsafeArgv[0]
    exit(
      runFuzzer(&count, &words) { bytes, count in
        if let finding = Fuzz.target?.finding(in: Array(UnsafeBufferPointer(start: bytes, count: count))) { fatalError(finding) }
        return 0
      })
  }
}
