import QuarryChanges
import QuarryEngine
package import QuarryRows

/// A time of 00:00:00 after a date, which says nothing where a column has no other.
package enum EmptyTime {
  private static let shape = Array("0000-00-00 00:00".utf8)
  private static let seconds = Array(":00".utf8)

  /// Returns the date of a text that ends in such a time; nil for any other value.
  package static func date(of value: CellValue) -> String? {
    guard case .text(let text, let byteCount, _) = value, (16...30).contains(byteCount), text.utf8.count == byteCount else { return nil }
    let bytes = Array(text.utf8)
    let isDate = zip(bytes.prefix(10), shape).allSatisfy { byte, model in model == 0x30 ? (0x30...0x39).contains(byte) : byte == model }
    let isMidnight = [0x20, 0x54].contains(bytes[10]) && bytes[11..<16].elementsEqual(shape[11...]) && isEmpty(seconds: bytes[16...])
    return isDate && isMidnight ? String(text.prefix(10)) : nil
  }

  /// Returns whether the seconds of a time are omitted, `:00`, or `:00.000`.
  private static func isEmpty(seconds bytes: ArraySlice<UInt8>) -> Bool {
    guard !bytes.isEmpty else { return true }
    let fraction = bytes.dropFirst(3)
    return bytes.prefix(3).elementsEqual(seconds)
      && (fraction.isEmpty || fraction.first == UInt8(ascii: ".") && fraction.count > 1 && fraction.dropFirst().allSatisfy { $0 == 0x30 })
  }
}

/// The columns of a grid whose visible values so far have no times other than 00:00:00.
///
/// After another time has been visible in a column, the column always shows its times, so that it does not change when that row is gone.
package struct EmptyTimes: Hashable, Sendable {
  /// Whether the times of such columns are hidden.
  var areHidden = true
  /// The columns in which only dates with such times, and NULL, have been visible.
  private var candidates: Set<Int>
  /// The columns in which such a date has been visible.
  private var dated: Set<Int> = []

  /// - Parameters:
  ///   - count: The number of columns.
  ///   - rows: The values of each row by the index of the column.
  package init(count: Int, rows: [(Int) -> CellValue?]) {
    candidates = Set(0..<count)
    note(rows)
  }

  /// The columns whose times are hidden.
  package var hidden: Set<Int> { areHidden ? candidates.intersection(dated) : [] }

  /// Records the values of newly visible rows.
  package mutating func note(_ rows: [(Int) -> CellValue?]) {
    for column in candidates {
      for row in rows {
        guard let cell = row(column), cell != .null else { continue }
        guard EmptyTime.date(of: cell) != nil else {
          candidates.remove(column)
          break
        }
        dated.insert(column)
      }
    }
  }

  /// Takes over the state of the first `count` columns, which was recorded for the same rows.
  package mutating func inherit(_ count: Int, from before: EmptyTimes) {
    areHidden = before.areHidden
    candidates.subtract((0..<count).filter { !before.candidates.contains($0) })
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
  /// Records the visible times.
  mutating func noteTimes(staged: StagedChanges) {
    emptyTimes.note(cellsInSight(staged))
  }

  /// Computes the widths of the columns again, for other glyphs or other texts of the cells.
  mutating func fitNeeds(glyphs: Glyphs) {
    layout.replaceNeeds(needs(glyphs: glyphs))
  }

  /// Hides times of 00:00:00, or shows them again; the columns take the room that they need then.
  mutating func toggleEmptyTimes(glyphs: Glyphs) {
    emptyTimes.areHidden.toggle()
    fitNeeds(glyphs: glyphs)
  }
}
