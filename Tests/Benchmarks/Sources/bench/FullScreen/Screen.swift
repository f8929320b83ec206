/// What a terminal shows after all that was written to it: as much of one as ncurses asks of an xterm.
struct Screen {
  private(set) var cells: [[Unicode.Scalar]]
  private(set) var cursor = (column: 0, row: 0)
  private var saved = (column: 0, row: 0)
  private var region: Range<Int>
  private var last: Unicode.Scalar = " "
  private var state = State.text
  /// The bytes of a character that has not come whole.
  private var character: [UInt8] = []

  private enum State {
    case text
    case escape
    /// Of a sequence that ends with the next byte.
    case ignored
    case control([UInt8])
    /// Of an operating system command, which ends with BEL or ESC and a backslash.
    case command
  }

  init(columns: Int, rows: Int) {
    cells = Array(repeating: Array(repeating: " ", count: columns), count: rows)
    region = 0..<rows
  }

  /// The lines, as they are shown.
  var lines: [String] {
    cells.map { line in
      var text = String.UnicodeScalarView()
      text.append(contentsOf: line)
      return String(text)
    }
  }

  /// Returns how many bytes the characters have that another screen has not in their places.
  func bytesChanged(from other: Screen) -> Int {
    zip(cells.joined(), other.cells.joined()).reduce(0) { $0 + ($1.0 == $1.1 ? 0 : UTF8.width($1.0)) }
  }

  /// Returns how many bytes the text of a row has, to its last character.
  func text(ofRow row: Int) -> Int {
    let end = cells[row].lastIndex { $0 != " " } ?? -1
    return cells[row][...end].reduce(0) { $0 + UTF8.width($1) }
  }

  func contains(_ text: String) -> Bool {
    lines.contains { $0.contains(text) }
  }

  mutating func take(_ bytes: some Sequence<UInt8>) {
    for byte in bytes { take(byte) }
  }

  private mutating func take(_ byte: UInt8) {
    switch state {
    case .text: takeText(byte)
    case .escape: takeEscape(byte)
    case .ignored: state = .text
    case .command: if byte == 0x07 { state = .text } else if byte == 0x1B { state = .ignored }
    case .control(let bytes):
      if (0x40...0x7E).contains(byte) {
        state = .text
        obey(byte, bytes)
      } else {
        state = .control(bytes + [byte])
      }
    }
  }

  private mutating func takeText(_ byte: UInt8) {
    switch byte {
    case 0x1B: state = .escape
    case 0x0D: cursor.column = 0
    case 0x0A: cursor.row + 1 == region.upperBound ? scroll(by: 1) : move(to: (cursor.column, cursor.row + 1))
    case 0x08: move(to: (cursor.column - 1, cursor.row))
    case 0x20...0x7E: put(Unicode.Scalar(byte))
    case 0x80...0xFF: takePart(of: byte)
    default: break
    }
  }

  private mutating func takePart(of byte: UInt8) {
    if byte >= 0xC0 { character = [] }
    character.append(byte)
    let length = character[0] >= 0xF0 ? 4 : character[0] >= 0xE0 ? 3 : 2
    guard character.count == length else { return }
    put(String(decoding: character, as: UTF8.self).unicodeScalars.first ?? "?")
    character = []
  }

  private mutating func takeEscape(_ byte: UInt8) {
    switch byte {
    case UInt8(ascii: "["): state = .control([])
    case UInt8(ascii: "]"): state = .command
    case UInt8(ascii: "("), UInt8(ascii: ")"): state = .ignored
    case UInt8(ascii: "7"), UInt8(ascii: "8"):
      state = .text
      if byte == UInt8(ascii: "7") { saved = cursor } else { cursor = saved }
    case UInt8(ascii: "M"):
      state = .text
      cursor.row == region.lowerBound ? scroll(by: -1) : move(to: (cursor.column, cursor.row - 1))
    default: state = .text
    }
  }

  private mutating func put(_ scalar: Unicode.Scalar) {
    last = scalar
    // After the last column the next character begins a line; ncurses does not write there but to fill the corner.
    if cursor.column == cells[0].count { move(to: (0, cursor.row + 1)) }
    cells[cursor.row][cursor.column] = scalar
    cursor.column += 1
  }

  private mutating func move(to place: (column: Int, row: Int)) {
    cursor = (min(max(0, place.column), cells[0].count - 1), min(max(0, place.row), cells.count - 1))
  }

  private mutating func scroll(by count: Int) {
    let blank = Array(repeating: Unicode.Scalar(" "), count: cells[0].count)
    for _ in 0..<min(abs(count), region.count) {
      cells.remove(at: count > 0 ? region.lowerBound : region.upperBound - 1)
      cells.insert(blank, at: count > 0 ? region.upperBound - 1 : region.lowerBound)
    }
  }

  private mutating func obey(_ final: UInt8, _ bytes: [UInt8]) {
    let numbers = bytes.split(separator: UInt8(ascii: ";"), omittingEmptySubsequences: false)
      .map { Int(String(decoding: $0, as: UTF8.self)) }
    func number(_ index: Int, or missing: Int) -> Int { numbers.indices.contains(index) ? numbers[index] ?? missing : missing }
    let count = max(1, number(0, or: 1))
    switch UnicodeScalar(final) {
    case "H": move(to: (number(1, or: 1) - 1, number(0, or: 1) - 1))
    case "G": move(to: (count - 1, cursor.row))
    case "d": move(to: (cursor.column, count - 1))
    case "A": move(to: (cursor.column, cursor.row - count))
    case "B": move(to: (cursor.column, cursor.row + count))
    case "C": move(to: (cursor.column + count, cursor.row))
    case "D": move(to: (cursor.column - count, cursor.row))
    case "J": erase(number(0, or: 0))
    case "K": clear(row: cursor.row, number(0, or: 0) == 1 ? 0..<cursor.column + 1 : cursor.column..<cells[0].count)
    case "X": clear(row: cursor.row, cursor.column..<min(cells[0].count, cursor.column + count))
    case "b": for _ in 0..<count { put(last) }
    case "S": scroll(by: count)
    case "T": scroll(by: -count)
    case "L", "M": withRegion(cursor.row..<region.upperBound) { $0.scroll(by: final == UInt8(ascii: "M") ? count : -count) }
    case "P", "@": shift(by: final == UInt8(ascii: "P") ? -count : count)
    case "r":
      region = number(0, or: 1) - 1..<number(1, or: cells.count)
      cursor = (0, 0)
    default: break
    }
  }

  private mutating func withRegion(_ rows: Range<Int>, _ body: (inout Screen) -> Void) {
    let whole = region
    region = rows
    body(&self)
    region = whole
  }

  private mutating func erase(_ what: Int) {
    if what == 0 { clear(row: cursor.row, cursor.column..<cells[0].count) }
    for row in what == 0 ? cursor.row + 1..<cells.count : 0..<cells.count { clear(row: row, 0..<cells[0].count) }
  }

  private mutating func clear(row: Int, _ columns: Range<Int>) {
    for column in columns { cells[row][column] = " " }
  }

  private mutating func shift(by count: Int) {
    let rest = cells[cursor.row][cursor.column...]
    let blanks = Array(repeating: Unicode.Scalar(" "), count: min(abs(count), rest.count))
    let line = count > 0 ? blanks + rest.dropLast(blanks.count) : rest.dropFirst(blanks.count) + blanks
    for (offset, scalar) in line.enumerated() { cells[cursor.row][cursor.column + offset] = scalar }
  }
}
