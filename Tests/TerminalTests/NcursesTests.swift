import CursesTerminal
import Foundation
import Terminal
import TestSupport
import Testing

/// ncurses keeps one terminal and one buffer for all: what asks it runs by itself.
@Suite(.gated, .serialized) struct NcursesTests {
  private static let styles: [Style] = [
    .plain, Style(attributes: .bold), Style(foreground: .ansi(1)), Style(foreground: .ansi(12), background: .ansi(9)),
    Style(foreground: .rgb(red: 200, green: 10, blue: 255, ansi: nil), background: .rgb(red: 1, green: 2, blue: 3, ansi: nil)),
    Style(background: .rgb(red: 1, green: 2, blue: 3, ansi: nil), attributes: [.underline, .italic]), Style(attributes: [.reverse, .dim]),
    Style(foreground: .ansi(3), background: .rgb(red: 1, green: 2, blue: 3, ansi: nil), attributes: [.bold, .strikethrough]),
    Style(foreground: .rgb(red: 1, green: 2, blue: 3, ansi: nil), background: .rgb(red: 200, green: 10, blue: 255, ansi: nil)),
  ]
  private static let plainWords = ["a", "some text", "  ", "12,345", "漢字", "é", "│", "Ω한글", "          "]
  private static let disputedWords = ["e\u{301}", "👨‍👩‍👧‍👦", "❤️", "🇩🇪", "👍🏽x", "☕", "☀\u{FE0F}", "का", "1\u{FE0F}\u{20E3}"]

  private func encoder(_ name: String) throws -> FrameEncoder {
    FrameEncoder(capabilities: try TerminalEntry(name: name).capabilities, depth: .direct)
  }

  /// Draws some words at random places; `random` decides all.
  private func scribble(on surface: inout Surface, words: [String], count: Int, random: inout SeededRandom) {
    for _ in 0..<count {
      let point = Point(
        column: Int.random(in: -2..<surface.size.columns, using: &random), row: Int.random(in: 0..<surface.size.rows, using: &random))
      let style = Self.styles.randomElement(using: &random) ?? .plain
      switch Int.random(in: 0..<10, using: &random) {
      case 0: surface.fill(Rect(column: point.column, row: point.row, columns: 9, rows: 2), style: style)
      case 1: surface.overlay(Rect(column: point.column, row: point.row, columns: 7, rows: 1), style: style)
      default: surface.write(words.randomElement(using: &random) ?? "", at: point, style: style)
      }
    }
    surface.cursor = Bool.random(using: &random) ? Point(column: 3, row: 1) : nil
  }

  private func shifted(_ surface: Surface, random: inout SeededRandom) -> Surface {
    let first = Int.random(in: 0..<3, using: &random)
    let lines = [1, -1, 2, -3].randomElement(using: &random) ?? 1
    return surface.scrolled(by: Scroll(region: first..<surface.size.rows - 1, lines: lines))
  }

  private func expect(_ model: ModelTerminal, shows surface: Surface, _ comment: Comment) {
    #expect(model.unknown.isEmpty, comment)
    let wrong = places(of: surface).first { place in
      !model.cells[place.row][place.column].unreversed.looks(like: surface[place.column, place.row].unreversed)
    }
    #expect(wrong == nil, comment)
    #expect(model.isCursorShown == (surface.cursor != nil), comment)
    if let cursor = surface.cursor { #expect(model.cursor == cursor, comment) }
  }

  private func places(of surface: Surface) -> [Point] {
    (0..<surface.size.rows).flatMap { row in (0..<surface.size.columns).map { Point(column: $0, row: row) } }
  }

  @Test(arguments: ["xterm-256color", "tmux-256color", "screen-256color", "linux"])
  func theTerminalShowsWhatIsPainted(_ name: String) throws {
    for seed in UInt64(1)...40 {
      var random = SeededRandom(seed: seed)
      var encoder = try encoder(name)
      var model = ModelTerminal(size: Size(columns: 33, rows: 9))
      var shown: Surface?
      var next = Surface(size: Size(columns: 33, rows: 9))
      for frame in 0..<12 {
        if frame % 4 == 3 { next = shifted(next, random: &random) }
        scribble(on: &next, words: Self.plainWords, count: frame % 3 == 0 ? 40 : 2, random: &random)
        model.take(encoder.encode(from: shown, to: next))
        expect(model, shows: next, "\(name) seed \(seed) frame \(frame)")
        shown = next
      }
    }
  }

  @Test func aTerminalThatAddsUpScalarsKeepsTheCellsBesideThem() throws {
    // With the last three seeds, a cluster overwrites part of another one that has not changed.
    for seed in Array(UInt64(1)...40) + [131, 149, 182] {
      var random = SeededRandom(seed: seed)
      var encoder = try encoder("tmux-256color")
      var model = ModelTerminal(size: Size(columns: 33, rows: 9), addsUpScalars: true)
      var shown: Surface?
      var next = Surface(size: Size(columns: 33, rows: 9))
      for frame in 0..<8 {
        scribble(on: &next, words: Self.plainWords + Self.disputedWords, count: frame % 3 == 0 ? 40 : 2, random: &random)
        model.take(encoder.encode(from: shown, to: next))
        #expect(model.unknown.isEmpty)
        let letters = places(of: next).filter { next[$0.column, $0.row].text.utf8.count == 1 && next[$0.column, $0.row].text != " " }
        let wrong = letters.first { model.cells[$0.row][$0.column].text != next[$0.column, $0.row].text }
        #expect(wrong == nil, "seed \(seed) frame \(frame)")
        shown = next
      }
    }
  }

  @Test func whatIsShownIsNotWrittenAgain() throws {
    var encoder = try encoder("xterm-256color")
    var surface = Surface(size: Size(columns: 80, rows: 24))
    surface.write("hello", at: Point(column: 2, row: 2), style: .plain)
    #expect(!encoder.encode(from: nil, to: surface).isEmpty)
    #expect(encoder.encode(from: surface, to: surface).isEmpty)
    var next = surface
    next.write("j", at: Point(column: 2, row: 2), style: .plain)
    #expect(String(decoding: encoder.encode(from: surface, to: next), as: UTF8.self) == "\u{1B}[5Dj")
  }

  private var numberedRows: Surface {
    var surface = Surface(size: Size(columns: 80, rows: 24))
    for row in 0..<23 { surface.write("row number \(row * row) with some text in it", at: Point(column: 0, row: row), style: .plain) }
    return surface
  }

  @Test func rowsThatMoveAreMovedByTheTerminal() throws {
    var encoder = try encoder("xterm-256color")
    let old = numberedRows
    var new = old.scrolled(by: Scroll(region: 1..<23, lines: 1))
    new.write("the new one", at: Point(column: 0, row: 22), style: .plain)
    _ = encoder.encode(from: nil, to: old)
    #expect(String(decoding: encoder.encode(from: old, to: new), as: UTF8.self) == "\u{1B}[2;23r\u{1B}[S\u{1B}[23;1Hthe new one")
  }

  @Test func theRegionIsSetOnceAndResetWithTheScreen() throws {
    var encoder = try encoder("xterm-256color")
    let old = numberedRows
    let next = old.scrolled(by: Scroll(region: 1..<23, lines: 1))
    #expect(String(decoding: encoder.encode(from: nil, to: old), as: UTF8.self).contains("\u{1B}[r\u{1B}[H\u{1B}[2J"))
    #expect(String(decoding: encoder.encode(from: old, to: next), as: UTF8.self) == "\u{1B}[2;23r\u{1B}[S")
    let last = next.scrolled(by: Scroll(region: 1..<23, lines: 1))
    #expect(String(decoding: encoder.encode(from: next, to: last), as: UTF8.self) == "\u{1B}[S")
    #expect(String(decoding: encoder.encode(from: nil, to: last), as: UTF8.self).contains("\u{1B}[r\u{1B}[H\u{1B}[2J"))
  }

  @Test func whereALineBeginsIsSavedForTheNextOne() throws {
    var encoder = try encoder("xterm-256color")
    let (text, bar) = (Style(foreground: .ansi(3)), Style(foreground: .ansi(1), background: .ansi(4)))
    let surfaces = (0..<4).map { first in
      var surface = Surface(size: Size(columns: 40, rows: 12))
      for row in 0..<11 { surface.write("row \(first + row)", at: Point(column: 5, row: row), style: text) }
      surface.write("at \(first)", at: Point(column: 0, row: 11), style: bar)
      return surface
    }
    _ = encoder.encode(from: nil, to: surfaces[0])
    let steps = zip(surfaces, surfaces.dropFirst()).map { String(decoding: encoder.encode(from: $0, to: $1), as: UTF8.self) }
    #expect(steps.map { $0.contains("\u{1B}7") } == [true, false, false], "\(steps)")
    #expect(steps[2] == "\u{8}3\u{1B}8\u{1B}[Srow 13", "\(steps)")
    // A screen of which nothing is known has nothing saved either.
    _ = encoder.encode(from: nil, to: surfaces[0])
    #expect(!String(decoding: encoder.encode(from: surfaces[0], to: surfaces[1]), as: UTF8.self).contains("\u{1B}8"))
  }

  @Test func whatTheShellHasSavedIsNotReplaced() throws {
    // The terminal restores the shell's cursor by ESC 8 when the program gives the screen back.
    var encoder = try encoder("rxvt")
    let surfaces = (0..<3).map { first in
      var surface = Surface(size: Size(columns: 40, rows: 12))
      for row in 0..<11 { surface.write("row \(first + row)", at: Point(column: 5, row: row), style: Style(foreground: .ansi(3))) }
      surface.write("at \(first)", at: Point(column: 0, row: 11), style: Style(foreground: .ansi(1)))
      return surface
    }
    for (old, new) in zip([nil] + surfaces, surfaces) {
      #expect(!String(decoding: encoder.encode(from: old, to: new), as: UTF8.self).contains("\u{1B}7"))
    }
  }

  @Test func exchangedColorsAreReversed() throws {
    let colors = [Color.rgb(red: 1, green: 2, blue: 3, ansi: nil), .rgb(red: 200, green: 10, blue: 255, ansi: nil)]
    let (old, exchanged) = (Style(foreground: colors[0], background: colors[1]), Style(foreground: colors[1], background: colors[0]))
    let size = Size(columns: 9, rows: 2)
    for (depth, isReversed) in [(ColorDepth.direct, true), (.indexed, true), (.eight, false)] {
      var encoder = FrameEncoder(capabilities: try TerminalEntry(name: "xterm-256color").capabilities, depth: depth)
      var surface = Surface(size: size)
      surface.write("ab", at: Point(column: 0, row: 0), style: old)
      _ = encoder.encode(from: nil, to: surface)
      var next = surface
      next.write("c", at: Point(column: 2, row: 0), style: exchanged)
      let text = String(decoding: encoder.encode(from: surface, to: next), as: UTF8.self)
      #expect((text == "\u{1B}[7mc") == isReversed, "\(depth): \(text)")
      // Blanks that the terminal erases need the colors themselves.
      surface = next
      next.fill(Rect(column: 3, row: 0, columns: 6, rows: 1), style: exchanged)
      #expect(String(decoding: encoder.encode(from: surface, to: next), as: UTF8.self).hasSuffix("m\u{1B}[K") == (depth != .eight))
    }
  }

  @Test func spacesAreErasedWithTheOnesAfterThem() throws {
    var encoder = try encoder("xterm-256color")
    var old = Surface(size: Size(columns: 40, rows: 2))
    old.write("a few words", at: Point(column: 0, row: 0), style: .plain)
    _ = encoder.encode(from: nil, to: old)
    var new = old
    new.fill(Rect(column: 5, row: 0, columns: 20, rows: 1), style: .plain)
    #expect(String(decoding: encoder.encode(from: old, to: new), as: UTF8.self) == "\u{1B}[5D\u{1B}[K")
  }

  @Test func aRowThatComesInHasItsBlanksWhereTheTerminalFillsThem() throws {
    let ground = Style(background: .ansi(4))
    var old = Surface(size: Size(columns: 80, rows: 24))
    old.fill(old.bounds, style: ground)
    for row in 0..<23 { old.write("row number \(row * row) with some text in it", at: Point(column: 0, row: row), style: ground) }
    var new = old.scrolled(by: Scroll(region: 1..<23, lines: 1), filling: ground)
    new.write("the new one", at: Point(column: 40, row: 22), style: ground)
    for (name, isFilled) in [("xterm-256color", true), ("tmux-256color", false)] {
      var encoder = try encoder(name)
      _ = encoder.encode(from: nil, to: old)
      let text = String(decoding: encoder.encode(from: old, to: new), as: UTF8.self)
      #expect((text == "\u{1B}[2;23r\u{1B}[S\u{1B}[23;41Hthe new one") == isFilled, "\(name): \(text)")
    }
  }

  @Test func theRowAtTheEdgeIsMovedTooWhereItDiffersInFewCells() throws {
    var encoder = try encoder("xterm-256color")
    var old = Surface(size: Size(columns: 80, rows: 24))
    for row in 0..<23 { old.write("  row number \(row * row) with some text in it", at: Point(column: 0, row: row), style: .plain) }
    old.write(">", at: Point(column: 0, row: 22), style: .plain)
    var new = old.scrolled(by: Scroll(region: 1..<23, lines: 1))
    new.write(" ", at: Point(column: 0, row: 21), style: .plain)
    new.write("> the new one", at: Point(column: 0, row: 22), style: .plain)
    _ = encoder.encode(from: nil, to: old)
    let text = String(decoding: encoder.encode(from: old, to: new), as: UTF8.self)
    #expect(text == "\u{1B}[2;23r\u{1B}[S\u{1B}[22;1H \n\u{8}> the new one")
  }

  @Test func aTerminalWithoutColorsGetsNone() throws {
    var encoder = FrameEncoder(capabilities: try TerminalEntry(name: "vt100").capabilities, depth: .none)
    var surface = Surface(size: Size(columns: 20, rows: 2))
    surface.write("x", at: Point(column: 0, row: 0), style: Style(foreground: .ansi(1), attributes: .bold))
    let text = String(decoding: encoder.encode(from: nil, to: surface), as: UTF8.self)
    #expect(text.contains("\u{1B}[1m") && !text.contains("[3"))
  }

  @Test func aTerminalThatCannotBeUsedIsRefusedWithASentence() {
    #expect(throws: TerminalError.noName) { try TerminalEntry(name: "") }
    #expect(throws: TerminalError.unknown(name: "nonsense")) { try TerminalEntry(name: "nonsense", embedded: nil) }
    #expect(throws: TerminalError.tooSimple(name: "dumb")) { try TerminalEntry(name: "dumb") }
    for error in [TerminalError.notATerminal, .noName, .unknown(name: "x"), .tooSimple(name: "x"), .failed(name: "x")] {
      #expect(error.description.hasSuffix("."))
    }
  }

  @Test(arguments: [
    ("xterm-quarry", EmbeddedEntry.xterm, true), ("foot-quarry", .xterm, true), ("st-quarry", .xterm, true), ("tmux-quarry", .tmux, true),
    ("screen.quarry", .screen, true), ("linux-quarry", .console, true), ("vt100-quarry", .vt100, true), ("nonsense", .xterm, false),
    ("stupid", .xterm, false), ("vtable", .xterm, false),
  ])
  func anUnknownTerminalGetsTheMostSimilarEntry(_ name: String, _ embedded: EmbeddedEntry, isSuitable: Bool) throws {
    let entry = try TerminalEntry(name: name)
    #expect(entry.embedded == embedded)
    #expect(entry.capabilities.name == name)
    #expect(embedded.suits(name) == isSuitable)
  }

  @Test(arguments: ["dumb", "unknown", "network", "dialup"])
  func aTerminalWithoutACursorGetsNoEntry(_ name: String) {
    #expect(EmbeddedEntry(similarTo: name) == nil)
  }

  @Test func aKnownTerminalHasItsOwnEntry() throws {
    #expect(try TerminalEntry(name: "xterm-256color").embedded == nil)
  }

  @Test(arguments: EmbeddedEntry.allCases)
  func anEmbeddedEntryIsThatOfTheDatabase(_ embedded: EmbeddedEntry) throws {
    let (own, other) = try (TerminalEntry(name: embedded.rawValue, embedded: embedded), TerminalEntry(name: embedded.rawValue))
    #expect(own.capabilities.clear == other.capabilities.clear && !own.capabilities.clear.isEmpty)
    #expect(own.capabilities.colors == other.capabilities.colors)
    #expect(own.capabilities.moveCursor(toColumn: 4, row: 2) == other.capabilities.moveCursor(toColumn: 4, row: 2))
    #expect(own.size == other.size)
  }

  @Test func anEmbeddedEntryIsInForceOnlyWhileItIsRead() throws {
    let previous = ProcessInfo.processInfo.environment["TERMINFO"]
    _ = try TerminalEntry(name: "nonsense")
    #expect(ProcessInfo.processInfo.environment["TERMINFO"] == previous)
  }

  @Test(arguments: ["xterm-256color", "tmux-256color", "screen-256color", "linux", "vt100"])
  func theKeysOfATerminalAreRead(_ name: String) throws {
    let entry = try TerminalEntry(name: name)
    for (sequence, key) in [("\u{1B}OA", Key(.up)), ("\u{1B}[A", Key(.up)), ("\u{1B}OP", Key(.function(1)))] {
      var decoder = InputDecoder(keys: entry.keys)
      #expect(decoder.decode(sequence.utf8) == [.key(key)], "\(name)")
    }
  }
}

@Suite(.gated) struct ColorTests {
  @Test(
    arguments: [
      (0, 0, 0, 16), (255, 255, 255, 231), (255, 0, 0, 196), (0, 255, 0, 46), (0, 0, 255, 21), (95, 135, 175, 67), (8, 8, 8, 232),
      (128, 128, 128, 244),
      (238, 238, 238, 255), (250, 5, 3, 196),
    ] as [(UInt8, UInt8, UInt8, UInt8)])
  func theNearestOf256IsFound(_ red: UInt8, _ green: UInt8, _ blue: UInt8, _ index: UInt8) {
    #expect(NearestColor.index(red: red, green: green, blue: blue) == index)
  }

  @Test(
    arguments: [
      ("xterm-256color", 256, false, nil, ColorDepth.indexed), ("xterm-256color", 256, false, "truecolor", .direct),
      ("xterm-256color", 256, false, "24bit", .direct), ("xterm-256color", 256, false, "yes", .indexed),
      ("xterm-256color", 256, true, nil, .direct),
      ("xterm-direct", 16_777_216, false, nil, .direct), ("xterm-kitty", 256, false, nil, .direct), ("linux", 8, false, nil, .eight),
      ("rxvt", 16, false, nil, .sixteen), ("xterm", 88, false, nil, .sixteen), ("vt100", 0, false, nil, .none),
      ("vt100", -1, false, "", .none),
    ] as [(String, Int, Bool, String?, ColorDepth)])
  func theNumberOfColorsIsDetected(_ name: String, _ colors: Int, _ hasDirectColor: Bool, _ colorTerm: String?, _ depth: ColorDepth) {
    #expect(ColorDepth.detected(name: name, colors: colors, hasDirectColor: hasDirectColor, colorTerm: colorTerm) == depth)
  }
}

extension Cell {
  /// The same look without the attribute, where both colors are known.
  fileprivate var unreversed: Cell {
    guard style.attributes.contains(.reverse), style.foreground != .standard, style.background != .standard else { return self }
    let attributes = style.attributes.subtracting(.reverse)
    return Cell(text: text, style: Style(foreground: style.background, background: style.foreground, attributes: attributes))
  }
}

/// Random numbers that are the same in each run (SplitMix64).
struct SeededRandom: RandomNumberGenerator {
  private var state: UInt64

  init(seed: UInt64) {
    state = seed
  }

  mutating func next() -> UInt64 {
    state &+= 0x9E37_79B9_7F4A_7C15
    var mixed = (state ^ (state >> 30)) &* 0xBF58_476D_1CE4_E5B9
    mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
    return mixed ^ (mixed >> 31)
  }
}
