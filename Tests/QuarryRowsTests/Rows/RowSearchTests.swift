import QuarryEngine
import QuarryRows
import TestSupport
import Testing

@Suite(.gated) struct RowSearchTests {
  private static let rows = "('Alpha', 1, x'616c'), ('50%', 2, NULL), ('a_b', 3.5, 'beta'), ('Größe', 4, 'x'), ('ALPHABET', 1, 'y')"

  private func makeReaders() throws -> [RowReader] {
    let queue = try makeDatabase("CREATE TABLE t(a, b, c)", "INSERT INTO t VALUES \(Self.rows)", "CREATE VIEW v AS SELECT * FROM t")
    return ["t", "v"].map { RowReader(RowSet(.table(TableReference(name: $0))), on: ReadConnections(foreground: queue, background: queue)) }
  }

  private func places(_ reader: RowReader, _ needle: Needle, _ columns: [Int] = [0, 1, 2], backwards: Bool = false) async throws -> [String]
  {
    let keys = try await reader.page(PageRequest(.first, limit: 10)).rows.map(\.key)
    var found: [String] = []
    var key: RowKey?
    while let match = try await reader.find(needle, columns: columns, from: key, backwards: backwards) {
      let place = keys.firstIndex(of: match.key).map(String.init) ?? "?"
      found.append("\(place).\(match.column)\(match.wrapped ? " wrapped" : "")")
      if match.wrapped { break }
      key = match.key
    }
    return found
  }

  @Test("Texts are found in both directions, once around")
  func directions() async throws {
    for reader in try makeReaders() {
      #expect(try await places(reader, .text("alph")) == ["0.0", "4.0", "0.0 wrapped"])
      #expect(try await places(reader, .text("alph"), backwards: true) == ["4.0", "0.0", "4.0 wrapped"])
      #expect(try await places(reader, .text("nowhere")) == [])
    }
  }

  @Test("Percent, underscore and backslash stand for themselves")
  func wildcards() async throws {
    for reader in try makeReaders() {
      #expect(try await places(reader, .text("0%")) == ["1.0", "1.0 wrapped"])
      #expect(try await places(reader, .text("_")) == ["2.0", "2.0 wrapped"])
      #expect(try await places(reader, .text("\\")) == [])
    }
  }

  @Test("Numbers are found as they are written, blobs are not texts, and only the columns asked for are searched")
  func classes() async throws {
    for reader in try makeReaders() {
      #expect(try await places(reader, .text("3.5")) == ["2.1", "2.1 wrapped"])
      #expect(try await places(reader, .text("al"), [2]) == [])
      #expect(try await places(reader, .text("beta"), [0, 1]) == [])
      #expect(try await places(reader, .text("a"), [7]) == [])
    }
  }

  @Test("Every character that a number may be written with is found in it", arguments: ["1.5e+300", "5E+3", "-inf", "-", "."])
  func numbers(text: String) async throws {
    let queue = try makeDatabase("CREATE TABLE t(a)", "INSERT INTO t VALUES ('x'), (x'2d2e'), (1.5e300), (-9e999)")
    let expected = try await queue.read { db in
      try Int64.fetchAll(db, sql: "SELECT rowid FROM t WHERE typeof(a) <> 'blob' AND a LIKE '%' || ? || '%'", arguments: [text])
    }
    #expect(!expected.isEmpty)
    let reader = RowReader(RowSet(.table(TableReference(name: "t"))), on: ReadConnections(foreground: queue, background: queue))
    #expect(try await reader.find(.text(text), columns: [0], from: nil, backwards: false)?.key == .rowID(expected[0]))
  }

  @Test("A value is found in its own storage class")
  func values() async throws {
    for reader in try makeReaders() {
      #expect(try await places(reader, .value(.integer(1))) == ["0.1", "4.1", "0.1 wrapped"])
      #expect(try await places(reader, .value(.real(1))) == [])
      #expect(try await places(reader, .value(.text("alpha"))) == [])
      #expect(try await places(reader, .value(.null)) == ["1.2", "1.2 wrapped"])
      #expect(try await places(reader, .value(.blob([0x61, 0x6c]))) == ["0.2", "0.2 wrapped"])
    }
  }

  @Test("The case of letters is ignored as LIKE ignores it: of ASCII's alone")
  func letterCase() async throws {
    for reader in try makeReaders() {
      #expect(try await places(reader, .text("GRö")) == ["3.0", "3.0 wrapped"])
      #expect(try await places(reader, .text("GRÖ")) == [])
    }
  }

  @Test("Functions of the program's own are not for a schema to call")
  func ownFunctions() async throws {
    try await withTemporaryFolder { folder in
      let path = try makeDatabaseFile(
        in: folder, "CREATE TABLE t(a)", "INSERT INTO t VALUES ('needle')",
        "CREATE VIEW v AS SELECT quarry_find_text('needle', 0, a) AS z FROM t")
      let queue = try DatabaseQueue(path: path)
      // A search makes the function.
      let reader = RowReader(RowSet(.table(TableReference(name: "t"))), on: ReadConnections(foreground: queue, background: queue))
      _ = try await reader.find(.text("needle"), columns: [0], from: nil, backwards: false)
      let error = await #expect(throws: DatabaseError.self) {
        try await queue.read { try Row.fetchAll($0, sql: "SELECT * FROM v") }
      }
      #expect(error?.message == "unsafe use of quarry_find_text()")
    }
  }
}
