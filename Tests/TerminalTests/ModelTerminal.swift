import Terminal

/// As much of a terminal as the painter uses: it takes bytes and shows a surface.
///
/// It counts a cluster's columns either as we do or, where `addsUpScalars`, scalar by scalar, as many terminals do.
struct ModelTerminal {
  private(set) var cells: [[Cell]]
  private(set) var cursor = Point(column: 0, row: 0)
  private(set) var isCursorShown = true
  /// What it did not understand; nothing it should be sent.
  private(set) var unknown: [String] = []
  private let size: Size
  private let addsUpScalars: Bool
  private var style = Style.plain
  private var saved = (Point(column: 0, row: 0), Style.plain)
  private var region: ClosedRange<Int>

  init(size: Size, addsUpScalars: Bool = false) {
    self.size = size
    self.addsUpScalars = addsUpScalars
    region = 0...(size.rows - 1)
    cells = Array(repeating: Array(repeating: Cell(text: "?", style: .plain), count: size.columns), count: size.rows)
  }

  mutating func take(_ bytes: [UInt8]) {
    var rest = Array(String(decoding: bytes, as: UTF8.self).unicodeScalars)[...]
    var text = ""
    while let scalar = rest.popFirst() {
      if scalar.value >= 0x20 {
        text.unicodeScalars.append(scalar)
        continue
      }
      print(text)
      text = ""
      switch scalar {
      case "\u{1B}": escape(&rest)
      case "\r": cursor.column = 0
      case "\n": feed()
      case "\u{8}": cursor.column -= 1
      default: unknown.append("\(scalar.value)")
      }
    }
    print(text)
  }

  private mutating func print(_ text: String) {
    for character in text {
      if cursor.column >= size.columns { unknown.append("a cluster past the edge") }
      let width = addsUpScalars ? TextWidth.sumOfScalars(String(character)) : TextWidth.columns(of: character)
      for column in cursor.column..<(cursor.column + width) {
        set(Cell(text: column == cursor.column ? String(character) : column == cursor.column + 1 ? "" : " ", style: style), column: column)
      }
      cursor.column += width
    }
  }

  private mutating func set(_ cell: Cell, column: Int) {
    guard cells.indices.contains(cursor.row), cells[cursor.row].indices.contains(column) else {
      unknown.append("\(cell.text) at \(column), \(cursor.row)")
      return
    }
    if !cell.text.isEmpty, column > 0, cells[cursor.row][column].text.isEmpty { cells[cursor.row][column - 1].text = " " }
    if column + 1 < size.columns, cells[cursor.row][column + 1].text.isEmpty { cells[cursor.row][column + 1].text = " " }
    cells[cursor.row][column] = cell
  }

  private mutating func escape(_ rest: inout ArraySlice<Unicode.Scalar>) {
    let introducer = rest.popFirst()
    if introducer == "M" { return feedBack() }
    if introducer == "7" { return saved = (cursor, style) }
    if introducer == "8" { return (cursor, style) = saved }
    if introducer == "(" { return rest = rest.dropFirst() }
    let parameters = rest.prefix { $0.value < 0x40 }
    rest = rest.dropFirst(parameters.count)
    let text = String(String.UnicodeScalarView(parameters))
    let numbers = text.split(separator: ";", omittingEmptySubsequences: false).map { Int($0) ?? 0 }
    control(rest.popFirst() ?? " ", text: text, numbers: numbers, first: max(1, numbers.first ?? 1))
  }

  private mutating func control(_ final: Unicode.Scalar, text: String, numbers: [Int], first: Int) {
    switch final {
    case "H": cursor = Point(column: max(1, numbers.count > 1 ? numbers[1] : 1) - 1, row: first - 1)
    case "A": for _ in 0..<first where cursor.row != region.lowerBound { cursor.row -= 1 }
    case "C": cursor.column += first
    case "D": cursor.column -= first
    case "G": cursor.column = first - 1
    case "K":
      for column in cursor.column..<size.columns { set(Cell(text: " ", style: Style(background: style.background)), column: column) }
    case "J": cells = Array(repeating: Array(repeating: .blank, count: size.columns), count: size.rows)
    case "r":
      region = numbers.count > 1 ? (first - 1)...(numbers[1] - 1) : 0...(size.rows - 1)
      cursor = Point(column: 0, row: 0)
    case "S": for _ in 0..<first { scroll(from: region.lowerBound, to: region.upperBound) }
    case "T": for _ in 0..<first { scroll(from: region.upperBound, to: region.lowerBound) }
    case "m": render(numbers[...])
    case "h" where text == "?25": isCursorShown = true
    case "l" where text == "?25": isCursorShown = false
    default: unknown.append("CSI \(text)\(final)")
    }
  }

  private mutating func feed() {
    if cursor.row == region.upperBound { scroll(from: region.lowerBound, to: region.upperBound) } else { cursor.row += 1 }
  }

  private mutating func feedBack() {
    if cursor.row == region.lowerBound { scroll(from: region.upperBound, to: region.lowerBound) } else { cursor.row -= 1 }
  }

  private mutating func scroll(from leaving: Int, to coming: Int) {
    cells.remove(at: leaving)
    cells.insert(Array(repeating: Cell(text: " ", style: style), count: size.columns), at: coming)
  }

  private mutating func render(_ numbers: ArraySlice<Int>) {
    var rest = numbers
    while let number = rest.popFirst() {
      switch number {
      case 0: style = .plain
      case 1: style.attributes.insert(.bold)
      case 2: style.attributes.insert(.dim)
      case 3: style.attributes.insert(.italic)
      case 4: style.attributes.insert(.underline)
      case 7: style.attributes.insert(.reverse)
      case 9: style.attributes.insert(.strikethrough)
      case 22: style.attributes.subtract([.bold, .dim])
      case 23: style.attributes.remove(.italic)
      case 24: style.attributes.remove(.underline)
      case 27: style.attributes.remove(.reverse)
      case 29: style.attributes.remove(.strikethrough)
      case 30...37, 90...97: style.foreground = .ansi(UInt8(number < 90 ? number - 30 : number - 82))
      case 40...47, 100...107: style.background = .ansi(UInt8(number < 100 ? number - 40 : number - 92))
      case 38: style.foreground = direct(&rest)
      case 48: style.background = direct(&rest)
      case 39: style.foreground = .standard
      case 49: style.background = .standard
      default: unknown.append("SGR \(number)")
      }
    }
  }

  private mutating func direct(_ rest: inout ArraySlice<Int>) -> Color {
    let parts = Array(rest.prefix(4))
    rest = rest.dropFirst(4)
    guard parts.count == 4, parts[0] == 2 else {
      unknown.append("color \(parts)")
      return .standard
    }
    return .rgb(red: UInt8(parts[1]), green: UInt8(parts[2]), blue: UInt8(parts[3]), ansi: nil)
  }
}
