import Browser
import Foundation
import TestSupport
import Testing

/// The file of all runs, a line each.
@Suite(.gated) struct HistoryFileTests {
  private func entry(_ sql: String) -> HistoryEntry {
    HistoryEntry(time: "2024-01-31T12:30:00Z", database: "/music.db", sql: sql, milliseconds: 1)
  }

  @Test func `a line that was left without its end does not swallow the next one`() throws {
    try withTemporaryFolder { folder in
      let url = folder.appending(path: "state/history")
      let file = HistoryFile(path: url.path)
      try file.append(entry("SELECT 1"))
      let torn = try Data(contentsOf: url) + Data(#"{"sql":"SELECT 2","mill"#.utf8)
      try torn.write(to: url)
      try file.append(entry("SELECT 3"))
      #expect(file.load().map(\.sql) == ["SELECT 3", "SELECT 1"])
      #expect(try Data(contentsOf: url).last == UInt8(ascii: "\n"))
    }
  }

  @Test func `what many write at once is whole`() async throws {
    try await withTemporaryFolder { folder in
      let path = folder.appending(path: "history").path
      let long = String(repeating: "x", count: 20_000)
      await withTaskGroup { group in
        for number in 0..<40 { group.addTask { try? HistoryFile(path: path).append(entry("SELECT \(number), '\(long)'")) } }
      }
      #expect(HistoryFile(path: path).load().count == 40)
    }
  }

  @Test(.enabled(if: FileManager.default.fileExists(atPath: "/dev/full")))
  func `a full disk is told in a sentence`() throws {
    let error = #expect(throws: (any Error).self) { try HistoryFile(path: "/dev/full").append(entry("SELECT 1")) }
    let text = try Problem(describing: #require(error)).text
    #expect(text == "/dev/full cannot be written: No space left on device")
  }

  @Test(.enabled(if: FileManager.default.fileExists(atPath: "/dev/full")))
  func `that a run could not be kept is told after what it came to`() async throws {
    try await withTemporaryFolder { folder in
      let path = try makeDatabaseFile(in: folder, "CREATE TABLE t(a)")
      try await onOwnThread {
        let driver = try SessionDriver(path: path, storage: Storage(history: HistoryFile(path: "/dev/full")))
        driver.press("f4")
        driver.type("SELECT 1")
        driver.press("f5")
        driver.screen.expectLine("this run was not added to the history: /dev/full cannot be written: No space left on device")
      }
    }
  }

  @Test func `errors of the system and of Foundation are told in words`() throws {
    #expect(Problem(describing: POSIXError(.ENOSPC)).text == "No space left on device")
    let error = #expect(throws: (any Error).self) {
      try Data("x".utf8).write(to: URL(fileURLWithPath: "/none/such/file"), options: .atomic)
    }
    let text = try Problem(describing: #require(error)).text
    #expect(text.contains("No such file or directory"), "\(text)")
    #expect(!text.contains("Error"), "\(text)")
  }
}
