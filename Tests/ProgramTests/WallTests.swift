import Foundation
import TestSupport
import Testing

/// The walls between the targets that Package.swift cannot hold: which folder may speak to which C library, and how much tests may see.
@Suite(.gated) struct WallTests {
  private static let tests = URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
  private static let sources = tests.deletingLastPathComponent().appendingPathComponent("Sources")

  @Test(arguments: [
    ("CSQLite", "QuarryEngine/SQLite/"), ("CNcurses", "CursesTerminal/"), ("COpenSSL", "QuarryCluster/Dqlite/"),
  ])
  func `only one folder imports the library`(_ library: String, _ folder: String) throws {
    let importers = try files().filter { try $0.text.firstMatch(of: Regex("(?m)^\\s*\\w* ?import \(library)$")) != nil }
    #expect(!importers.isEmpty)
    #expect(importers.map(\.path).filter { !$0.hasPrefix(folder) } == [])
  }

  @Test func `only the folder of connections and statements calls SQLite's functions`() throws {
    let callers = try files().filter { $0.text.firstMatch(of: #/\bsqlite3_\w+\(/#) != nil }
    #expect(callers.map(\.path).filter { !$0.hasPrefix("QuarryEngine/SQLite/") && !$0.hasPrefix("CSQLite/") } == [])
  }

  @Test func `only one type reads the bytes of SQLite's values, which knows their encoding`() throws {
    let readers = try files().filter {
      $0.text.firstMatch(of: #/\bsqlite3_(value_(blob|text|bytes)|column_(blob|text|bytes))(16(le|be)?)?\(/#) != nil
    }
    #expect(readers.map(\.path) == ["QuarryEngine/SQLite/SQLiteValue.swift"])
  }

  @Test func `the browser indexes no row's cells without a check`() throws {
    // `row[column]` is nil where the row has no such column.
    let unchecked = try files().filter { $0.path.hasPrefix("Browser/Screens/") && $0.text.firstMatch(of: #/\.cells\[/#) != nil }
    #expect(unchecked.map(\.path) == [])
  }

  @Test func `one type opens files by their paths, one starts threads, and one starts programs`() throws {
    // Elsewhere, closing a file could release the locks that SQLite has on it, and a thread that the system refuses could end the program.
    let opening =
      #/
      \bO_(RDONLY|WRONLY|RDWR|CREAT)\b | \b(fopen|freopen|mkstemp|creat|openat)\( | FileHandle\( | \b(Data|String)\(contentsOf
      | contents\(atPath | createFile\(
      /#
    let openers = try files().filter { $0.text.firstMatch(of: opening) != nil }.map(\.path).sorted()
    #expect(openers == ["QuarryEngine/SQLite/OpenFile.swift", "QuarryEngine/SQLite/SQLiteFiles.swift"])
    let starters = try files().filter { $0.text.firstMatch(of: #/\bpthread_create\(|\bThread\(|\bThread\.detach/#) != nil }
    #expect(starters.map(\.path) == ["QuarryEngine/Threads/WorkerThread.swift"])
    let spawning =
      #/
      \b(posix_spawnp?|popen|v?fork|execv\w*)\( | (return\s|[{=(,]\s?)system\( | \bProcess\(\) | import\sSubprocess
      /#
    let spawners = try files().filter { $0.text.firstMatch(of: spawning) != nil }
    #expect(spawners.map(\.path) == ["Browser/Session/ChildProgram.swift"])
  }

  @Test func `no task runs or pauses on threads that end while they are idle`() throws {
    // If the system refused a new thread, each thread that begins or resumes such a task would wait for it.
    let own = #/\bTask(\.detached)?(\s\{|\((?!executorPreference: TaskThreads\.shared))|\bTask\.sleep\(/#
    let others = try files().filter { $0.text.firstMatch(of: own) != nil }
    #expect(others.map(\.path) == ["QuarryEngine/Threads/TaskPauses.swift"])
  }

  @Test func `no wait is measured by the wall clock, which somebody may set`() throws {
    let clocks = try files().filter { $0.text.firstMatch(of: #/\bCLOCK_REALTIME\b|\bgettimeofday\(/#) != nil }
    #expect(clocks.map(\.path) == [])
    // Its condition has the monotonic clock.
    let waiters = try files().filter { $0.text.firstMatch(of: #/\bpthread_cond_\w+\(/#) != nil }
    #expect(waiters.map(\.path) == ["QuarryEngine/Threads/Monitor.swift"])
    #expect(
      try files().contains {
        $0.path == "QuarryEngine/Threads/Monitor.swift" && $0.text.contains("condattr_setclock(&attributes, CLOCK_MONOTONIC)")
      })
  }

  @Test func `no statement has a name that is spliced`() throws {
    let spliced = try files().filter { $0.text.firstMatch(of: #/\b(FROM|INTO|UPDATE|JOIN|TABLE) \\\(raw: /#) != nil }
    #expect(spliced.map(\.path) == [])
  }

  @Test func `where its essential part is to be had, nothing imports all of Foundation`() throws {
    // One use of it would put all of it into the program, with 30 MB of data about languages.
    let whole = try files().filter { file in
      file.text.firstMatch(of: #/\bimport (\w+ )?Foundation\./#) != nil
        || file.text.firstMatch(of: #/\bimport Foundation\n/#) != nil && !file.text.contains("#if canImport(FoundationEssentials)")
    }
    #expect(whole.map(\.path) == [])
  }

  @Test func `at most 15 files of tests see more than the package does`() throws {
    let testable = try files(in: Self.tests).filter { $0.text.firstMatch(of: #/(?m)^@testable import /#) != nil }
    #expect(testable.count <= 15, "\(testable.map(\.path).sorted())")
  }

  private struct File {
    var path: String
    var text: String
  }

  private func files(in folder: URL = sources) throws -> [File] {
    let paths = try FileManager.default.subpathsOfDirectory(atPath: folder.path).filter { $0.hasSuffix(".swift") }
    return try paths.map { path in
      File(path: path, text: try String(contentsOf: folder.appendingPathComponent(path), encoding: .utf8))
    }
  }
}
