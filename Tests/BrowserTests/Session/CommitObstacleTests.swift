import Browser
import TestSupport
import Testing

@Suite("Commits where none are recorded", .gated)
struct CommitObstacleTests {
  /// Asks for the commits of a session without a record of them.
  private func expect(_ sentence: String, settings: Settings = Settings(), isDemo: Bool = false) async throws {
    try await withTemporaryFolder { folder in
      let path = try makeDatabaseFile(in: folder, "CREATE TABLE t(x)")
      try await onOwnThread {
        let driver = try SessionDriver(path: path, columns: 160, settings: settings, isDemo: isDemo)
        driver.press("g u")
        driver.screen.expectLine(sentence)
      }
    }
  }

  @Test("the reason is said, and what to do")
  func reasons() async throws {
    try await expect(
      "commits to the demo are not recorded, since it is gone when you quit: :open-database opens a file of yours, "
        + "u undoes changes that are not committed", isDemo: true)
    try await expect(
      "commits are not recorded because of --no-changes: start without it", settings: Settings(arguments: [.recordChanges: .flag(false)]))
    try await expect(
      "commits are not recorded, because the setting changes.record is off: :settings changes it",
      settings: Settings(fileText: "changes.record = false"))
    try await expect("commits are not recorded in this session, so none can be undone")
  }
}
