import Foundation
import HostileWorld

/// Removes guards of the program, and reports which of them are missed.
struct GuardReport {
  private let guards: [Guard]
  private let copy: URL

  init(_ options: Options) throws {
    guards = Guard.all.filter { options.only.isEmpty || options.only.contains($0.name) }
    guard !guards.isEmpty else {
      throw Options.Mistake(description: "the guards are: \(Guard.all.map(\.name).joined(separator: ", "))")
    }
    copy = options.copy.map { URL(filePath: $0) } ?? FileManager.default.temporaryDirectory.appending(path: "quarry-guards")
  }

  /// Returns whether each missing guard is found.
  func run() throws -> Bool {
    let guarded = GuardedCopy(of: URL(filePath: Hostile.root), in: copy)
    try guarded.write(Guard.all)
    let build = ["swift", "build", "--build-tests", "--package-path", copy.path]
    let start = ContinuousClock.now
    _ = try Hostile.output(of: build, to: FileHandle.standardError)
    let programs = try Hostile.output(of: ["swift", "build", "--package-path", copy.path, "--show-bin-path"], to: nil)
    print("built \(copy.path) in \(seconds(.now - start)) s")
    let trial = GuardTrial(
      guarded, programs: URL(filePath: programs.trimmingCharacters(in: .whitespacesAndNewlines)),
      work: copy.appending(path: ".build/guards"))
    var missed = 0
    for item in guards {
      let (verdict, time) = try trial.verdict(on: item)
      print("\(verdict.rawValue), \(seconds(time)) s: \(item.name), by \(item.finder)")
      fflush(nil)
      if verdict != .found { missed += 1 }
    }
    print("\(guards.count - missed) of \(guards.count) missing guards are found")
    return missed == 0
  }

  private func seconds(_ time: Duration) -> String { String(format: "%.1f", time / .seconds(1)) }
}
