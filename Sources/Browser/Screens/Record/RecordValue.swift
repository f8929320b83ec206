internal import Essentials
import QuarryEngine
import QuarryFiles
package import QuarryRows
import Terminal

/// A whole value in lines: JSON indented, a blob as hexadecimal and ASCII, a date beside an epoch.
package struct RecordValue {
  let value: CellValue
  let column: RowSetColumn
  let glyphs: Glyphs

  package init(_ value: CellValue, column: RowSetColumn, glyphs: Glyphs) {
    self.value = value
    self.column = column
    self.glyphs = glyphs
  }

  package func lines(columns: Int) -> [StyledLine] {
    switch value {
    case .null: [StyledLine(glyphs.null, .null)]
    case .integer(let number): [numberLine(String(number), seconds: Double(number))]
    case .real(let number): [numberLine(RealText.shortest(number), seconds: number)]
    case .text(let text, let byteCount, let isValid): textLines(text, byteCount: byteCount, isValid: isValid, columns: columns)
    case .blob(let bytes, let byteCount): blobLines(bytes, byteCount: byteCount, columns: columns)
    }
  }

  private func numberLine(_ text: String, seconds: Double) -> StyledLine {
    let line = StyledLine(text, .number)
    guard let date = EpochDate(seconds, columnName: column.name, declaredType: column.declaredType) else { return line }
    return line.adding("  \(glyphs.dot) \(date.text)", .muted)
  }

  private func textLines(_ text: String, byteCount: Int, isValid: Bool, columns: Int) -> [StyledLine] {
    var lines: [StyledLine]
    if text.isEmpty {
      lines = [StyledLine("''  empty text", .muted)]
    } else if text.utf8.count == byteCount, let json = JSONLayout(text) {
      lines = json.lines(columns: columns)
    } else {
      lines = WrappedText.lines(text, columns: columns).map { StyledLine($0, .textValue) }
    }
    if !isValid { lines.append(StyledLine("not valid UTF-8: \u{FFFD} replaces bytes that cannot be decoded", .warning)) }
    return lines + cut(shown: text.utf8.count, of: byteCount, columns: columns)
  }

  private func blobLines(_ bytes: [UInt8], byteCount: Int, columns: Int) -> [StyledLine] {
    let heading = StyledLine(BlobKind.describe(bytes, byteCount: byteCount), .blob)
    let lines = HexDump.lines(bytes[...], columns: columns, rows: HexDump.mostRows)
    let more = byteCount - min(byteCount, HexDump.mostRows * HexDump.bytesPerLine(columns: columns))
    guard more > 0 else { return [heading] + lines }
    let rest = "\(glyphs.ellipsis) \(Plural.grouped(more)) more byte\(more == 1 ? "" : "s") \(glyphs.dot) y copies all"
    return [heading] + lines + StyledLine(rest, .muted).wrapped(to: columns)
  }

  /// Returns a line that says that only the beginning is shown.
  private func cut(shown: Int, of byteCount: Int, columns: Int) -> [StyledLine] {
    guard shown < byteCount else { return [] }
    return StyledLine("the first \(BlobKind.size(shown)) of \(BlobKind.size(byteCount)); y copies the whole value", .muted)
      .wrapped(to: columns)
  }
}

/// Bytes as hexadecimal and as ASCII, side by side.
enum HexDump {
  /// More lines would push the fields after it out of sight.
  static let mostRows = 16

  static func bytesPerLine(columns: Int) -> Int { columns >= 76 ? 16 : columns >= 44 ? 8 : 4 }

  /// Returns the first lines of the bytes.
  static func lines(_ bytes: ArraySlice<UInt8>, columns: Int, rows: Int) -> [StyledLine] {
    let perLine = bytesPerLine(columns: columns)
    let bytes = bytes.prefix(rows * perLine)
    return stride(from: bytes.startIndex, to: bytes.endIndex, by: perLine).map { start in
      line(bytes[start..<min(start + perLine, bytes.endIndex)], offset: start - bytes.startIndex, perLine: perLine)
    }
  }

  private static func line(_ bytes: ArraySlice<UInt8>, offset: Int, perLine: Int) -> StyledLine {
    let hex = bytes.map { $0.zeroPadded(to: 2, radix: 16) }.joined(separator: " ")
    let ascii = bytes.map { (0x20...0x7E).contains($0) ? String(UnicodeScalar($0)) : "." }.joined()
    let gap = String(repeating: " ", count: perLine * 3 - 1 - hex.count)
    return StyledLine(offset.zeroPadded(to: 6, radix: 16) + "  ", .muted).adding(hex + gap, .blob).adding("  " + ascii, .muted)
  }
}

/// The date of a number, where its column's name or type suggests a time and the number is plausible.
struct EpochDate: Hashable, Sendable {
  /// `2023-11-14 22:13:20 UTC`.
  let text: String

  private static let style = Date.ISO8601FormatStyle(dateTimeSeparator: .space).year().month().day().time(includingFractionalSeconds: false)

  /// Interprets seconds or milliseconds since 1970, from 1980 to 2100; nil for a column whose name and type do not suggest a time.
  init?(_ number: Double, columnName: String, declaredType: String) {
    guard EpochDate.speaksOfTime(columnName) || EpochDate.speaksOfTime(declaredType), !EpochDate.isWrittenOut(number) else { return nil }
    let plausible = 315_532_800.0...4_102_444_800.0
    let seconds: Double
    if plausible.contains(number) {
      seconds = number
    } else if plausible.contains(number / 1_000) {
      seconds = number / 1_000
    } else {
      return nil
    }
    text = Date(timeIntervalSince1970: seconds.rounded(.down)).formatted(EpochDate.style) + " UTC"
  }

  /// Whether the digits of a number are those of a date, with or without a time: `20240131`, `2024013112`, `20240131120000`.
  private static func isWrittenOut(_ number: Double) -> Bool {
    guard number.rounded() == number, (19_000_101...29_991_231_235_959).contains(number) else { return false }
    let digits: [Int] = String(Int(number)).utf8.map { Int($0) - 0x30 }
    guard [8, 10, 12, 14].contains(digits.count) else { return false }
    let pairs = stride(from: 0, to: digits.count, by: 2).map { (start: Int) -> Int in digits[start] * 10 + digits[start + 1] }
    return zip(pairs, [19...29, 0...99, 1...12, 1...31, 0...23, 0...59, 0...59]).allSatisfy { $1.contains($0) }
  }

  private static func speaksOfTime(_ name: String) -> Bool {
    let name = name.lowercased()
    return ["date", "time", "stamp", "epoch"].contains { name.contains($0) } || name.hasSuffix("_at") || name == "ts"
      || name.hasSuffix("_ts") || ["created", "updated", "modified", "deleted", "expires"].contains(name)
  }
}
