import Foundation
import QuarryFiles
import TestSupport
import Testing

/// The kinds of cases that JSONTestSuite has: what every reader of JSON takes, and what none may take.
@Suite(.gated) struct JSONSyntaxCasesTests {
  @Test(
    "Valid JSON is taken",
    arguments: [
      "[[]   ]", "[\"\"]", "[\"a\"]", "[false]", "[null, 1, \"1\", {}]", "[1,null,null,null,2]", "[\n1\t,\r2 ]", "[123e65]", "[0e+1]",
      "[0e1]", "[ 4]", "[-0.000000000000000000000000000000000000000000000000000000000000000000000000000001]", "[20e1]", "[-0]", "[-123]",
      "[1E22]", "[1E-2]", "[1E+2]", "[123.456e78]", "{\"asd\":\"sdf\", \"dfg\":\"fgh\"}", "{\"\":0}", "{\"foo\\u0000bar\": 42}",
      "{\"x\":[{\"id\": \"xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx\"}], \"id\": \"x\"}", "{\"title\":\"\\u041f\\u043e\\u043b\" }",
      #"["\u0060\u012a\u12AB"]"#, #"["\ud801\udc37"]"#, #"["\"\\\/\b\f\n\r\t"]"#, #"["\\u0000"]"#, #"["\""]"#, "[\"a/*b*/c/*d//e\"]",
      #"["\\a"]"#, #"["\u0012"]"#, "[\"\u{FFFF}\"]", "[\"asd \"]", "[\"\u{10FFFF}\"]", "[\"\u{2028}\"]", "[\"\u{7F}\"]", "\"\"", "42",
      "-0.1",
      "null", "true", " [] ",
    ])
  func taken(json: String) throws {
    let file = try readInPieces("[{\"v\":\(json)}]".utf8)
    #expect(file.rows.count == 1 && file.faults.isEmpty && file.failure == nil)
  }

  @Test(
    "What is not JSON is not taken, wherever it is read",
    arguments: [
      "[1 true]", "[a\u{00E5}]", "[\"\": 1]", "[\"\"],", "[,1]", "[1,,2]", "[\"x\",,]", "[\"x\"]]", "[\"\",]", "[\"x\"", "[x", "[3[4]]",
      "[1:2]",
      "[,]", "[-]", "[   , \"\"]", "[\"a\",\n4\n,1,", "[1,]", "[1,,]", "[\"\u{0B}a\"\\f]", "[*]", "[\"\"", "[1,", "[1,\n1\n,1", "[{}",
      "[fals]", "[nul]", "[tru]", "[++1234]", "[+1]", "[+Inf]", "[-01]", "[-1.0.]", "[-2.]", "[-NaN]", "[.-1]", "[.2e-3]", "[0.1.2]",
      "[0.3e+]", "[0.3e]", "[0.e1]", "[0E+]", "[0E]", "[0e+]", "[0e]", "[1.0e+]", "[1.0e-]", "[1.0e]", "[1 000.0]", "[1eE2]", "[2.e+3]",
      "[2.e-3]", "[2.e3]", "[9.e+]", "[Inf]", "[NaN]", "[\u{FF11}]", "[1+2]", "[0x1]", "[0x42]", "[Infinity]", "[0e+-1]", "[-123.123foo]",
      "[-Infinity]", "[-foo]", "[- 1]", "[-012]", "[-.123]", "[-1x]", "[1ea]", "[1e1x]", "[1.]", "[.123]", "[1.2a-3]",
      "[1.8011670033376514H-308]",
      "[012]", "[\"x\", truth]", "{[: \"x\"}", "{\"x\", null}", "{\"x\"::\"b\"}", "{\u{1F1E8}}", "{\"a\":\"a\" 123}", "{key: 'value'}",
      "{\"a\" b}",
      "{:\"b\"}", "{\"a\" \"b\"}", "{\"a\":", "{\"a\"", "{1:1}", "{9999E9999:1}", "{null:null,null:null}", "{\"id\":0,,,,,}", "{'a':0}",
      "{\"id\":0,}", "{\"a\":\"b\"}/**/", "{\"a\":\"b\"}/**//", "{\"a\":\"b\"}//", "{\"a\":\"b\"}/", "{\"a\":\"b\",,\"c\":\"d\"}",
      "{a: \"b\"}",
      "{\"a\":\"a", "{ \"foo\" : \"bar\", \"a\" }", "{\"a\":\"b\"}#", " ", "[\"\\uD800\\", "[\"\\uD800\\u", "[\"\\uD800\\u1",
      "[\"\\uD800\\u1x\"]",
      "[\u{E9}]", "[\"\\\u{0}\"]", "[\"\\x00\"]", "[\"\\\\\\\"]", "[\"\\\t\"]", "[\"\\\u{1F300}\"]", "[\"\\\"]", "[\"\\u00A\"]",
      "[\"\\uD834\\uDd\"]",
      "[\"\\a\"]", "[\"\\uqqqq\"]", "[\\u0020\"asd\"]", "[\\n]", "\"", "['single quote']", "abc", "[\"\\", "[\"a\u{0}a\"]",
      "[\"new\nline\"]",
      "[\"\t\"]", "\"\\UA66D\"", "\"\"x", "<.>", "[<null>]", "[1]x", "[1]]", "[asd]", "aå", "[True]", "1]", "{\"x\": true,", "[][]", "]",
      "{}}", "{\"\":", "{\"a\":/*comment*/\"b\"}", "{\"a\": true} \"x\"", "['", "[,", "[{", "[\"a", "[\"a\"", "{\"", "{,", "{[", "{'a",
      "{]", "{\"a\"",
      "*", "{\"a\":\"b\"}#{}", "[\\u000A\"\"]", "[1", "[ false, nul", "[ true, fals", "[ false, tru", "{\"asd\":\"asd\"", "\u{C}",
      "[\u{2060}]",
      "\u{FEFF}1",
    ])
  func refused(json: String) throws {
    for text in ["[{\"v\":\(json)}]", "[{\"v\":\(json)}", "{\"t\":[{\"v\":\(json)}]}", "{\"v\":\(json)}\n{\"v\":1}\n"] {
      let file = try readInPieces(text.utf8)
      #expect(file.failure != nil || !file.faults.isEmpty, "\(text)")
    }
  }

  @Test("Objects and arrays may lie in each other as deep as memory goes")
  func depth() throws {
    let depth = 100_000
    let deep = String(repeating: "[", count: depth) + String(repeating: "]", count: depth)
    #expect(try read("[{\"v\":\(deep)}]").rows == [[.text(deep)]])
    for beginning in [String(repeating: "[", count: depth), String(repeating: "{\"a\":[", count: depth)] {
      let file = try read("[{\"v\":\(beginning)")
      #expect(file.faults.map(\.reason) == [.invalidJSON(.endsEarly)])
    }
  }

  @Test("Texts that are changed at random are taken if Foundation takes them, and are told of otherwise", arguments: [1, 2, 3])
  func mutations(seed: UInt64) throws {
    var random = SplitMix(seed: seed)
    var counts = (taken: 0, refused: 0)
    for _ in 0..<testRounds(700) {
      let text = mutated(#"[{"a":[1,{"b":null}],"b":"x\ny","c":-1.5e3},{"c":true,"a":{}}]"#, &random)
      let file = try ReadFile(text, chunkLength: Int.random(in: 1...9, using: &random))
      guard file.dialect == nil, file.failure != .empty else { continue }
      let isTaken = file.failure == nil && !file.faults.contains { if case .invalidJSON = $0.reason { true } else { false } }
      if isTaken { counts.taken += 1 } else { counts.refused += 1 }
      let isTakenThere = (try? JSONSerialization.jsonObject(with: Data(text))) is [Any]
      #expect(isTaken == isTakenThere || isUnlikeFoundation(text, isTaken: isTaken), "\(String(decoding: text, as: UTF8.self))")
    }
    #expect(counts.taken > 30 && counts.refused > 100, "\(counts)")
  }

  private func mutated(_ text: String, _ random: inout SplitMix) -> [UInt8] {
    var bytes = Array(text.utf8)
    for _ in 0...Int.random(in: 0...1, using: &random) {
      let index = Int.random(in: 1..<bytes.count, using: &random)
      let byte = Array("[]{}\",:\\/ux0123eE+-. \ntfn".utf8).randomElement(using: &random) ?? 0
      switch Int.random(in: 0...2, using: &random) {
      case 0: bytes[index] = byte
      case 1: bytes.insert(byte, at: index)
      default: bytes.remove(at: index)
      }
    }
    return bytes
  }

  /// Returns whether Foundation refuses a text for half of a character or a number beyond a double's range, or takes one with a comma before
  /// a closing bracket.
  private func isUnlikeFoundation(_ text: [UInt8], isTaken: Bool) -> Bool {
    let text = String(decoding: text, as: UTF8.self)
    return isTaken ? text.contains("\\u") || text.contains(/[eE]\+?[0-9]{3}/) : text.contains(/,\s*[}\]]/)
  }
}
