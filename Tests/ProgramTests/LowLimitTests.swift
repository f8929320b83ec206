import Foundation
import Testing

/// What the system allows is too little: a sentence says so.
@Suite struct LowLimitTests {
  private func run(_ limit: String, _ arguments: String...) throws -> BuiltProgram.Outcome {
    let shell = URL(fileURLWithPath: "/bin/sh")
    return try BuiltProgram.run(shell, ["-c", "ulimit \(limit) && exec \"$0\" \"$@\"", BuiltProgram.url.path] + arguments)
  }

  @Test(arguments: [9, 11, 12, 16, 20, 24])
  func `too few descriptors for the full screen`(_ number: Int) throws {
    let outcome = try run("-n \(number)", "--demo")
    #expect(outcome.status == 1)
    #expect(outcome.errors.hasPrefix("quarry: the full screen opens up to"), "\(outcome.errors)")
  }

  #if os(Linux)
    @Test(arguments: [200, 300, 400, 500, 600])
    func `too few addresses for the full screen`(_ megabytes: Int) throws {
      let outcome = try run("-v \(megabytes << 10)", "--demo")
      #expect(outcome.status == 1)
      #expect(outcome.errors.hasPrefix("quarry: the full screen reserves up to"), "\(outcome.errors)")
    }
  #endif
}
