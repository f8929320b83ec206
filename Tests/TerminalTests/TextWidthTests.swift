import Terminal
import TestSupport
import Testing

@Suite(.gated) struct TextWidthTests {
  @Test(
    arguments: [
      ("a", 1), ("é", 1), ("e\u{301}", 1), ("漢", 2), ("ｱ", 1), ("Ａ", 2), ("한", 2), ("\u{1112}\u{1161}\u{11AB}", 2), ("ก", 1), ("กำ", 2),
      ("│", 1), ("①", 1), ("Ω", 1), ("α", 1), ("☕", 2), ("☀", 1), ("☀\u{FE0F}", 2), ("☕\u{FE0E}", 1), ("1\u{FE0F}\u{20E3}", 2), ("❤️", 2),
      ("🇩🇪", 2), ("👍🏽", 2), ("👨‍👩‍👧‍👦", 2), ("🏳️‍🌈", 2), ("🏴󠁧󠁢󠁥󠁮󠁧󠁿", 2), ("🥰", 2), ("क्", 1), ("का", 2), ("\u{3000}", 2), ("𠀀", 2),
    ] as [(Character, Int)])
  func aClusterHasTheColumnsThatUnicodeGivesIt(_ character: Character, _ columns: Int) {
    #expect(TextWidth.columns(of: character) == columns)
    #expect(TextWidth.glyph(for: character) == character)
    #expect(TextWidth.columns(of: String(character) + "x") == columns + 1)
  }

  @Test(
    arguments: [
      ("\0", "␀"), ("\u{1B}", "␛"), ("\n", "␊"), ("\r\n", "␤"), ("\t", "␉"), ("\u{7F}", "␡"), ("\u{9B}", "␦"), ("\u{85}", "␦"),
      ("\u{202E}", "␦"),
      ("\u{2066}", "␦"), ("\u{200B}", "␦"), ("\u{FEFF}", "␦"), ("\u{AD}", "␦"), ("\u{2028}", "␦"), ("\u{301}", "◌\u{301}"),
      ("\u{1161}", "␦"),
      ("\u{FFFF}", "␦"), ("\u{E0041}", "␦"), ("\u{3164}", "␦"), ("\u{200D}", "␦"), ("\u{FE0F}", "◌\u{FE0F}"),
    ] as [(Character, Character)])
  func whatShowsNothingHasAPictureOfOneColumn(_ character: Character, _ picture: Character) {
    #expect(TextWidth.glyph(for: character) == picture)
    #expect(TextWidth.columns(of: TextWidth.glyph(for: character)) == 1)
  }

  @Test(
    arguments: [
      "a\u{E0041}", "a\u{E0041}\u{E0042}\u{E007F}", "\u{1F3F4}\u{E0041}", "\u{1F600}\u{E0067}\u{E0062}\u{E0065}\u{E006E}\u{E007F}",
      "a\u{FE00}", "é\u{FE00}\u{FE01}", "☀\u{FE0F}\u{E0100}", "a\u{E0100}", "漢\u{E0100}\u{E0101}", "a\u{200D}", "a\u{200C}",
      "م\u{200C}\u{200D}", "☀\u{FE0F}\u{200D}", "a\u{34F}", "a\u{180B}", "ក\u{17B4}", Character("\u{600}\u{FFFE}"),
    ] as [Character])
  func whatHidesBehindALetterIsSeen(_ character: Character) {
    #expect(TextWidth.glyph(for: character) == "␦")
    #expect("x\(character)".pictured == "x␦")
  }

  @Test(arguments: [
    "漢\u{E0100}", "می\u{200C}", "क्\u{200D}", "❤\u{FE0F}\u{200D}🔥", "ᠠ\u{180B}", "∩\u{FE00}", "©\u{FE0F}", "#\u{FE0F}\u{20E3}",
  ])
  func whatChangesALetterIsShown(_ text: String) { #expect(text.pictured == text) }

  /// Format characters that have a shape of their own.
  private static let seen: [ClosedRange<UInt32>] = [
    0x600...0x605, 0x6DD...0x6DD, 0x70F...0x70F, 0x890...0x891, 0x8E2...0x8E2, 0x110BD...0x110BD, 0x110CD...0x110CD,
  ]

  @Test func noFormatCharacterReachesTheTerminal() {
    for value in UInt32(0)...0x10FFFF {
      guard let scalar = Unicode.Scalar(value) else { continue }
      let properties = scalar.properties
      let isSeen = Self.seen.contains { $0.contains(value) }
      let isFormat = properties.generalCategory == .format && !isSeen || properties.isNoncharacterCodePoint
      guard isFormat || [.control, .lineSeparator, .paragraphSeparator].contains(properties.generalCategory) else { continue }
      #expect(!String(scalar).pictured.unicodeScalars.contains(scalar) || [9, 10].contains(value), "U+\(String(value, radix: 16))")
      // Nor behind a letter.
      let behind = "a\(scalar)".pictured.unicodeScalars
      #expect(!behind.contains(scalar) || [9, 10].contains(value), "U+\(String(value, radix: 16))")
    }
  }

  @Test func framesAndBarsAreClustersAsAnyOthers() {
    for scalar in (UInt32(0x24FE)...0x25A1).compactMap(Unicode.Scalar.init) {
      for next in ["", "x", "█", "é", "\u{301}", "\u{FE0F}", "\u{200D}█", "\u{20DD}"] {
        let text = "─\(scalar)\(next)"
        #expect(TextWidth.columns(of: text) == text.reduce(0) { $0 + TextWidth.columns(of: $1) }, "\(scalar.value) \(next)")
      }
    }
  }

  @Test func everyScalarIsShownInOneOrTwoColumns() {
    for value in UInt32(0)...0x1FFFF {
      guard let scalar = Unicode.Scalar(value) else { continue }
      let glyph = TextWidth.glyph(for: Character(scalar))
      #expect((1...2).contains(TextWidth.columns(of: glyph)), "U+\(String(value, radix: 16))")
      #expect(!glyph.unicodeScalars.contains { $0.properties.generalCategory == .control }, "U+\(String(value, radix: 16))")
    }
  }

  @Test func aBaseWithAThousandMarksIsCutShort() throws {
    let glyph = TextWidth.glyph(for: Character("a" + String(repeating: "\u{301}", count: 1000)))
    #expect(glyph.unicodeScalars.count == 32)
    #expect(TextWidth.columns(of: glyph) == 1)
  }

  @Test(arguments: [
    ("", 3, ""), ("abc", 3, "abc"), ("abcd", 3, "ab…"), ("abcd", 1, "…"), ("abcd", 0, ""), ("漢字", 4, "漢字"), ("漢字漢", 4, "漢…"),
    ("漢字", 3, "漢…"),
    ("a漢字", 3, "a…"), ("漢", 1, "…"), ("e\u{301}e\u{301}x", 2, "e\u{301}…"), ("a\nb", 3, "a\nb"), ("👨‍👩‍👧‍👦👨‍👩‍👧‍👦", 3, "👨‍👩‍👧‍👦…"),
  ])
  func aTextIsCutToColumns(_ text: String, _ columns: Int, _ expected: String) {
    #expect(TextWidth.truncated(text, to: columns) == expected)
  }

  @Test func aTextIsCutAtEveryWidthWithinItsColumns() {
    let text = "a漢e\u{301}👍🏽\t字🇩🇪x"
    for columns in 0...TextWidth.columns(of: text) {
      let cut = TextWidth.truncated(text, to: columns)
      #expect((columns - 1...columns).contains(TextWidth.columns(of: cut)) || columns == 0)
    }
  }
}
