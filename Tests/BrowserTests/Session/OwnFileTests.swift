internal import QuarryChanges

#if os(Linux)
  import Foundation
  import QuarryEngine
  import TestSupport
  import Testing

  @testable import Browser

  /// Actions that are given the path of the open database itself: none may release the locks of its connections.
  @Suite("The open database's own file", .gated)
  struct OwnFileTests {
    @Test("importing it, exporting to it, and reading it into a cell or a parameter leave its locks")
    func locks() async throws {
      try await withTemporaryFolder { folder in
        let path = try makeDatabaseFile(
          in: folder, "PRAGMA journal_mode = WAL", "CREATE TABLE t(id INTEGER PRIMARY KEY, photo BLOB)", "INSERT INTO t VALUES (1, x'00')")
        let (link, twin) = (folder.path + "/link.db", folder.path + "/twin.db")
        try FileManager.default.createSymbolicLink(atPath: link, withDestinationPath: path)
        try FileManager.default.linkItem(atPath: path, toPath: twin)
        try await onOwnThread {
          let driver = try SessionDriver(path: path)
          driver.play(["tab"])
          let before = heldLocks(onDatabase: path)
          #expect(!before.isEmpty)
          for name in [path, link, twin] {
            for keys in Self.actions(on: name) {
              driver.play(keys)
              #expect(heldLocks(onDatabase: path) == before, "\(keys)\n\(driver.screen)")
              driver.play(["escape escape"])
            }
          }
          #expect(driver.browser.workspace.staged.counts.changes == 1, "the bytes of the file are staged\n\(driver.screen)")
        }
      }
    }

    private static func actions(on path: String) -> [[String]] {
      [
        ["I", "'\(path)'", "enter"], ["X ctrl-u", "'\(path)'", "enter"], ["l e ctrl-u", "'@\(path)'", "enter"],
      ]
    }
  }
#endif
