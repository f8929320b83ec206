import QuarryEngine
package import QuarryRows
import Terminal

/// A value as a cell shows it: one line of text, its role, and its alignment.
package struct CellText: Hashable, Sendable {
  package var text: String
  var role: Role
  var isRightAligned = false
  /// The shorter forms of a text that says nothing where it is cut at any letter, as a size without its unit.
  var shorterForms: [String] = []

  /// - Parameter hidesTime: Whether a time of 00:00:00 is left out.
  package init(_ value: CellValue, isKey: Bool = false, hidesTime: Bool = false, glyphs: Glyphs) {
    switch value {
    case .null:
      (text, role) = (glyphs.null, .null)
    case .integer(let number):
      (text, role, isRightAligned) = (String(number), isKey ? .key : .number, true)
    case .real(let number):
      (text, role, isRightAligned) = (number.description, isKey ? .key : .number, true)
    case .text(let beginning, let byteCount, _):
      text = beginning.utf8.count < byteCount ? beginning + glyphs.ellipsis : beginning
      if hidesTime, let date = EmptyTime.date(of: value) { text = date }
      role = isKey ? .key : .textValue
    case .blob(let beginning, let byteCount):
      (text, role) = (BlobKind.describe(beginning, byteCount: byteCount), .blob)
      shorterForms = BlobKind.shorterForms(byteCount: byteCount)
    }
  }
}

extension CellText {
  /// Returns the text cut to a width; where the first match lies beyond the cut, the part around it: `…of salt and lant…`.
  package func cut(to columns: Int, showing needle: Needle?, ellipsis: String) -> String {
    if !shorterForms.isEmpty, TextWidth.columns(of: text) > columns {
      return shorterForms.first { TextWidth.columns(of: $0) <= columns } ?? TextWidth.truncated(ellipsis, to: columns, ellipsis: ellipsis)
    }
    let cut = TextWidth.truncated(text, to: columns, ellipsis: ellipsis)
    guard case .text(let needle)? = needle, cut.utf8.count != text.utf8.count || cut != text else { return cut }
    let letters = Array(text)
    guard let hit = LineSearch.hits(of: needle, in: letters).first else { return cut }
    let widths = letters.map { TextWidth.columns(of: String($0)) }
    let mark = TextWidth.columns(of: ellipsis)
    guard widths[..<hit.upperBound].reduce(0, +) + mark > columns else { return cut }
    let room = columns - 2 * mark - widths[hit].reduce(0, +)
    // As much before the match as after it, and more where less than that comes after it.
    var before = max(room / 2, room + mark - widths[hit.upperBound...].prefix(columns).reduce(0, +))
    var start = hit.lowerBound
    while start > 0, widths[start - 1] <= before {
      start -= 1
      before -= widths[start]
    }
    return TextWidth.truncated(ellipsis + String(letters[start...]), to: columns, ellipsis: ellipsis)
  }
}

/// A time of 00:00:00 after a date, which says nothing where a column has no other.
package enum EmptyTime {
  private static let shape = Array("0000-00-00 00:00:00".utf8)

  /// Returns the date of a text that ends in such a time; nil for any other value.
  package static func date(of value: CellValue) -> String? {
    guard case .text(let text, let byteCount, _) = value, (19...30).contains(byteCount), text.utf8.count == byteCount else { return nil }
    let bytes = Array(text.utf8)
    let isDate = zip(bytes.prefix(10), shape).allSatisfy { byte, model in model == 0x30 ? (0x30...0x39).contains(byte) : byte == model }
    let isEmpty = [0x20, 0x54].contains(bytes[10]) && bytes[11..<19].elementsEqual(shape[11...])
    let isWhole = bytes.count == 19 || bytes[19] == UInt8(ascii: ".") && bytes.count > 20 && bytes[20...].allSatisfy { $0 == 0x30 }
    return isDate && isEmpty && isWhole ? String(text.prefix(10)) : nil
  }

  /// Returns the columns that hold dates with such times, and NULL, alone.
  static func columns(of rows: some Collection<WindowRow>, count: Int) -> Set<Int> {
    Set(
      (0..<count).filter { column in
        var isThere = false
        return rows.allSatisfy { row in
          guard let cell = row[column], cell != .null else { return true }
          isThere = true
          return date(of: cell) != nil
        } && isThere
      })
  }
}

/// A date with or without a time, as texts hold them: `2024-02-29`, `2024-02-29T12:30:00.123+01:00`.
package enum DateText {
  private static let longest = 35
  private static let separators = Set("-:. TZ+".utf8)

  /// Returns whether a value is one.
  package static func isDate(_ value: CellValue) -> Bool {
    guard case .text(let text, let byteCount, _) = value, (10...longest).contains(byteCount) else { return false }
    let bytes = Array(text.utf8)
    let hyphens = [4, 7]
    return bytes.count == byteCount && hyphens.allSatisfy { bytes[$0] == UInt8(ascii: "-") }
      && (0..<10).allSatisfy { hyphens.contains($0) || bytes[$0].isASCIIDigit }
      && bytes[10...].allSatisfy { $0.isASCIIDigit || separators.contains($0) }
  }

  /// Returns whether a column holds dates, and NULL, alone.
  static func isColumn(_ column: Int, of rows: [WindowRow]) -> Bool {
    let cells = rows.lazy.compactMap { $0[column] }
    return cells.contains(where: isDate) && cells.allSatisfy { $0 == .null || isDate($0) }
  }
}

extension GridPane {
  /// The columns whose times are hidden in the rows in sight.
  var columnsOfHiddenTimes: Set<Int> {
    hidesEmptyTimes ? EmptyTime.columns(of: window.rows.dropFirst(top).prefix(extent.rows), count: columns.count) : []
  }

  /// Hides times of 00:00:00, or shows them again; the columns take the room that they need then.
  mutating func toggleEmptyTimes(glyphs: Glyphs) {
    hidesEmptyTimes.toggle()
    layout.replaceNeeds(needs(glyphs: glyphs))
  }
}

/// The kind of a blob, recognised by its first bytes.
enum BlobKind {
  private static let signatures: [(bytes: [UInt8], name: String)] = [
    ([0x89, 0x50, 0x4E, 0x47], "PNG"), ([0xFF, 0xD8, 0xFF], "JPEG"), ([0x47, 0x49, 0x46, 0x38], "GIF"),
    ([0x25, 0x50, 0x44, 0x46], "PDF"), ([0x1F, 0x8B], "gzip"), ([0x50, 0x4B, 0x03, 0x04], "zip"),
    ([0x28, 0xB5, 0x2F, 0xFD], "zstd"), ([0x53, 0x51, 0x4C, 0x69, 0x74, 0x65, 0x20, 0x66], "SQLite"),
    ([0x15, 0x1C], "OLE"), ([0xD0, 0xCF, 0x11, 0xE0], "OLE"), ([0x42, 0x4D], "BMP"), ([0x62, 0x70, 0x6C, 0x69, 0x73, 0x74], "plist"),
    ([0x7F, 0x45, 0x4C, 0x46], "ELF"), ([0x4F, 0x67, 0x67, 0x53], "Ogg"), ([0x49, 0x44, 0x33], "MP3"),
  ]

  /// Returns the name of a well-known format; nil for any other.
  static func name(_ beginning: [UInt8]) -> String? {
    signatures.first { beginning.starts(with: $0.bytes) }?.name
  }

  /// Returns size and kind: `blob 10.4 kB PNG`.
  static func describe(_ beginning: [UInt8], byteCount: Int) -> String {
    ["blob", size(byteCount), name(beginning)].compactMap(\.self).joined(separator: " ")
  }

  /// Returns what is shown of size and kind where there is little room: `blob 10.4 kB`, `10.4 kB`, `blob`.
  static func shorterForms(byteCount: Int) -> [String] { ["blob \(size(byteCount))", size(byteCount), "blob"] }

  /// Returns a size for people: `3 B`, `10.4 kB`, `100 MB`, in powers of 1,000.
  static func size(_ byteCount: Int) -> String { ByteSize.text(byteCount) }
}
