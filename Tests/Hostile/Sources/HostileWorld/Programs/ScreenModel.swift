/// The cells of a terminal: what a person reads on it.
///
/// A terminal of the xterm family, with as many of its sequences as full-screen programs use.
struct ScreenModel {
  struct Cell: Equatable {
    var text: String
    /// The numbers of the style, as in the sequence.
    var style: String
  }

  /// What stands in a cell that the program has not painted since the screen was last spoiled.
  static let spoiled = "\u{E0FF}"

  private(set) var columns: Int
  private(set) var rows: Int
  private(set) var cells: [[Cell]]
  private(set) var cursor = (column: 0, row: 0)
  private var saved = (cursor: (column: 0, row: 0), style: "")
  private var region: ClosedRange<Int>
  private var style = ""
  private var lastText = " "
  /// Whether the cursor stands behind the last column, because a character was written there.
  private var isPastEdge = false

  init(columns: Int, rows: Int) {
    (self.columns, self.rows) = (max(1, columns), max(1, rows))
    region = 0...(self.rows - 1)
    cells = []
    spoil()
  }

  // MARK: Looking

  /// The text of each row, without blanks at its end.
  var lines: [String] {
    cells.map { row in
      var text = row.map(\.text).joined()
      while text.last == " " { text.removeLast() }
      return text
    }
  }

  /// The places that show nothing the program has painted.
  var spoiledPlaces: [String] {
    cells.enumerated().flatMap { row, cells in
      cells.enumerated().filter { $0.element.text == Self.spoiled }.map { "\(row + 1):\($0.offset + 1)" }
    }
  }

  // MARK: Disturbing

  /// Lets another program write all over the screen.
  mutating func spoil() {
    cells = Array(repeating: Array(repeating: Cell(text: Self.spoiled, style: ""), count: columns), count: rows)
  }

  /// Changes the size; what a terminal makes of the cells then is its own affair.
  mutating func resize(columns: Int, rows: Int) {
    // A size of 0 means that it is not known.
    guard columns > 0, rows > 0 else { return spoil() }
    // The system tells no program of a size that it has already.
    if columns == self.columns, rows == self.rows { return }
    (self.columns, self.rows) = (columns, rows)
    region = 0...(rows - 1)
    spoil()
    move(column: cursor.column, row: cursor.row)
  }

  // MARK: Writing

  mutating func write(_ scalar: Unicode.Scalar) {
    let width = Self.width(of: scalar)
    if width == 0 { return extendLast(scalar) }
    if isPastEdge {
      isPastEdge = false
      cursor.column = 0
      feed()
    }
    let text = String(Character(scalar))
    set(text, column: cursor.column)
    if width == 2, cursor.column + 1 < columns { set("", column: cursor.column + 1) }
    lastText = text
    if cursor.column + width >= columns {
      (cursor.column, isPastEdge) = (columns - 1, true)
    } else {
      cursor.column += width
    }
  }

  private mutating func set(_ text: String, column: Int) {
    cells[cursor.row][column] = Cell(text: text, style: style)
  }

  /// Adds a mark to the character before the cursor.
  private mutating func extendLast(_ scalar: Unicode.Scalar) {
    var column = isPastEdge ? cursor.column : cursor.column - 1
    if column > 0, cells[cursor.row][column].text.isEmpty { column -= 1 }
    if column >= 0 { cells[cursor.row][column].text.unicodeScalars.append(scalar) }
  }

  private static func width(of scalar: Unicode.Scalar) -> Int {
    switch scalar.properties.generalCategory {
    case .nonspacingMark, .enclosingMark, .format: return 0
    default: break
    }
    let wide: [ClosedRange<UInt32>] = [
      0x1100...0x115F, 0x2E80...0x303E, 0x3041...0xA4CF, 0xAC00...0xD7A3, 0xF900...0xFAFF, 0xFE30...0xFE6F, 0xFF00...0xFF60,
      0xFFE0...0xFFE6,
      0x1F300...0x1F64F, 0x1F900...0x1F9FF, 0x20000...0x3FFFD,
    ]
    return wide.contains { $0.contains(scalar.value) } ? 2 : 1
  }

  // MARK: Controls

  mutating func control(_ byte: UInt8) {
    isPastEdge = false
    switch byte {
    case 0x08: cursor.column = max(0, cursor.column - 1)
    case 0x09: cursor.column = min(columns - 1, (cursor.column / 8 + 1) * 8)
    case 0x0A: feed()
    case 0x0D: cursor.column = 0
    default: break
    }
  }

  mutating func escape(_ byte: UInt8) {
    switch byte {
    case UInt8(ascii: "7"): saved = (cursor, style)
    case UInt8(ascii: "8"):
      move(column: saved.cursor.column, row: saved.cursor.row)
      style = saved.style
    case UInt8(ascii: "D"): feed()
    case UInt8(ascii: "M"):
      if cursor.row == region.lowerBound { scroll(-1, from: region.lowerBound) } else { cursor.row = max(0, cursor.row - 1) }
    default: break
    }
  }

  /// Applies a control sequence without a mark.
  mutating func apply(_ final: Character, _ text: String) {
    let numbers = text.split(separator: ";", omittingEmptySubsequences: false).map { Int($0) ?? 0 }
    let count = max(1, numbers.first ?? 1)
    if final != "m" { isPastEdge = false }
    switch final {
    case "m": style = text == "0" ? "" : text
    case "r":
      let last = min(rows, numbers.count > 1 && numbers[1] > 0 ? numbers[1] : rows)
      region = min(count - 1, last - 1)...(last - 1)
      move(column: 0, row: 0)
    case "J": erase(numbers.first ?? 0, isScreen: true)
    case "K": erase(numbers.first ?? 0, isScreen: false)
    case "X": blank(row: cursor.row, cursor.column..<min(columns, cursor.column + count))
    case "@", "P": shift(final == "@" ? count : -count)
    case "L", "M": if region.contains(cursor.row) { scroll(final == "M" ? count : -count, from: cursor.row) }
    case "S", "T": scroll(final == "S" ? count : -count, from: region.lowerBound)
    case "b": for _ in 0..<min(count, columns) { lastText.unicodeScalars.first.map { write($0) } }
    default: move(final, count, numbers)
    }
  }

  private mutating func move(_ final: Character, _ count: Int, _ numbers: [Int]) {
    switch final {
    case "H", "f": move(column: (numbers.count > 1 ? max(1, numbers[1]) : 1) - 1, row: count - 1)
    case "A": move(column: cursor.column, row: cursor.row - count)
    case "B": move(column: cursor.column, row: cursor.row + count)
    case "C": move(column: cursor.column + count, row: cursor.row)
    case "D": move(column: cursor.column - count, row: cursor.row)
    case "G": move(column: count - 1, row: cursor.row)
    case "d": move(column: cursor.column, row: count - 1)
    default: break
    }
  }

  private mutating func move(column: Int, row: Int) {
    cursor = (min(columns - 1, max(0, column)), min(rows - 1, max(0, row)))
  }

  private mutating func feed() {
    if cursor.row == region.upperBound { scroll(1, from: region.lowerBound) } else { cursor.row = min(rows - 1, cursor.row + 1) }
  }

  /// Moves the rows from one to the end of the region up, or down if the number is negative.
  private mutating func scroll(_ lines: Int, from first: Int) {
    let height = region.upperBound - first + 1
    for _ in 0..<min(abs(lines), height) {
      cells.remove(at: lines > 0 ? first : region.upperBound)
      cells.insert(Array(repeating: Cell(text: " ", style: style), count: columns), at: lines > 0 ? region.upperBound : first)
    }
  }

  /// Moves the rest of the row right, or left if the number is negative.
  private mutating func shift(_ count: Int) {
    let blanks = Array(repeating: Cell(text: " ", style: style), count: min(abs(count), columns - cursor.column))
    let row = cells[cursor.row]
    let (before, rest) = (row[..<cursor.column], row[cursor.column...])
    cells[cursor.row] = Array(count > 0 ? before + blanks + rest.dropLast(blanks.count) : before + rest.dropFirst(blanks.count) + blanks)
  }

  private mutating func erase(_ part: Int, isScreen: Bool) {
    let columnRange = part == 0 ? cursor.column..<columns : part == 1 ? 0..<(cursor.column + 1) : 0..<columns
    blank(row: cursor.row, columnRange)
    guard isScreen else { return }
    let others = part == 0 ? (cursor.row + 1)..<rows : part == 1 ? 0..<cursor.row : 0..<rows
    for row in others { blank(row: row, 0..<columns) }
  }

  private mutating func blank(row: Int, _ range: Range<Int>) {
    for column in range { cells[row][column] = Cell(text: " ", style: style) }
  }
}
