import Foundation
import QuarryEngine
import TestSupport
import Testing

/// What `quarry rows` prints beside what the sqlite3 shell prints, for every table of databases that nobody here wrote.
@Suite(
  .gated,
  .enabled(if: sharedData != nil, "../shared/data is not there"),
  .enabled(if: Fixtures.shell != nil, "the sqlite3 shell is not installed"))
struct ShellComparisonTests {
  private static let tables: [(file: String, table: String)] = {
    guard let folder = sharedData else { return [] }
    let files = ["chinook.db", "northwind.db"].map { folder.appendingPathComponent($0).path }
    return files.flatMap { file in ((try? tableNames(in: file)) ?? []).map { (file, $0) } }
  }()

  private static func tableNames(in file: String) throws -> [String] {
    var configuration = Configuration()
    configuration.isReadonly = true
    return try DatabaseQueue(path: file, configuration: configuration).read { db in
      try db.catalog().databases[0].entries.filter { $0.kind == .table }.map(\.reference.name)
    }
  }

  private func shell(_ mode: String..., file: String, table: String) throws -> Data {
    let shell = try #require(Fixtures.shell)
    let sql = "SELECT * FROM \"\(table)\""
    return try BuiltProgram.run(shell, ["-readonly", "-init", "/dev/null"] + mode + [file, sql]).output
  }

  /// Returns the cells as the engine reads them, which tell the cells in which the shell does not show what is stored.
  private func values(file: String, table: String) throws -> [[DatabaseValue]] {
    var configuration = Configuration()
    configuration.isReadonly = true
    return try DatabaseQueue(path: file, configuration: configuration).read { db in
      let statement = try db.makeStatement(sql: "SELECT * FROM \"\(table)\"")
      var rows: [[DatabaseValue]] = []
      while try statement.step() { rows.append(try (0..<statement.columnCount).map { try statement.columnValue(at: $0) }) }
      return rows
    }
  }

  @Test(arguments: tables)
  func `CSV is the shell's cell by cell`(file: String, table: String) throws {
    let ours = CSVText.rows(try BuiltProgram.run("rows", file, table, "--format", "csv").output)
    let theirs = CSVText.rows(try shell("-csv", "-header", file: file, table: table))
    let values = try values(file: file, table: table)
    #expect(ours.count == values.count + 1)
    // The shell leaves the header of an empty table out.
    if values.isEmpty { return }
    #expect(theirs.first == ours.first)
    for (index, row) in values.enumerated() {
      for (column, value) in row.enumerated() where isShownExactly(value) {
        #expect(ours[index + 1][column] == theirs[index + 1][column], "row \(index), column \(column)")
      }
      #expect(ours[index + 1].count == theirs[index + 1].count)
    }
  }

  @Test(arguments: tables)
  func `JSON is the shell's value by value`(file: String, table: String) throws {
    let values = try values(file: file, table: table)
    let ours = try objects(try BuiltProgram.run("rows", file, table, "--format", "json").output)
    #expect(ours.count == values.count)
    // The shell prints nothing at all for an empty table.
    if values.isEmpty { return }
    let theirs = try objects(repaired(try shell("-json", file: file, table: table)))
    #expect(
      ours.map { $0.filter { $1 != .object } }
        == theirs.enumerated().map { index, object in object.filter { ours[index][$0.key] != .object } })
    #expect(ours.map { Set($0.keys) } == theirs.map { Set($0.keys) })
  }

  /// Returns whether the shell's CSV has all of a value: it cuts a blob at a NUL, and writes 15 digits of a real.
  private func isShownExactly(_ value: DatabaseValue) -> Bool {
    switch value {
    case .blob: false
    case .real(let real): Double(String(format: "%.15g", real)) == real
    case .null, .integer, .text: true
    }
  }

  private func objects(_ json: Data) throws -> [[String: JSONValue]] {
    try JSONDecoder().decode([[String: JSONValue]].self, from: json)
  }

  /// Mends the shell's JSON: it writes the bytes of a blob into a string as they are, which is no JSON where they are no text.
  private func repaired(_ json: Data) -> Data {
    Data(String(decoding: json, as: UTF8.self).utf8)
  }
}

/// A value of JSON; an object stands for a blob, which the shell shows otherwise.
private enum JSONValue: Decodable, Equatable {
  case null, integer(Int64), real(Double), text(String), object

  init(from decoder: any Decoder) throws {
    let container = try decoder.singleValueContainer()
    if container.decodeNil() {
      self = .null
    } else if let integer = try? container.decode(Int64.self) {
      self = .integer(integer)
    } else if let real = try? container.decode(Double.self) {
      self = .real(real)
    } else if let text = try? container.decode(String.self) {
      self = .text(text)
    } else {
      self = .object
    }
  }
}

/// Reads CSV as RFC 4180 has it.
enum CSVText {
  static func rows(_ data: Data) -> [[String]] {
    var rows: [[String]] = []
    var row: [String] = []
    var cell: [UInt8] = []
    var isQuoted = false
    var bytes = Array(data)[...]
    while let byte = bytes.popFirst() {
      switch (byte, isQuoted) {
      case (UInt8(ascii: "\""), true) where bytes.first == UInt8(ascii: "\""): cell.append(bytes.removeFirst())
      case (UInt8(ascii: "\""), _): isQuoted.toggle()
      case (UInt8(ascii: ","), false), (UInt8(ascii: "\n"), false):
        row.append(String(decoding: cell, as: UTF8.self))
        cell = []
        if byte == UInt8(ascii: "\n") {
          rows.append(row)
          row = []
        }
      default: cell.append(byte)
      }
    }
    return rows
  }
}
