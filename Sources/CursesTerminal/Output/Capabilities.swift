import CNcurses
package import Terminal

/// The capabilities of the terminal from terminfo.
///
/// They are read once, so that painting calls ncurses only to fill in parameters.
package struct Capabilities {
  package let name: String
  package let colors: Int
  /// Whether the terminal supports 24-bit colors.
  package let hasDirectColor: Bool
  /// Whether erased cells get the current background.
  package let erasesWithBackground: Bool
  package let clear: [UInt8]
  package let eraseToEnd: [UInt8]
  package let cursorVisible: [UInt8]
  package let cursorInvisible: [UInt8]
  package let reset: [UInt8]
  package let originalColors: [UInt8]
  package let keypadOff: [UInt8]
  package let enterScreen: [UInt8]
  package let leaveScreen: [UInt8]
  /// The sequences that save the position and the style of the next character, and restore them; nil if the terminal has none.
  package let savedCursor: (save: [UInt8], restore: [UInt8])?
  /// Whether a cluster in the last cell of the screen makes it scroll.
  package let scrollsAtCorner: Bool
  /// Whether a line feed moves straight down.
  package let hasLineFeed: Bool
  /// Whether the terminal reports the mouse, which identifies terminals of the xterm family.
  package let hasMouse: Bool
  package let attributes: [Attributes.RawValue: [UInt8]]
  private let cursorAddress: String
  private let cursorColumn: String?
  private let cursorForward: String?
  private let cursorBack: String?
  private let cursorUp: String?
  private let scrollRegion: String?
  private let scrollUp: String?
  private let scrollDown: String?
  private let scrollUpOnce: String?
  private let scrollDownOnce: String?
  private let foreground: String?
  private let background: String?

  /// Reads the capabilities of ncurses' current terminal.
  ///
  /// Returns nil if it cannot move its cursor.
  package init?(name: String) {
    guard let address = Self.string("cup"), Self.string("clear") != nil else { return nil }
    self.name = name
    cursorAddress = address
    colors = max(0, Int(tigetnum("colors")))
    hasDirectColor = tigetflag("RGB") > 0 || tigetnum("RGB") > 0 || quarry_string("RGB") != nil || tigetflag("Tc") > 0
    erasesWithBackground = tigetflag("bce") > 0
    clear = Self.bytes("clear")
    eraseToEnd = Self.bytes("el")
    // Use only the cursor visibility mode if terminfo has it. The rest of its strings would change the cursor's shape and blinking.
    let hasCursorMode = Self.string("civis")?.contains("\u{1B}[?25l") ?? false
    cursorVisible = hasCursorMode ? Array("\u{1B}[?25h".utf8) : Self.bytes("cnorm")
    cursorInvisible = hasCursorMode ? Array("\u{1B}[?25l".utf8) : Self.bytes("civis")
    reset = Self.bytes("sgr0")
    originalColors = Self.bytes("op")
    keypadOff = Self.bytes("rmkx")
    enterScreen = Self.bytes("smcup")
    leaveScreen = Self.bytes("rmcup")
    savedCursor = Self.savedCursor(leaveScreen: leaveScreen)
    scrollsAtCorner = tigetflag("am") > 0 && tigetflag("xenl") <= 0
    hasLineFeed = Self.bytes("cud1") == [0x0A]
    hasMouse = quarry_string("kmous") != nil
    attributes = Self.attributeNames.mapValues(Self.bytes)
    cursorColumn = Self.string("hpa")
    cursorForward = Self.string("cuf")
    cursorBack = Self.string("cub")
    cursorUp = Self.string("cuu")
    scrollRegion = Self.string("csr")
    scrollUp = Self.string("indn")
    scrollDown = Self.string("rin")
    scrollUpOnce = Self.string("ind")
    scrollDownOnce = Self.string("ri")
    foreground = Self.string("setaf")
    background = Self.string("setab")
  }

  package func moveCursor(toColumn column: Int, row: Int) -> [UInt8] { Self.filled(cursorAddress, row, column) }

  package func moveCursor(toColumn column: Int) -> [UInt8]? { cursorColumn.map { Self.filled($0, column) } }

  package func moveForward(_ columns: Int) -> [UInt8]? { cursorForward.map { Self.filled($0, columns) } }

  package func moveBack(_ columns: Int) -> [UInt8]? { cursorBack.map { Self.filled($0, columns) } }

  /// Returns the bytes that move the cursor up, at most to the first row of the region.
  package func moveUp(_ rows: Int) -> [UInt8]? {
    // A reverse line feed would scroll only in the first row of the region.
    rows == 1 ? scrollDownOnce.map { Array($0.utf8) } : cursorUp.map { Self.filled($0, rows) }
  }

  package func foreground(_ index: Int) -> [UInt8] { foreground.map { Self.filled($0, index) } ?? [] }

  package func background(_ index: Int) -> [UInt8] { background.map { Self.filled($0, index) } ?? [] }

  /// Returns the bytes that make the whole screen scroll again, or none if the terminal has no regions.
  package func wholeRegion(rows: Int) -> [UInt8] {
    let region = scrollRegion.map { Self.filled($0, 0, rows - 1) } ?? []
    // The ECMA-48 form needs no numbers for the whole screen.
    return region.starts(with: [0x1B, 0x5B]) && region.last == UInt8(ascii: "r") ? Array("\u{1B}[r".utf8) : region
  }

  /// Returns the bytes that limit scrolling to some rows, or nil if the terminal does not support it.
  package func region(_ rows: Range<Int>) -> [UInt8]? { scrollRegion.map { Self.filled($0, rows.lowerBound, rows.upperBound - 1) } }

  /// Returns the bytes that move the rows of the region without repainting, or nil if the terminal does not support it.
  ///
  /// A positive number of lines moves them up.
  package func scroll(_ lines: Int) -> [UInt8]? {
    if let many = lines > 0 ? scrollUp : scrollDown { return Self.filled(many, abs(lines)) }
    return (lines > 0 ? scrollUpOnce : scrollDownOnce).map { Array(repeatElement(Array($0.utf8), count: abs(lines)).joined()) }
  }

  package func canScroll(_ scroll: Scroll) -> Bool { scrollRegion != nil && self.scroll(scroll.lines) != nil }

  /// Returns whether rows move only while the cursor is at the edge of the region, like with a line feed.
  package func scrollsAtEdge(_ lines: Int) -> Bool { (lines > 0 ? scrollUp : scrollDown) == nil }

  private static let attributeNames: [Attributes.RawValue: String] = [
    Attributes.bold.rawValue: "bold", Attributes.dim.rawValue: "dim", Attributes.italic.rawValue: "sitm",
    Attributes.underline.rawValue: "smul", Attributes.reverse.rawValue: "rev", Attributes.strikethrough.rawValue: "smxx",
  ]

  /// Returns a capability without its padding, because no terminal emulator needs delays.
  private static func string(_ name: String) -> String? {
    guard let pointer = quarry_string(name) else { return nil }
    var text = String(cString: pointer)
    while let start = text.firstRange(of: "$<"), let end = text[start.upperBound...].firstIndex(of: ">") {
      text.removeSubrange(start.lowerBound...end)
    }
    return text
  }

  static func bytes(_ name: String) -> [UInt8] { string(name).map { Array($0.utf8) } ?? [] }

  private static func savedCursor(leaveScreen: [UInt8]) -> (save: [UInt8], restore: [UInt8])? {
    let (save, restore) = (Array("\u{1B}7".utf8), Array("\u{1B}8".utf8))
    // Other sequences save the position alone. Some terminals restore with these what was saved when the program took the screen.
    guard bytes("sc") == save, bytes("rc") == restore, leaveScreen.firstRange(of: restore) == nil else { return nil }
    return (save, restore)
  }

  private static func filled(_ capability: String, _ first: Int, _ second: Int = 0) -> [UInt8] {
    guard let pointer = quarry_tparm(capability, first, second) else { return [] }
    let bytes = Array(String(cString: pointer).utf8)
    return bytes.starts(with: [0x1B, 0x5B]) ? withoutDefaults(bytes) : bytes
  }

  /// Removes the number of a control sequence that has just one, if it is 1, which terminals assume.
  private static func withoutDefaults(_ sequence: [UInt8]) -> [UInt8] {
    sequence.count == 4 && sequence[2] == UInt8(ascii: "1") && assumesOne.contains(sequence[3]) ? [0x1B, 0x5B, sequence[3]] : sequence
  }

  /// The last bytes of ECMA-48's sequences that move the cursor or the rows.
  private static let assumesOne = Set("ABCDGST".utf8)
}

extension Capabilities {
  /// Reads the sequences of the current terminal's keys.
  package static func readKeys() -> KeySequences {
    var keys: [[UInt8]: Key] = [:]
    for (name, key) in plainKeys + modifiedKeys + functionKeys {
      let sequence = bytes(name)
      // The first name in the list determines the key of a sequence.
      if !sequence.isEmpty, keys[sequence] == nil { keys[sequence] = key }
    }
    return KeySequences(keys)
  }

  private static let plainKeys: [(String, Key)] = [
    ("kcuu1", Key(.up)), ("kcud1", Key(.down)), ("kcub1", Key(.left)), ("kcuf1", Key(.right)), ("khome", Key(.home)), ("kend", Key(.end)),
    ("kpp", Key(.pageUp)), ("knp", Key(.pageDown)), ("kich1", Key(.insert)), ("kdch1", Key(.delete)), ("kbs", Key(.backspace)),
    ("kcbt", Key(.tab, .shift)), ("kent", Key(.enter)), ("kri", Key(.up, .shift)), ("kind", Key(.down, .shift)),
  ]

  /// The keys with modifiers, by the names of ncurses' extended capabilities: `kDN5` is Control-Down.
  private static let modifiedKeys: [(String, Key)] = {
    let codes: [(String, Key.Code)] = [
      ("kUP", .up), ("kDN", .down), ("kLFT", .left), ("kRIT", .right), ("kHOM", .home), ("kEND", .end), ("kPRV", .pageUp),
      ("kNXT", .pageDown),
      ("kIC", .insert), ("kDC", .delete),
    ]
    return codes.flatMap { name, code in
      [(name, Key(code, .shift))] + (3...8).map { (name + String($0), Key(code, FunctionKeys.modifiers($0))) }
    }
  }()

  /// F1 to F12.
  ///
  /// Higher numbers are a terminal's names for F1 to F12 with modifiers, which are better recognized in xterm's notation.
  private static let functionKeys: [(String, Key)] = (1...12).map { ("kf\($0)", Key(.function($0))) }
}
