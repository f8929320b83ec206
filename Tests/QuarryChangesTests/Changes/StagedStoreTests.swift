import Foundation
import QuarryChanges
import QuarryEngine
import QuarryRows
import TestSupport
import Testing

@Suite("Staged changes on disk", .gated) struct StagedStoreTests {
  private static let player = TableReference(database: "other", name: "Order \"Details\"")

  private static let values: [DatabaseValue] = [
    .null, .integer(.min), .integer(.max), .real(-0.0), .real(.infinity), .real(.leastNonzeroMagnitude), .text(""), .text("a\0b"),
    .text("e\u{301}"), .blob([]), .blob([0, 255, 10]),
  ]

  private static func sample() throws -> StagedChanges {
    var changes = StagedChanges()
    for (index, value) in values.enumerated() {
      let row = StagedRowID.stored(index % 2 == 0 ? .rowID(Int64.min + Int64(index)) : .values([value, "x"]))
      try changes.set(.value(value), column: "c\0 \(index)", row: row, of: player, was: .rawText([0xFF, UInt8(index)]))
    }
    changes.insert(["a": .defaultValue, "b": .rawText([0xE9]), "c": 1.5], into: player)
    let file = try #require(StagedFile(path: "/etc/passwd"))
    changes.insert(["cover": .file(file)], into: player)
    changes.insert(into: TableReference(name: "t"))
    changes.delete(.stored(.rowID(7)), of: player, was: ["a": .null, "b": .rawText([0x80])])
    return changes
  }

  private static func content(_ changes: StagedChanges) -> [[String]] {
    changes.tables.map { table in changes.rows(of: table).map { "\(table) \($0.row) \($0.change.sorted)" } }
  }

  @Test("What a dead session has staged is found exact to the bit, by the next one of the same database only")
  func adoption() throws {
    try withTemporaryFolder { folder in
      var dead: StagedStore? = try StagedStore(state: folder.path, database: "/a.db")
      let changes = try Self.sample()
      try dead?.save(changes)
      let store = try StagedStore(state: folder.path, database: "/a.db")
      #expect(store.abandoned().changes.isEmpty)
      dead = nil
      #expect(try StagedStore(state: folder.path, database: "/b.db").abandoned().changes.isEmpty)
      let found = try #require(store.abandoned().changes.first)
      #expect(Self.content(found.changes) == Self.content(changes))
      #expect(found.changes.counts == changes.counts)
      for (row, change) in changes.rows(of: Self.player) { #expect(found.changes.change(of: row, in: Self.player) == change) }
      var adopted = found.changes
      let new = adopted.insert(into: Self.player)
      #expect(changes.status(of: new, in: Self.player) == nil)
      // While it is being offered here, nobody else is.
      #expect(try StagedStore(state: folder.path, database: "/a.db").abandoned().changes.isEmpty)
      store.discard(found)
      #expect(store.abandoned().changes.isEmpty)
    }
  }

  @Test("What was staged during a commit is found without what this has written, once that is known")
  func duringCommit() throws {
    try withTemporaryFolder { folder in
      var session = EditSession()
      try session.set("b", column: "name", row: .stored(.rowID(1)), of: Self.player, was: "a")
      let sent = try session.beginCommit()
      try session.set("c", column: "name", row: .stored(.rowID(1)), of: Self.player)
      try session.set("y", column: "name", row: .stored(.rowID(2)), of: Self.player, was: "x")
      var dead: StagedStore? = try StagedStore(state: folder.path, database: "/a.db")
      try dead?.save(session.staged, sent: session.sent)
      dead = nil
      let store = try StagedStore(state: folder.path, database: "/a.db")
      var found = try #require(store.abandoned().changes.first)
      #expect(Self.content(found.changes) == Self.content(session.staged))
      let written = try #require(found.sent)
      #expect(Self.content(written) == Self.content(sent))
      found.takeOut(written, keys: [:])
      #expect(found.changes.change(of: .stored(.rowID(1)), in: Self.player) == .updated(["name": .init(was: "b", value: "c")]))
      #expect(found.changes.change(of: .stored(.rowID(2)), in: Self.player) == .updated(["name": .init(was: "x", value: "y")]))
      #expect(found.sent == nil)
    }
  }

  @Test("Nothing staged leaves no file, and files are their owner's alone")
  func files() throws {
    try withTemporaryFolder { folder in
      var store: StagedStore? = try StagedStore(state: folder.path, database: "/a.db")
      try store?.save(Self.sample())
      let staged = folder.appending(path: "staged")
      for name in try FileManager.default.contentsOfDirectory(atPath: staged.path) {
        let mode = try FileManager.default.attributesOfItem(atPath: staged.appending(path: name).path)[.posixPermissions] as? Int
        #expect(mode == 0o600)
      }
      try store?.save(StagedChanges())
      store = nil
      #expect(try FileManager.default.contentsOfDirectory(atPath: staged.path) == [])
    }
  }

  @Test("A damaged file is set aside and told, whatever is wrong with it")
  func damage() throws {
    try withTemporaryFolder { folder in
      let whole = try Self.bytes(in: folder)
      var random = SplitMix(seed: 3)
      for round in 0..<60 {
        var bytes = whole
        switch round % 3 {
        case 0: bytes = Array(bytes.prefix(.random(in: 0..<bytes.count, using: &random)))
        case 1: bytes[.random(in: 0..<bytes.count, using: &random)] ^= 1 << UInt8.random(in: 0..<8, using: &random)
        default: bytes.append(0)
        }
        let store = try StagedStore(state: folder.path, database: "/a.db")
        let files = try FileManager.default.contentsOfDirectory(atPath: folder.path + "/staged")
        let name = try #require(files.first { $0.hasSuffix(".lock") }).dropLast(5)
        let path = folder.path + "/staged/" + name.prefix { $0 != "-" } + "-\(round)"
        try Data(bytes).write(to: URL(filePath: path + ".changes"))
        let found = store.abandoned()
        #expect(found.changes.isEmpty && found.damaged == [path + ".damaged"])
        #expect(store.abandoned().damaged.isEmpty)
      }
    }
  }

  @Test("A file that the system does not let be read stays where it is, and is told")
  func unreadable() throws {
    try withTemporaryFolder { folder in
      let store = try StagedStore(state: folder.path, database: "/a.db")
      let name = try #require(FileManager.default.contentsOfDirectory(atPath: folder.path + "/staged").first)
      // A folder cannot be read as a file, whoever tries.
      let path = folder.path + "/staged/" + name.prefix { $0 != "-" } + "-1.changes"
      try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: false)
      #expect(store.abandoned().damaged == [path])
      #expect(FileManager.default.fileExists(atPath: path))
    }
  }

  /// Returns what a store writes.
  private static func bytes(in folder: URL) throws -> [UInt8] {
    let store = try StagedStore(state: folder.path, database: "/a.db")
    try store.save(sample())
    defer { try? store.save(StagedChanges()) }
    let staged = folder.appending(path: "staged")
    let name = try #require(try FileManager.default.contentsOfDirectory(atPath: staged.path).first { $0.hasSuffix(".changes") })
    return Array(try Data(contentsOf: staged.appending(path: name)))
  }
}

extension StagedRow {
  /// The change with its columns in the order of their names.
  fileprivate var sorted: String {
    switch self {
    case .updated(let cells): cells.sorted { $0.key < $1.key }.map { "\($0)" }.joined()
    case .inserted(let values): values.sorted { $0.key < $1.key }.map { "\($0)" }.joined()
    case .deleted(let was): was.sorted { $0.key < $1.key }.map { "\($0)" }.joined()
    }
  }
}
