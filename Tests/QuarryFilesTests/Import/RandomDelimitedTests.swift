import Foundation
import QuarryFiles
import TestSupport
import Testing

/// Delimited texts of random content, written by rules of their own, whose reading is what was meant.
@Suite(.gated) struct RandomDelimitedTests {
  @Test("What is read is what was written", arguments: 1...6 as ClosedRange<UInt64>)
  func roundTrip(seed: UInt64) throws {
    var random = SplitMix(seed: seed)
    for round in 0..<testRounds(120) {
      var text = RandomDelimitedText(&random)
      let bytes = text.encoded(&random)
      let pieces = Bool.random(using: &random)
      let file = try ReadFile(
        bytes, options: text.options, chunkLength: pieces ? Int.random(in: 1...40, using: &random) : .max,
        byteCapacity: pieces ? Int.random(in: 1...200, using: &random) : 1 << 18)
      guard file.rows == text.rows, file.lines == text.lines, file.blankLineCount == text.blankLineCount, file.failure == nil,
        file.faults.map(\.reason) == text.faults.map(\.reason), file.faults.map(\.line) == text.faults.map(\.line),
        file.faults.map({ String(decoding: $0.bytes, as: UTF8.self) }) == text.faults.map(\.text)
      else {
        Issue.record("seed \(seed), round \(round): \(text.text.debugDescription)\n\(file)")
        return
      }
    }
  }

  @Test("Random bytes do no harm: all of them are records, faults or one refusal", arguments: [1, 2])
  func noise(seed: UInt64) throws {
    var random = SplitMix(seed: seed)
    for _ in 0..<testRounds(300) {
      let alphabet = Array("\",;\n\r\t|ab0{}[]:\\".utf8) + [0, 0xC3, 0xA9, 0xFF]
      let bytes = (0..<Int.random(in: 0...60, using: &random)).map { _ in alphabet.randomElement(using: &random) ?? 0 }
      _ = try readInPieces(bytes)
    }
  }
}

/// A delimited text of random content, and what it means.
private struct RandomDelimitedText {
  typealias Fault = (reason: RecordFault.Reason, line: Int, text: String)

  private(set) var text = ""
  private(set) var rows: [[ReadField]] = []
  private(set) var lines: [Int] = []
  private(set) var faults: [Fault] = []
  private(set) var blankLineCount = 0
  private(set) var options: RecordReadingOptions
  private let separator: Character
  private let width: Int
  private var line = 1
  private var isLatin = false

  init(_ random: inout SplitMix) {
    let isSingle = Int.random(in: 0...9, using: &random) == 0
    separator = [",", ";", "\t", "|"].randomElement(using: &random) ?? ","
    width = isSingle ? 1 : Int.random(in: 0...20, using: &random) == 0 ? 300 : Int.random(in: 2...6, using: &random)
    isLatin = Int.random(in: 0...4, using: &random) == 0
    options = RecordReadingOptions(separator: separator.asciiValue, hasHeader: Bool.random(using: &random))
    addLine((0..<width).map { "name\($0)" }, &random)
    if options.hasHeader == false {
      rows.append((0..<width).map { .plain("name\($0)") })
      lines.append(1)
    }
    for _ in 0..<Int.random(in: 0...12, using: &random) { addRecord(&random) }
    addEnd(&random)
  }

  private mutating func addRecord(_ random: inout SplitMix) {
    let begin = line
    switch Int.random(in: 0...9, using: &random) {
    case 0 where width > 1:
      addLine([], &random)
      blankLineCount += 1
    case 1 where width > 1:
      let count = [1, width - 1, width + 1, width + 3].randomElement(using: &random) ?? 1
      let fields = (0..<count).map { _ in ("x", ReadField.plain("x")) }
      guard count != width else { return }
      let text = addLine(fields.map(\.0), &random)
      faults.append((.fieldCount(found: count, expected: width), begin, text))
    case 2:
      let field = quoted(content(&random)) + "z"
      let text = addLine([field] + (1..<width).map { _ in "1" }, &random)
      faults.append((.textAfterQuote, begin, text))
    default:
      let fields = (0..<width).map { _ in field(&random) }
      addLine(fields.map(\.0), &random)
      rows.append(fields.map(\.1))
      lines.append(begin)
    }
  }

  /// Ends the text: with the end of its last line or without it, or within quotes.
  private mutating func addEnd(_ random: inout SplitMix) {
    switch Int.random(in: 0...5, using: &random) {
    case 0:
      let rest = "1\(width > 1 ? String(separator) : "\n")\"x\ny"
      if width > 1 {
        faults.append((.unclosedQuote, line, rest))
      } else {
        rows.append([.plain("1")])
        lines.append(line)
        faults.append((.unclosedQuote, line + 1, "\"x\ny"))
      }
      text += rest
    case 1:
      // A last line without its end is a record, unless it is empty.
      text += (0..<width).map { _ in "e" }.joined(separator: String(separator))
      rows.append(Array(repeating: .plain("e"), count: width))
      lines.append(line)
    default: break
    }
  }

  @discardableResult
  private mutating func addLine(_ fields: [String], _ random: inout SplitMix) -> String {
    let record = fields.joined(separator: String(separator))
    text += record + (Bool.random(using: &random) ? "\n" : "\r\n")
    line += record.utf8.count { $0 == 0x0A } + 1
    return record
  }

  private func field(_ random: inout SplitMix) -> (String, ReadField) {
    switch Int.random(in: 0...3, using: &random) {
    case 0: return ("", .null)
    case 1:
      let content = content(&random)
      return (quoted(content), .text(content))
    default:
      let plain = plain(&random)
      return (plain, plain.isEmpty ? .null : .plain(plain))
    }
  }

  private func quoted(_ content: String) -> String {
    "\"" + content.unicodeScalars.map { $0 == "\"" ? "\"\"" : String($0) }.joined() + "\""
  }

  private func content(_ random: inout SplitMix) -> String {
    var scalars = String.UnicodeScalarView()
    let alphabet: [Unicode.Scalar] =
      ["a", "\"", "\"", "\n", "\r", ",", ";", "\t", "|", "\0", " ", "7", "\\", "é"] + (isLatin ? [] : ["€", "😀", "\u{301}"])
    let longest = Int.random(in: 0...30, using: &random) == 0 ? 3000 : 12
    for _ in 0..<Int.random(in: 0...longest, using: &random) { scalars.append(alphabet.randomElement(using: &random) ?? "a") }
    return String(scalars)
  }

  /// Returns the text of a field without quotes: no separator, no LF, no quote at its beginning, no CR at its end.
  private func plain(_ random: inout SplitMix) -> String {
    var scalars = Array(content(&random).unicodeScalars.filter { $0 != "\n" && $0 != separator.unicodeScalars.first })
    while scalars.first == "\"" || scalars.first == "\r" { scalars.removeFirst() }
    while scalars.last == "\r" { scalars.removeLast() }
    return String(String.UnicodeScalarView(scalars))
  }

  /// Returns the bytes of the text, in one of the encodings that can have it.
  mutating func encoded(_ random: inout SplitMix) -> [UInt8] {
    if isLatin {
      options.encoding = .latin1
      return text.unicodeScalars.map { UInt8($0.value) }
    }
    switch Int.random(in: 0...5, using: &random) {
    case 0: return [0xEF, 0xBB, 0xBF] + text.utf8
    case 1: return [0xFF, 0xFE] + text.utf16.flatMap { [UInt8($0 & 255), UInt8($0 >> 8)] }
    case 2: return [0xFE, 0xFF] + text.utf16.flatMap { [UInt8($0 >> 8), UInt8($0 & 255)] }
    default: return Array(text.utf8)
    }
  }
}
