import Browser
import Foundation
import QuarryChanges
import QuarryCluster
import QuarryEngine
import QuarrySources
import Terminal
import TestSupport
import Testing

/// The whole browser on a database that a server has: each key leads to the same screen as on a file.
@Suite(.gated) struct RemoteSourceTests {
  /// The keys of a walk, part by part.
  private static let walk: [(title: String, keys: [String])] = [
    ("the catalog", ["j j k"]),
    ("a jump to a table", ["ctrl-p", "'track'", "enter"]),
    ("moves", ["G g g j j l l"]),
    ("a filter", ["&", "'seconds > 200'", "enter"]),
    ("no filter", ["&", "ctrl-u", "enter"]),
    ("a sort", ["s s G g g"]),
    ("no sort", ["g S"]),
    ("a search", ["/", "'blue'", "enter"]),
    ("a table with foreign keys", ["ctrl-p", "'album'", "enter"]),
    ("a foreign key, and back", ["l l g d ctrl-o"]),
    ("a record", ["enter", "escape"]),
    (
      "a statement with a parameter",
      ["f4", "'SELECT title, seconds FROM track WHERE seconds > :least ORDER BY title'", "f5", "'200'", "enter"]
    ),
    ("back in the grid", ["escape", "f4"]),
  ]

  private func play(
    writes: Bool = false, _ body: @escaping @Sendable (_ file: SessionDriver, _ server: SessionDriver) throws -> Void
  ) async throws {
    try await withTemporaryFolder { folder in
      let paths = ["file", "server"].map { folder.appendingPathComponent("\($0).db").path }
      for path in paths {
        try await DatabaseQueue(path: path).withoutTransaction { db in for sql in MusicDatabase.script { try db.execute(sql: sql) } }
      }
      let changes = folder.appendingPathComponent("changes").path
      try await onOwnThread {
        let file = try SessionDriver(path: paths[0], changes: ChangeLogFolder(path: changes))
        let source = RemoteDataSource(ServedDatabase(path: paths[1]), changesFolder: changes, watchInterval: nil)
        try body(file, SessionDriver(source: source))
      }
    }
  }

  @Test func `a walk ends each part with the same text on the screen`() async throws {
    try await play { file, server in
      for (title, keys) in Self.walk {
        file.play(keys)
        server.play(keys)
        #expect(Self.body(server.screen) == Self.body(file.screen), "\(title)")
      }
    }
  }

  @Test func `values are counted and profiled, and looked for in all tables`() async throws {
    try await play { file, server in
      for keys in [["ctrl-p", "'track'", "enter", "l l g c"], ["escape"], [":", "'profile'", "enter"], ["escape"]] {
        file.play(keys)
        server.play(keys)
        #expect(Self.body(server.screen) == Self.body(file.screen), "\(keys)")
      }
    }
  }

  /// The keys that edit, commit and take back.
  private static let editing: [(title: String, keys: [String])] = [
    ("another table", ["ctrl-p", "'album'", "enter"]),
    ("a cell", ["l e", "' II'", "enter"]),
    ("a new row and a deleted one", ["j j l g n j d d o e", "'New'", "enter"]),
    ("what is staged", ["g z"]),
    ("the commit", ["enter"]),
    ("the grid", ["escape"]),
    ("what was committed", ["g u"]),
    ("the undo", ["G u"]),
    ("the end", ["escape escape"]),
  ]

  @Test func `an edit is committed, and taken back`() async throws {
    try await play { file, server in
      for (title, keys) in Self.editing {
        file.play(keys)
        server.play(keys)
        #expect(Self.body(server.screen) == Self.body(file.screen), "\(title)")
      }
    }
  }

  /// Returns a screen without the times at which something was committed.
  private static func timeless(_ screen: String) -> String {
    screen.replacing(/\d\d:\d\d(:\d\d)?/, with: "time")
  }

  @Test func `what is read only says how it can be written`() async throws {
    try await withTemporaryFolder { folder in
      let path = folder.appendingPathComponent("server.db").path
      try await DatabaseQueue(path: path).withoutTransaction { db in for sql in MusicDatabase.script { try db.execute(sql: sql) } }
      try await onOwnThread {
        let source = RemoteDataSource(
          ServedDatabase(path: path), refusal: "read-only: --write opens it to be written",
          changesFolder: folder.appendingPathComponent("changes").path, watchInterval: nil)
        let driver = SessionDriver(source: source)
        driver.play(["ctrl-p", "'album'", "enter", "l e"])
        driver.screen.expectLine("cannot change values of album: read-only: --write opens it to be written")
        driver.play(["f4", "'DELETE FROM album'", "f5"])
        driver.screen.expectLine("read-only: --write opens it to be written")
      }
    }
  }

  private func onServer(
    refusal: String? = nil, columns: Int = 120, longReadLimit: Int = 500_000, _ body: @escaping @Sendable (SessionDriver) throws -> Void
  ) async throws {
    try await withTemporaryFolder { folder in
      let path = folder.appendingPathComponent("server.db").path
      try await DatabaseQueue(path: path).withoutTransaction { db in for sql in MusicDatabase.script { try db.execute(sql: sql) } }
      try await onOwnThread {
        let source = RemoteDataSource(
          ServedDatabase(path: path), refusal: refusal, changesFolder: folder.appendingPathComponent("changes").path,
          longReadLimit: longReadLimit, watchInterval: nil)
        try body(SessionDriver(source: source, columns: columns, rows: columns == 120 ? 36 : 24))
      }
    }
  }

  private static func title(_ driver: SessionDriver) -> String { String(driver.screen.prefix { $0 != "\n" }) }

  @Test func `the title has room beside the leader, which is named as long as the screen is wide enough`() async throws {
    let names = [
      (120, "leader 127.0.0.1:9001, 3 voters, read-only"), (80, "leader 127.0.0.1:9001, 3 voters, read-only"),
      (65, "leader 127.0.0.1:9001, read-only"), (55, "  127.0.0.1:9001, read-only"), (50, "   read-only"),
    ]
    for (columns, name) in names {
      try await onServer(refusal: "read-only: --write opens it to be written", columns: columns) { driver in
        driver.play(["ctrl-p", "'album'", "enter"])
        // The servers are told of at any time.
        driver.wait { Self.title(driver).contains("read-only") }
        let title = Self.title(driver)
        #expect(title.contains("album · 6 rows") && title.contains(name), "\(title)")
      }
    }
  }

  @Test func `a lost leader stands out in the title until one is found`() throws {
    var browser = BrowserFixture.openBrowser(columns: 120, rows: 36)
    func style(of text: String, _ connection: SourceConnection) throws -> Style {
      _ = browser.update(.connectionChanged(connection))
      var surface = Surface(size: browser.size)
      browser.draw(into: &surface)
      let title = String(browser.screen.prefix { $0 != "\n" })
      let start = try #require(title.firstRange(of: text)).lowerBound
      return surface[title.distance(from: title.startIndex, to: start), 0].style
    }
    let named = try style(of: "leader", SourceConnection(badges: ["leader 10.0.0.1:9001"]))
    let lost = try style(of: "leader", SourceConnection(badges: ["leader lost"], isLost: true))
    let found = try style(of: "leader", SourceConnection(badges: ["leader 10.0.0.2:9001"]))
    #expect(lost != named && found == named, "\(named) \(lost) \(found)")
  }

  @Test func `a transaction that went with its connection is told at once, and marked open no longer`() throws {
    var browser = BrowserFixture.openBrowser(columns: 120, rows: 36)
    browser.workspace.source.transaction = OpenTransaction(changes: 2)
    browser.screen.expectLine("open transaction: 2 rows changed")
    _ = browser.update(.transactionLost(Problem("the transaction is gone: nothing of it was stored")))
    browser.screen.expectLine("the transaction is gone: nothing of it was stored")
    #expect(!browser.screen.contains("open transaction"), "\(browser.screen)")
  }

  @Test func `the list of tables stays where it cannot be read again`() async throws {
    try await withTemporaryFolder { folder in
      let path = folder.appendingPathComponent("served.db").path
      try await DatabaseQueue(path: path).withoutTransaction { db in for sql in MusicDatabase.script { try db.execute(sql: sql) } }
      try await onOwnThread {
        let server = ServedDatabase(path: path)
        let driver = SessionDriver(source: RemoteDataSource(server, refusal: nil, watchInterval: nil), columns: 120, rows: 36)
        driver.play(["ctrl-p", "'album'", "enter"])
        server.loseConnections(1_000)
        driver.play(["R"])
        driver.screen.expectLine("leader lost, looking for the new one")
        driver.screen.expectLine("track")
      }
    }
  }

  @Test func `a screen that looks at a copy says of which moment it is`() async throws {
    try await onServer { driver in
      driver.play(["ctrl-p", "'track'", "enter", "l l #"])
      #expect(Self.title(driver).contains(/a copy of \d\d:\d\d:\d\d/), "\(driver.screen)")
      driver.play(["escape"])
      #expect(!Self.title(driver).contains("a copy of"), "\(driver.screen)")
    }
  }

  @Test func `what an undo does not take back is said before it is committed, and what cannot be edited before it is tried`() async throws {
    try await onServer { driver in
      driver.play(["f4", "'DELETE FROM tag'", "f5", "down enter"])
      driver.screen.expectLine("save the changes, which cannot be undone")
      driver.play(["escape", ":", "'rollback'", "enter", "f4", "ctrl-p", "'long_track'", "enter", "e"])
      driver.screen.expectLine("cannot change values of long_track: views can be edited only in files, by triggers; edit its tables")
      driver.play([":", "'import'", "enter"])
      #expect(driver.screen.contains("files cannot be imported here"), "\(driver.screen)")
    }
  }

  @Test func `a filter without an index is asked about where there are many rows`() async throws {
    try await onServer(longReadLimit: 3) { driver in
      driver.play(["ctrl-p", "'track'", "enter", "&", "'seconds > 200'", "enter"])
      driver.screen.expectLine("The server reads more than 3 rows of track without an index")
      driver.play(["enter"])
      #expect(!driver.screen.contains("The server reads") && !Self.title(driver).contains("seconds"), "\(driver.screen)")
      driver.play(["&", "'seconds > 200'", "enter", "down enter"])
      #expect(Self.title(driver).contains("32 of 40 rows"), "\(driver.screen)")
      driver.play(["f4", "'SELECT count(*) FROM track'", "f5"])
      driver.screen.expectLine("This reads more than 3 rows of track without an index")
      driver.play(["down enter"])
      driver.screen.expectLine("count(*)")
      #expect(!driver.screen.contains("run it?"), "\(driver.screen)")
    }
  }

  /// A cluster of three nodes whose leader is killed half-way.
  @Test(.enabled(if: DqliteNodes.areInstalled, Comment(rawValue: DqliteNodes.missing)))
  func `a walk through a cluster whose leader is killed ends with the same text on the screen`() async throws {
    let nodes = try DqliteNodes(count: 3)
    defer { nodes.end() }
    let cluster = try DqliteCluster(DqliteAddress(nodes.url("music")), limits: .patient)
    defer { cluster.close() }
    let session = try await cluster.session(for: "fill", isReadOnly: false)
    for sql in MusicDatabase.script {
      let script = SQLScript(sql)
      for part in script.parts { _ = try await session.execute(script.sql(of: part), []) }
    }
    try await withTemporaryFolder { folder in
      let path = folder.appendingPathComponent("file.db").path
      try await DatabaseQueue(path: path).withoutTransaction { db in for sql in MusicDatabase.script { try db.execute(sql: sql) } }
      let changes = folder.appendingPathComponent("changes").path
      try await onOwnThread {
        let file = try SessionDriver(path: path, changes: ChangeLogFolder(path: changes))
        let source = RemoteDataSource(cluster, changesFolder: changes, watchInterval: nil)
        let server = SessionDriver(source: source)
        let half = Self.walk.count / 2
        for (number, part) in (Self.walk + Self.editing).enumerated() {
          if number == half { nodes.kill(try nodes.leader()) }
          file.play(part.keys)
          server.play(part.keys)
          // When the new leader is found is told on the last line, at any time.
          #expect(Self.withoutNotice(server.screen) == Self.withoutNotice(file.screen), "\(part.title)")
        }
      }
    }
  }

  private static func withoutNotice(_ screen: String) -> String {
    body(screen).split(separator: "\n", omittingEmptySubsequences: false).dropLast().joined(separator: "\n")
  }

  /// The lines of a screen but for the title, which names the leader.
  private static func body(_ screen: String) -> String {
    timeless(screen).split(separator: "\n", omittingEmptySubsequences: false).dropFirst().joined(separator: "\n")
  }
}
