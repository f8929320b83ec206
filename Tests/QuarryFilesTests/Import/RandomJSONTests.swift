import Foundation
import QuarryEngine
import TestSupport
import Testing

/// JSON of random content, written in random ways, whose reading is what was meant.
@Suite(.gated) struct RandomJSONTests {
  @Test("What is read is what was written", arguments: 1...6 as ClosedRange<UInt64>)
  func roundTrip(seed: UInt64) throws {
    var random = SplitMix(seed: seed)
    for round in 0..<testRounds(250) {
      let json = RandomJSON(&random)
      let pieces = Bool.random(using: &random)
      let file = try ReadFile(
        json.text.utf8, chunkLength: pieces ? Int.random(in: 1...40, using: &random) : .max,
        byteCapacity: pieces ? Int.random(in: 1...200, using: &random) : 1 << 18)
      let isSame =
        file.tables.map(\.name) == json.tables.map(\.name) && file.tables.map(\.columns) == json.tables.map(\.columns)
        && file.tables.map(\.rows) == json.tables.map(\.rows)
      guard isSame, file.failure == nil, file.faults.isEmpty else {
        Issue.record("seed \(seed), round \(round): \(json.text.debugDescription)\n\(file)")
        return
      }
    }
  }
}

/// A JSON text of random content, and what it means.
private struct RandomJSON {
  struct Table {
    var name: String?
    var columns: [String] = []
    var rows: [[ReadField]] = []
  }

  private(set) var text = ""
  private(set) var tables: [Table] = []
  private var isOneLine = false

  init(_ random: inout SplitMix) {
    switch Int.random(in: 0...2, using: &random) {
    case 0:
      tables = [Table()]
      text = array(0, &random)
      if tables[0].rows.isEmpty { tables[0].columns = [] }
    case 1:
      tables = (0..<Int.random(in: 1...3, using: &random)).map { Table(name: "t\($0)") }
      let members = tables.indices.map { "\(blanks(&random))\"t\($0)\"\(blanks(&random)):\(blanks(&random))\(array($0, &random))" }
      text = "\(blanks(&random)){\(members.joined(separator: "\(blanks(&random)),"))}\(blanks(&random))"
    default:
      tables = [Table()]
      isOneLine = Bool.random(using: &random)
      // The first object says whether each has a line of its own. A second one keeps it from being a set of tables.
      if !isOneLine { tables[0].rows.append([]) }
      text = (isOneLine ? "" : "{\n}") + (0..<Int.random(in: 2...6, using: &random)).map { _ in object(0, &random) }.joined(separator: "\n")
    }
    for index in tables.indices {
      let width = tables[index].columns.count
      tables[index].rows = tables[index].rows.map { $0 + Array(repeating: .null, count: width - $0.count) }
    }
    if tables.count == 1, tables[0].name == nil, text.hasPrefix("["), tables[0].rows.isEmpty { tables = [] }
  }

  private mutating func array(_ table: Int, _ random: inout SplitMix) -> String {
    let objects = (0..<Int.random(in: 0...5, using: &random)).map { _ in blanks(&random) + object(table, &random) + blanks(&random) }
    return "[" + (objects.isEmpty ? blanks(&random) : objects.joined(separator: ",")) + "]"
  }

  private mutating func object(_ table: Int, _ random: inout SplitMix) -> String {
    var row = Array(repeating: ReadField.null, count: tables[table].columns.count)
    let keys = Array("abcdefgh").shuffled(using: &random).prefix(Int.random(in: 0...6, using: &random)).map { "k\($0)" }
    let members = keys.map { key in
      let (json, field) = value(&random)
      if let index = tables[table].columns.firstIndex(of: key) {
        row[index] = field
      } else {
        tables[table].columns.append(key)
        row.append(field)
      }
      return "\(blanks(&random))\(string(key, &random))\(blanks(&random)):\(blanks(&random))\(json)\(blanks(&random))"
    }
    tables[table].rows.append(row)
    return "{" + (members.isEmpty ? blanks(&random) : members.joined(separator: ",")) + "}"
  }

  private func value(_ random: inout SplitMix) -> (String, ReadField) {
    switch Int.random(in: 0...9, using: &random) {
    case 0: return ("null", .null)
    case 1: return ("true", .integer(1))
    case 2:
      let integer = Int64.random(in: .min ... .max, using: &random) >> Int64.random(in: 0...63, using: &random)
      return (String(integer), .integer(integer))
    case 3, 4:
      let real = Double(bitPattern: .random(in: 0 ... .max, using: &random))
      return real.isFinite ? (real.description, .real(real)) : ("9e999", .real(.infinity))
    case 5:
      let real = Double(Int.random(in: -1_000_000...1_000_000, using: &random)) / 100
      return (real.description, .real(real))
    case 6:
      let bytes = (0..<Int.random(in: 0...9, using: &random)).map { _ in UInt8.random(in: 0...255, using: &random) }
      return ("{\(blanks(&random))\"blob\":\(blanks(&random))\"\(Data(bytes).base64EncodedString())\"}", .blob(bytes))
    case 7:
      let nested = "[\(blanks(&random))1,{\"x\"\(blanks(&random)):[]},\(string(content(&random), &random))]"
      return (nested, .text(nested))
    default:
      let content = content(&random)
      return (string(content, &random), .text(content))
    }
  }

  private func content(_ random: inout SplitMix) -> String {
    var scalars = String.UnicodeScalarView()
    let alphabet: [Unicode.Scalar] = ["a", "\"", "\\", "/", "\n", "\u{8}", "\0", "{", "]", ",", "é", "€", "😀", "\u{2028}", "\u{7f}"]
    let longest = Int.random(in: 0...30, using: &random) == 0 ? 2000 : 10
    for _ in 0..<Int.random(in: 0...longest, using: &random) { scalars.append(alphabet.randomElement(using: &random) ?? "a") }
    return String(scalars)
  }

  /// Writes a string with the escapes that it needs, and with others.
  private func string(_ content: String, _ random: inout SplitMix) -> String {
    var text = "\""
    for scalar in content.unicodeScalars {
      let mustEscape = scalar.value < 0x20 || scalar == "\"" || scalar == "\\"
      if !mustEscape, Int.random(in: 0...5, using: &random) > 0 {
        text.unicodeScalars.append(scalar)
      } else if let index = Array("\"\\/\u{8}\n".unicodeScalars).firstIndex(of: scalar), Bool.random(using: &random) {
        text += "\\" + String(Array("\"\\/bn")[index])
      } else {
        for unit in String(scalar).utf16 {
          text += "\\u" + String(UInt32(unit) | 0x10000, radix: 16, uppercase: Bool.random(using: &random)).dropFirst()
        }
      }
    }
    return text + "\""
  }

  private func blanks(_ random: inout SplitMix) -> String {
    guard Int.random(in: 0...3, using: &random) == 0 else { return "" }
    return (isOneLine ? [" ", "\t"] : [" ", "\n", "\r\n", "\t "]).randomElement(using: &random) ?? ""
  }
}
