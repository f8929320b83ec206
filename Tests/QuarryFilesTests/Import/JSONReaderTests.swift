import Foundation
import QuarryFiles
import TestSupport
import Testing

/// The shapes of JSON that have records, and the values of their fields.
@Suite(.gated) struct JSONReaderTests {
  @Test("An array of objects is a table; a key is a column, and one that is missing is NULL")
  func array() throws {
    let file = try readInPieces(#" [ {"id": 1, "name": "x"}, {"name": "y"}, {}, {"id": 2, "more": true} ] "#.utf8)
    #expect(file.columns == ["id", "name", "more"] && file.tables.count == 1 && file.dialect == nil)
    #expect(
      file.rows == [
        [.integer(1), .text("x"), .null], [.null, .text("y"), .null], [.null, .null, .null], [.integer(2), .null, .integer(1)],
      ])
    #expect(file.faults.isEmpty && file.failure == nil)
  }

  @Test("An object of arrays has a table for each key, also for an empty array")
  func tables() throws {
    let file = try readInPieces(#"{"album": [{"id":1},{"id":2}], "none": [], "track": [{"title":"x"}]}"#.utf8)
    #expect(file.tables.map(\.name) == ["album", "none", "track"])
    #expect(file.tables.map(\.columns) == [["id"], [], ["title"]])
    #expect(file.tables.map(\.rows) == [[[.integer(1)], [.integer(2)]], [], [[.text("x")]]])
  }

  @Test(
    "Objects one after the other are records, on a line each or not",
    arguments: ["{\"a\":1}\n{\"a\":2}\n\n{\"a\":3}", "{\"a\":1} {\"a\":2}{\"a\":3}\r\n", "{\n \"a\":1}\n{\n \"a\":2\n}\n{\"a\":3}\n"])
  func sequence(text: String) throws {
    let file = try readInPieces(text.utf8)
    #expect(file.rows == [[.integer(1)], [.integer(2)], [.integer(3)]] && file.faults.isEmpty)
  }

  @Test("An object alone is a record, unless it has arrays of objects and nothing else, or one such array")
  func single() throws {
    let text = #"{"a":[{"b":1}],"c":[{"d":1}],"n":2}"#
    #expect(try readInPieces(text.utf8).rows == [[.text(#"[{"b":1}]"#), .text(#"[{"d":1}]"#), .integer(2)]])
    #expect(try readInPieces(#"{"a":[1]}"#.utf8).rows == [[.text("[1]")]])
    #expect(try readInPieces("[]".utf8).rows.isEmpty)
  }

  @Test(
    "Of an object with one array of objects, as services answer, the records are those of the array, and what else it has is told",
    arguments: [
      #"{"page":1,"results":[{"b":1},{"b":2}],"next":{"page":[{"x":2}]}}"#, #"{"page":[1,{}],"results":[{"b":1},{"b":2}],"next":null}"#,
      "{\n  \"page\": [],\n  \"results\": [ {\"b\": 1}, {\n\"b\":2} ],\n  \"next\": \"[{}]\"\n}\n",
    ])
  func member(text: String) throws {
    let file = try readInPieces(text.utf8)
    #expect(file.tables.map(\.name) == ["results"])
    #expect(file.rows == [[.integer(1)], [.integer(2)]] && file.faults.isEmpty && file.failure == nil)
    #expect(file.passedOver == ["page", "next"])
    // Of several such objects each is a record.
    #expect(try readInPieces("\(text)\n\(text)".utf8).rows.count == 2)
  }

  @Test("An object that does not end in the first 64 KiB has tables if its first value is an array that begins with an object")
  func longObject() throws {
    let rows = (1...9000).map { "{\"id\":\($0)}" }.joined(separator: ",\n")
    let tables = try ReadFile("{\"a\":[\(rows)],\"count\":9000,\"b\":[{\"x\":1}]}".utf8)
    #expect(tables.tables.map(\.name) == ["a", "b"] && tables.tables[0].rows.count == 9000)
    #expect(tables.faults.isEmpty && tables.passedOver == ["count"])
    let member = try ReadFile("{\"n\":1,\"a\":[\(rows)],\"b\":[{}]}\n".utf8)
    #expect(member.tables.map(\.name) == ["a"] && member.rows.count == 9000 && member.passedOver == ["n", "b"])
    let record = try ReadFile("{\"n\":1,\"a\":[1,\(rows)]}\n".utf8)
    #expect(record.rows == [[.integer(1), .text("[1,\(rows)]")]])
  }

  @Test("Records have the lines on which they begin")
  func lines() throws {
    let file = try readInPieces("\n[{\"a\":\n1},\n\n{\"a\":[\n2]},{\"a\":3}]".utf8)
    #expect(file.lines == [2, 5, 6])
  }

  @Test("A batch ends where the table does, and new columns reach the records that are already in it")
  func batches() throws {
    let rows = (0..<2000).map { "{\"k\($0)\":\($0)}" }.joined(separator: ",")
    let file = try ReadFile("[\(rows)]".utf8)
    #expect(file.columns.count == 2000 && file.rows.count == 2000 && file.failure == nil)
    for (index, row) in file.rows.enumerated() where row[index] != .integer(Int64(index)) || row.count(where: { $0 != .null }) != 1 {
      Issue.record("record \(index)")
    }
    #expect(try ReadFile("[\(rows),\n{\"b\":1}]".utf8).failure == .tooManyKeys(2001, line: 2))
  }

  // MARK: - Values

  @Test(
    "A value is stored as what it is",
    arguments: [
      ("0", .integer(0)), ("-12", .integer(-12)), ("9223372036854775807", .integer(.max)), ("-9223372036854775808", .integer(.min)),
      ("9223372036854775808", .plain("9223372036854775808")), ("-9223372036854775809", .plain("-9223372036854775809")),
      ("-0", .real(-0.0)), ("1.5", .real(1.5)), ("-0.1", .real(-0.1)), ("1e5", .real(100_000)), ("1E-2", .real(0.01)), ("1.0", .real(1)),
      ("9e999", .real(.infinity)), ("-9e999", .real(-.infinity)), ("1e-400", .plain("1e-400")), ("5e-324", .real(.leastNonzeroMagnitude)),
      ("0.1234567890123456789", .plain("0.1234567890123456789")), ("123456789012345678.5", .plain("123456789012345678.5")),
      ("0.00000000000000000000001", .real(1e-23)), ("true", .integer(1)), ("false", .integer(0)), ("null", .null),
      ("\"\"", .text("")), (#""a\"\\\/\b\f\n\r\té""#, .text("a\"\\/\u{8}\u{c}\n\r\té")),
      (#""\u0041\u00e9\u20AC\ud83d\ude00x""#, .text("Aé€😀x")),
      (#""\u0000""#, .text("\0")), ("\"\u{7f}\u{2028}😀\"", .text("\u{7f}\u{2028}😀")), (#""007""#, .text("007")),
      ("[1, {\"a\": \"\\u0041\"} ]", .text("[1, {\"a\": \"\\u0041\"} ]")), ("{}", .text("{}")), ("[]", .text("[]")),
      (#"{"blob":"AP8="}"#, .blob([0, 255])), (#"{ "blob" : "" }"#, .blob([])), (#"{"text":"/w=="}"#, .bytes([255])),
      (#"{"text":"\/w=="}"#, .bytes([255])), (#"{"text":"YWI="}"#, .text("ab")),
      (#"{"blob":"AP8"}"#, .text(#"{"blob":"AP8"}"#)), (#"{"blob":"AP9="}"#, .text(#"{"blob":"AP9="}"#)),
      (#"{"blob":"AP8=","x":1}"#, .text(#"{"blob":"AP8=","x":1}"#)), (#"{"blob":1}"#, .text(#"{"blob":1}"#)),
      (#"{"blob":"a b="}"#, .text(#"{"blob":"a b="}"#)), (#"{"bytes":"AP8="}"#, .text(#"{"bytes":"AP8="}"#)),
      (#"{"a":"\ud800"}"#, .text(#"{"a":"\ud800"}"#)),
    ] as [(String, ReadField)])
  func values(json: String, field: ReadField) throws {
    let file = try readInPieces("[{\"v\":\(json),\"w\":1}]".utf8)
    #expect(file.rows == [[field, .integer(1)]])
    #expect(try read("[{\"v\":\(json)}]").rows == [[field]])
    #expect(try read("{\"v\":\(json)}\n{}\n").rows.first == [field])
  }

  @Test("Keys are texts: they may have escapes, and are the same if they mean the same")
  func keys() throws {
    let file = try readInPieces(#"[{"a\"b":1,"\u00e9":2},{"é":3,"a\u0022b":4},{"":5,"A\"B":6}]"#.utf8)
    #expect(file.columns == ["a\"b", "é", "column3", "A\"B_2"])
    #expect(
      file.rows == [
        [.integer(1), .integer(2), .null, .null], [.integer(4), .integer(3), .null, .null], [.null, .null, .integer(5), .integer(6)],
      ])
  }

  // MARK: - Faults

  @Test("A value that is no record is kept as it is, and what follows it is read")
  func noRecords() throws {
    let file = try readInPieces("[{\"a\":1}, 7,\n[2], {\"a\":3,\n\"a\":4}, {\"a\":\"\\ud83dx\"}, {\"a\":5}]".utf8)
    #expect(file.rows == [[.integer(1)], [.integer(5)]])
    #expect(file.faults.map(\.reason) == [.notAnObject, .notAnObject, .duplicateKey("a"), .halfCharacter])
    #expect(file.faults.map(\.line) == [1, 2, 2, 3] && file.faults.map(\.column) == [11, 1, 6, 15])
    #expect(
      file.faults.map { String(decoding: $0.bytes, as: UTF8.self) }
        == ["7", "[2]", "{\"a\":3,\n\"a\":4}", "{\"a\":\"\\ud83dx\"}"])
  }

  @Test("Where each line has an object, a line that is none is kept, and the next one is read")
  func brokenLines() throws {
    let file = try readInPieces("{\"a\":1}\n{\"a\":\n{\"a\":2}\r\n{\"a\":3}}\r\n{\"a\":\"\n7\n{\"a\":4".utf8)
    #expect(file.rows == [[.integer(1)], [.integer(2)], [.integer(3)]])
    #expect(file.faults.map(\.line) == [2, 4, 5, 6, 7])
    #expect(file.faults.map { String(decoding: $0.bytes, as: UTF8.self) } == ["{\"a\":", "}", "{\"a\":\"", "7", "{\"a\":4"])
    #expect(
      file.faults.map(\.reason) == [
        .invalidJSON(.endsEarly), .invalidJSON(.unexpected(UInt8(ascii: "}"))), .invalidJSON(.controlCharacter(0x0A)), .notAnObject,
        .invalidJSON(.endsEarly),
      ])
  }

  @Test("JSON that breaks off has the records before, and the rest of it as a fault")
  func breakingOff() throws {
    let file = try readInPieces("[{\"a\":1},\n{\"a\":2,\"b\":[1,".utf8)
    #expect(file.rows == [[.integer(1)]] && file.failure == nil)
    let fault = try #require(file.faults.first)
    #expect(fault.reason == .invalidJSON(.endsEarly) && fault.line == 2 && fault.column == 15)
    #expect(String(decoding: fault.bytes, as: UTF8.self) == "{\"a\":2,\"b\":[1,")
    #expect(try readInPieces("[{\"a\":1}".utf8).faults.map(\.reason) == [.invalidJSON(.endsEarly)])
  }

  @Test("JSON that is none has the records before, and tells where it stops")
  func syntaxError() throws {
    let file = try readInPieces("[{\"a\":1},\n {\"a\":01},{\"a\":2}]".utf8)
    #expect(file.rows == [[.integer(1)]] && file.faults.isEmpty)
    guard case .unreadable(let fault, let records)? = file.failure else {
      Issue.record("it was read")
      return
    }
    #expect(records == 1)
    #expect(fault.reason == .invalidJSON(.number) && fault.line == 2 && fault.column == 8)
    #expect(fault.description == "It is not JSON: invalid number at byte 8.")
  }
}
