import QuarryEngine
import QuarryFiles
package import QuarryRows
import Terminal

/// A value as a cell shows it: one line of text, its role, and its alignment.
package struct CellText: Hashable, Sendable {
  package var text: String
  var role: Role
  var isRightAligned = false
  /// The shorter forms of a text that would be meaningless if cut at any letter, such as a size without its unit.
  var shorterForms: [String] = []

  /// Creates the text of a value.
  ///
  /// - Parameter hidesTime: Whether a time of 00:00:00 is omitted.
  package init(_ value: CellValue, isKey: Bool = false, hidesTime: Bool = false, glyphs: Glyphs) {
    switch value {
    case .null:
      (text, role) = (glyphs.null, .null)
    case .integer(let number):
      (text, role, isRightAligned) = (String(number), isKey ? .key : .number, true)
    case .real(let number):
      (text, role, isRightAligned) = (RealText.shortest(number), isKey ? .key : .number, true)
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

/// The kind of a blob, recognized by its first bytes.
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

  /// Returns the texts that show size and kind in little room, the longest first: `blob 10.4 kB`, `10.4 kB`, `blob`.
  static func shorterForms(byteCount: Int) -> [String] { ["blob \(size(byteCount))", size(byteCount), "blob"] }

  /// Returns a size for people: `3 B`, `10.4 kB`, `100 MB`, in powers of 1,000.
  static func size(_ byteCount: Int) -> String { ByteSize.text(byteCount) }
}
