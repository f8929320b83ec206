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
    exit(runFuzzer(&count, &words) { play($0, $1) })
  }

  fileprivate static func playOnTarget(_ bytes: UnsafeBufferPointer<UInt8>) {
    if let finding = target?.finding(in: Array(bytes)) { fatalError(finding) }
  }
}

/// Plays some bytes; the name is that by which libFuzzer's own `main`, which is linked but not run, calls it.
@_cdecl("LLVMFuzzerTestOneInput")
func play(_ bytes: UnsafePointer<UInt8>?, _ count: Int) -> CInt {
  Fuzz.playOnTarget(UnsafeBufferPointer(start: bytes, count: count))
  return 0
}
