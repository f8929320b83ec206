import Foundation
import QuarryEngine
import QuarryRows
import TestSupport
import Testing

/// Random rows in a file, and random groups of them, each with SQL of its own for the sqlite3 shell.
struct GroupOracle {
  static let shell: String? = ["/usr/bin/sqlite3", "/usr/local/bin/sqlite3"].first { FileManager.default.isExecutableFile(atPath: $0) }

  /// The ways in which values that SQLite holds equal may look different: as integers and reals, and by NOCASE.
  enum Likeness { case none, numbers, letters }

  /// A value of the filter language, and the same value in SQL, where the joined tables are t, a, r and m.
  struct Value {
    var text: String
    var sql: String
    /// The way in which equal values may look different.
    var likeness = Likeness.none
  }

  static let levels: [Value] = [
    Value(text: "name", sql: "t.name", likeness: .letters), Value(text: "album_id", sql: "t.album_id"),
    Value(text: "album_id.title", sql: "a.title"), Value(text: "album_id.artist_id.name", sql: "r.name", likeness: .letters),
    Value(text: "Album.Artist.id", sql: "r.id"), Value(text: "team.name", sql: "m.name"), Value(text: "price", sql: "t.price"),
    Value(text: "any", sql: "t.any", likeness: .numbers), Value(text: "length", sql: "t.length"),
    Value(text: "length % 3", sql: "t.length % 3", likeness: .numbers),
    Value(text: "upper(album_id.title)", sql: "upper(a.title)"),
    Value(text: "any collate nocase", sql: "t.any COLLATE NOCASE", likeness: .letters),
    Value(text: "year(at)", sql: "CAST(strftime('%Y', t.at, 'unixepoch') AS INTEGER)"),
    Value(text: "month(album_id.released)", sql: "substr(date(a.released), 1, 7)"),
    Value(text: "week(at)", sql: "date(t.at, 'unixepoch', '-6 days', 'weekday 1')"),
    Value(
      text: "quarter(album_id.released)",
      sql: """
        CASE WHEN strftime('%m', a.released) < '04' THEN strftime('%Y', a.released) || ' Q1' WHEN strftime('%m', a.released) < '07' \
        THEN strftime('%Y', a.released) || ' Q2' WHEN strftime('%m', a.released) < '10' THEN strftime('%Y', a.released) || ' Q3' \
        ELSE strftime('%Y', a.released) || ' Q4' END
        """),
    Value(text: "day(at)", sql: "strftime('%Y-%m-%d', t.at, 'unixepoch')"), Value(text: "album_id.released", sql: "a.released"),
    Value(
      text: "range(length, 10)",
      sql: """
        CASE WHEN typeof(t.length) = 'integer' THEN CAST(floor(t.length / 10.0) AS INTEGER) * 10 WHEN typeof(t.length) = 'real' \
        THEN floor(t.length / 10) * 10 END
        """, likeness: .numbers),
    Value(text: "range(price, 0.5)", sql: "CASE WHEN typeof(t.price) = 'real' THEN floor(t.price * 2) / 2 END"),
    Value(text: "live", sql: "t.live"), Value(text: "id", sql: "t.id"), Value(text: "at", sql: "t.at"),
  ]

  static let aggregates: [Value] = [
    Value(text: "count", sql: "count(*)"), Value(text: "count(name)", sql: "count(t.name)"),
    Value(text: "count(distinct name)", sql: "count(DISTINCT t.name)"), Value(text: "sum(id)", sql: "sum(t.id)"),
    Value(text: "sum(price)", sql: "sum(t.price)"), Value(text: "total(length)", sql: "total(t.length)"),
    Value(text: "avg(price)", sql: "avg(t.price)"), Value(text: "min(any)", sql: "min(t.any)", likeness: .numbers),
    Value(text: "max(any)", sql: "max(t.any)", likeness: .numbers), Value(text: "max(name)", sql: "max(t.name)", likeness: .letters),
    Value(text: "min(album_id.title)", sql: "min(a.title)"), Value(text: "sum(length * 2)", sql: "sum(t.length * 2)"),
    Value(text: "sum(id) / count", sql: "sum(t.id) / count(*)"), Value(text: "m = max(album_id.artist_id)", sql: "max(a.artist_id)"),
    Value(text: "sum((price > 1))", sql: "sum(t.price > 1)"), Value(text: "min(typeof(any))", sql: "min(typeof(t.any))"),
  ]

  static let filters: [Value] = [
    Value(text: "", sql: "1"), Value(text: "", sql: "1"), Value(text: "id > 20", sql: "t.id > 20"),
    Value(text: "album_id.title is not null or price > 1", sql: "a.title IS NOT NULL OR t.price > 1"),
    Value(text: "name = 'b' or length % 2 = 0", sql: "t.name = 'b' OR t.length % 2 = 0"), Value(text: "id < 0", sql: "0"),
  ]

  private static let anything = [
    "NULL", "0", "-0.0", "1", "1.0", "9007199254740993", "9007199254740992.0", "9223372036854775807", "-9e999", "0.1", "''", "'a'", "'A'",
    "'a '", "'1'", "'it''s'", "'é'", "CAST(x'ff' AS TEXT)", "'a\nb'", "x''", "x'00'", "x'61'", "'2021-05-01'",
  ]
  private static let dates = [
    "NULL", "'2020-01-31'", "'2020-02-29 23:59:59'", "'2021-12-31'", "'2021-01-01T00:00'", "'never'", "'2024-09-30'",
    "'2021-05-01 10:00+05:00'",
  ]
  private static let names = ["NULL", "'a'", "'A'", "'b'", "'B'", "'c'", "'it''s \"x\"'", "''"]

  let folder: URL
  let path: String
  let queue: DatabaseQueue
  let connections: ReadConnections

  init(in folder: URL, seed: UInt64) throws {
    var random = SplitMix(seed: seed)
    func one(_ values: [String]) -> String { values.randomElement(using: &random) ?? "NULL" }
    func number(_ range: Range<Int>) -> String { "\(Int.random(in: range, using: &random))" }
    let columns = """
      name TEXT COLLATE NOCASE, album_id INTEGER REFERENCES album, city TEXT, number INTEGER, price REAL, length INTEGER, at DATETIME, any,
      live BOOLEAN, FOREIGN KEY (city, number) REFERENCES team
      """
    var sql = """
      PRAGMA foreign_keys = OFF;
      CREATE TABLE artist(id INTEGER PRIMARY KEY, name TEXT COLLATE NOCASE);
      CREATE TABLE album(id INTEGER PRIMARY KEY, title TEXT, artist_id INTEGER REFERENCES artist, released DATE);
      CREATE TABLE team(city TEXT, number INTEGER, name TEXT, PRIMARY KEY (city, number)) WITHOUT ROWID;
      CREATE TABLE track(id INTEGER PRIMARY KEY, \(columns));
      CREATE TABLE item(id INTEGER PRIMARY KEY, \(columns)) WITHOUT ROWID;
      INSERT INTO team VALUES ('Rome', 1, 'A'), ('Rome', 2, 'B'), ('Oslo', 1, NULL);
      """
    for id in 0..<4 { sql += "INSERT INTO artist VALUES (\(id), \(one(Self.names)));" }
    for id in 0..<8 {
      sql += "INSERT INTO album VALUES (\(id), \(one(Self.names)), \(one(["NULL", "0", "1", "2", "9"])), \(one(Self.dates)));"
    }
    for id in 0..<Int.random(in: 0..<150, using: &random) {
      let at = one(["NULL", number(1_577_836_800..<1_640_995_200), "1609459200", "1609545599.75", "1230768000"])
      let length = one(["NULL", number(-50..<50), number(0..<3), "'long'", "2.5", "x'00'"])
      let price = one(["NULL", "0.25", "1.5", "-2.75", "\(number(0..<9)).5", "3"])
      let row = [
        "\(id)", one(Self.names), one(["NULL", number(0..<10)]), one(["NULL", "'Rome'", "'Oslo'"]), one(["NULL", "1", "2"]), price, length,
        at,
        one(Self.anything), one(["NULL", "0", "1", "2", "'yes'"]),
      ].joined(separator: ", ")
      sql += "INSERT INTO track VALUES (\(row)); INSERT INTO item VALUES (\(row));"
    }
    self.folder = folder
    path = try makeDatabaseFile(in: folder, named: "\(seed).db", sql)
    queue = try DatabaseQueue(path: path)
    connections = ReadConnections(queue)
  }

  /// The tables as joined by the SQL of the values.
  static func source(_ table: String, _ filter: Value) -> String {
    """
    \(table) AS t LEFT JOIN album AS a ON a.id = t.album_id LEFT JOIN artist AS r ON r.id = a.artist_id \
    LEFT JOIN team AS m ON m.city = t.city AND m.number = t.number WHERE (\(filter.sql))
    """
  }

  /// A value as its storage class and its digits.
  typealias Cell = String

  /// Returns the rows that the shell prints of a query, which has these numbers of columns.
  func shellRows(_ list: [String], _ rest: String) throws -> [[Cell]] {
    let names = list.indices.map { "c\($0)" }
    let cells = names.map { name in
      """
      typeof(\(name)) || ' ' || CASE typeof(\(name)) WHEN 'real' THEN printf('%!.17g', \(name)) WHEN 'integer' THEN \(name) \
      ELSE ifnull(hex(\(name)), '') END
      """
    }
    let inner = zip(list, names).map { "\($0) AS \($1)" }.joined(separator: ", ")
    let sql = "SELECT \(cells.joined(separator: ", ")) FROM (SELECT \(inner) FROM \(rest))"
    let output = folder.appending(path: "out").path
    let process = try ChildProcess([try #require(Self.shell), "-batch", "-separator", "|", path, sql], output: .file(output))
    #expect(process.wait() == .exit(0), "\(sql)")
    let text = try String(contentsOfFile: output, encoding: .utf8)
    return text.split(separator: "\n", omittingEmptySubsequences: true).map {
      $0.split(separator: "|", omittingEmptySubsequences: false).map { String($0) }
    }
  }

  /// Returns the same of a value that Quarry has read.
  static func cell(_ value: StoredValue) -> Cell {
    switch value {
    case .value(.null): "null "
    case .value(.integer(let value)): "integer \(value)"
    case .value(.real(let value)): "real \(real(value))"
    case .value(.text(let text)): "text \(hexadecimal(Array(text.utf8)))"
    case .value(.blob(let bytes)): "blob \(hexadecimal(bytes))"
    case .rawText(let bytes): "text \(hexadecimal(bytes))"
    }
  }

  private static func real(_ value: Double) -> String { (try? printed(value)) ?? "" }

  private static func printed(_ value: Double) throws -> String {
    try constants.read { try String.fetchOne($0, literal: "SELECT printf('%!.17g', \(value))") ?? "" }
  }

  private static let constants: DatabaseQueue = {
    do { return try DatabaseQueue() } catch { preconditionFailure("\(error)") }
  }()

  /// Returns one cell for all that SQLite holds equal to it.
  static func normalized(_ cell: Cell, _ likeness: Likeness) -> Cell {
    if likeness == .none { return cell }
    if cell.hasPrefix("text "), likeness == .letters {
      let digits = Array(cell.dropFirst(5))
      let bytes = stride(from: 0, to: digits.count, by: 2).compactMap { UInt8(String(digits[$0...$0 + 1]), radix: 16) }
      return "text " + hexadecimal(bytes.map { (0x41...0x5A).contains($0) ? $0 + 0x20 : $0 })
    }
    if cell.hasPrefix("real "), let value = Double(cell.dropFirst(5)), let whole = Int64(exactly: value) { return "integer \(whole)" }
    return cell
  }

  private static func hexadecimal(_ bytes: [UInt8]) -> String { bytes.map { String(format: "%02X", $0) }.joined() }
}
