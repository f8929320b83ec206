import CursesTerminal
import Terminal
import TestSupport
import Testing

@Suite(.gated) struct InputDecoderTests {
  private static let terminfo = KeySequences([Array("\u{1B}[7$".utf8): Key(.home, .shift), Array("\u{1B}OX1".utf8): Key(.function(12))])

  private func events(_ text: String) -> [Event] {
    var decoder = InputDecoder(keys: Self.terminfo)
    let events = decoder.decode(text.utf8)
    return decoder.isAwaitingEscape ? events + decoder.flush() : events
  }

  @Test(arguments: [
    ("a", [Key("a")]), ("Aé漢", [Key("A"), Key("é"), Key("漢")]), ("e\u{301}", [Key("e\u{301}")]), ("👨‍👩‍👧‍👦", [Key("👨‍👩‍👧‍👦")]),
    ("\r", [Key(.enter)]), ("\n", [Key("j", .control)]), ("\t", [Key(.tab)]), ("\u{8}", [Key(.backspace)]), ("\u{7F}", [Key(.backspace)]),
    ("\0", [Key(" ", .control)]), ("\u{1}", [Key("a", .control)]), ("\u{1A}", [Key("z", .control)]), ("\u{1C}", [Key("\\", .control)]),
    ("\u{1F}", [Key("_", .control)]), ("\u{1B}", [Key(.escape)]), ("\u{1B}\u{1B}", [Key(.escape), Key(.escape)]),
    ("\u{1B}x", [Key("x", .alt)]),
    ("\u{1B}é", [Key("é", .alt)]), ("\u{1B}X", [Key("X", .alt)]), ("\u{1B}\r", [Key(.enter, .alt)]),
    ("\u{1B}\u{7F}", [Key(.backspace, .alt)]),
    ("\u{1B}\u{2}", [Key("b", [.alt, .control])]), ("\u{1B}[", [Key("[", .alt)]), ("\u{1B}O", [Key("O", .alt)]),
    ("\u{1B}]", [Key("]", .alt)]),
    ("\u{1B}xy", [Key("x", .alt), Key("y")]), ("\u{1B}\u{1B}x", [Key(.escape), Key("x", .alt)]),
  ])
  func aKeyThatTypesIsRead(_ bytes: String, _ keys: [Key]) {
    #expect(events(bytes) == keys.map(Event.key))
  }

  @Test(arguments: [
    ("[A", Key(.up)), ("OB", Key(.down)), ("[1;5C", Key(.right, .control)), ("[1;3B", Key(.down, .alt)), ("[1;2D", Key(.left, .shift)),
    ("[1;8A", Key(.up, [.shift, .alt, .control])), ("[H", Key(.home)), ("OF", Key(.end)), ("[1~", Key(.home)), ("[4~", Key(.end)),
    ("[7~", Key(.home)), ("[2~", Key(.insert)), ("[3~", Key(.delete)), ("[3;5~", Key(.delete, .control)), ("[5~", Key(.pageUp)),
    ("[6;2~", Key(.pageDown, .shift)), ("[Z", Key(.tab, .shift)), ("OP", Key(.function(1))), ("[11~", Key(.function(1))),
    ("[15~", Key(.function(5))), ("[15;2~", Key(.function(5), .shift)), ("[1;2R", Key(.function(3), .shift)), ("[24~", Key(.function(12))),
    ("[24;2~", Key(.function(12), .shift)), ("[[B", Key(.function(2))), ("[25~", Key(.function(13))), ("[34~", Key(.function(20))),
    ("OM", Key(.enter)), ("Oq", Key("1")), ("O5A", Key(.up, .control)), ("Oa", Key(.up, .control)), ("[b", Key(.down, .shift)),
    ("[3^", Key(.delete, .control)), ("[8@", Key(.end, [.control, .shift])), ("[5$", Key(.pageUp, .shift)), ("\u{1B}[A", Key(.up, .alt)),
    ("[13;5u", Key(.enter, .control)), ("[97;5u", Key("a", .control)), ("[97;2u", Key("A")), ("[27;5;9~", Key(.tab, .control)),
    ("[7$", Key(.home, .shift)), ("OX1", Key(.function(12))),
  ])
  func aKeyThatTypesNothingIsRead(_ bytes: String, _ key: Key) {
    #expect(events("\u{1B}" + bytes) == [.key(key)])
    #expect(events("a\u{1B}" + bytes + "b") == [.key(Key("a")), .key(key), .key(Key("b"))])
  }

  @Test(arguments: [
    "\u{1B}[?1;2c", "\u{1B}[I", "\u{1B}[?2026;2$y", "\u{1B}[99~", "\u{1B}[201~", "\u{1B}[57399u", "\u{1B}[24;80R", "\u{1B}[1;80R",
    "\u{1B}[4;1$y", "\u{1B}[1;999999999999999999999x", "\u{1B}[12\u{1}",
  ])
  func whatIsNoKeyIsDropped(_ bytes: String) {
    let control = bytes.hasSuffix("\u{1}") ? [Event.key(Key("a", .control))] : []
    #expect(events(bytes + "z") == control + [.key(Key("z"))])
  }

  @Test(arguments: [
    ("<0;1;1M", Mouse(.press(.left), at: Point(column: 0, row: 0))), ("<2;10;5M", Mouse(.press(.right), at: Point(column: 9, row: 4))),
    ("<1;300;200M", Mouse(.press(.middle), at: Point(column: 299, row: 199))), ("<0;3;4m", Mouse(.release, at: Point(column: 2, row: 3))),
    ("<32;3;4M", Mouse(.drag, at: Point(column: 2, row: 3))), ("<64;1;2M", Mouse(.wheelUp, at: Point(column: 0, row: 1))),
    ("<65;1;2M", Mouse(.wheelDown, at: Point(column: 0, row: 1))), ("<66;1;2M", Mouse(.wheelLeft, at: Point(column: 0, row: 1))),
    ("<20;1;2M", Mouse(.press(.left), at: Point(column: 0, row: 1), modifiers: [.shift, .control])),
    ("<73;1;2M", Mouse(.wheelDown, at: Point(column: 0, row: 1), modifiers: .alt)),
    ("<0;0;0M", Mouse(.press(.left), at: Point(column: 0, row: 0))),
    ("M !!", Mouse(.press(.left), at: Point(column: 0, row: 0))), ("M#\"$", Mouse(.release, at: Point(column: 1, row: 3))),
  ])
  func theMouseIsRead(_ bytes: String, _ mouse: Mouse) {
    #expect(events("\u{1B}[" + bytes) == [.mouse(mouse)])
  }

  @Test(arguments: [
    ("", ""), ("one\rtwo\r\nthree\nfour\n\n", "one\ntwo\nthree\nfour\n\n"), ("\u{1B}[A\u{1B}[200~\u{1}", "\u{1B}[A\u{1B}[200~\u{1}"),
    ("漢é", "漢é"),
    ("\u{1B}[201", "\u{1B}[201"), ("\u{1B}\u{1B}[20", "\u{1B}\u{1B}[20"),
  ])
  func aPasteIsOneEvent(_ bytes: String, _ text: String) {
    #expect(events("a\u{1B}[200~\(bytes)\u{1B}[201~b") == [.key(Key("a")), .paste(text), .key(Key("b"))])
  }

  @Test func inputMayBeCutAnywhere() {
    let bytes = Array(
      "aé漢\u{1B}[1;5C\u{1B}x\u{1B}[<65;10;5M\u{1B}[200~p\r\nq\u{1B}[201~\u{1B}OP\u{1B}[[A\u{1B}[7$\u{1B}OX1\u{1B}[M !!\u{1B}[?1c\u{1B}\u{1B}[A\r"
        .utf8)
    var whole = InputDecoder(keys: Self.terminfo)
    let expected = whole.decode(bytes)
    #expect(expected.count == 14)
    for cut in bytes.indices {
      var decoder = InputDecoder(keys: Self.terminfo)
      #expect(decoder.decode(bytes[..<cut]) + decoder.decode(bytes[cut...]) == expected, "cut at \(cut)")
    }
    var single = InputDecoder(keys: Self.terminfo)
    #expect(bytes.flatMap { single.decode([$0]) } == expected)
  }

  @Test func bytesThatAreNoTextGiveTheSameKeysPieceByPiece() {
    for (byte, next) in (0x80...0xFF).flatMap({ byte in [0x41, 0xE2, 0x82].map { (UInt8(byte), UInt8($0)) } }) {
      let bytes: [UInt8] = [0x1B, byte, next, 0x41, 0x42]
      var (whole, single) = (InputDecoder(), InputDecoder())
      #expect(whole.decode(bytes) == bytes.flatMap { single.decode([$0]) }, "\(byte) \(next)")
    }
  }

  @Test func anEscapeIsWaitedForOnlyOnce() {
    var decoder = InputDecoder()
    #expect(decoder.decode([0x1B]).isEmpty && decoder.isAwaitingEscape)
    #expect(decoder.flush() == [.key(Key(.escape))] && !decoder.isAwaitingEscape)
    #expect(decoder.decode("\u{1B}[1;".utf8).isEmpty && decoder.isAwaitingEscape)
    #expect(decoder.flush().isEmpty && !decoder.isAwaitingEscape)
    #expect(decoder.decode("5A".utf8) == [.key(Key(.up, .control))])
    #expect(decoder.decode("\u{1B}[200~x\u{1B}".utf8).isEmpty && !decoder.isAwaitingEscape)
  }

  @Test func aPasteOfAMegabyteInSmallPiecesIsRead() {
    var decoder = InputDecoder()
    var events = decoder.decode("\u{1B}[200~".utf8)
    let piece = Array(String(repeating: "0123456789abcde\r", count: 256).utf8)
    for _ in 0..<256 { events += decoder.decode(piece) }
    events += decoder.decode("\u{1B}[201~".utf8)
    #expect(events == [.paste(String(repeating: "0123456789abcde\n", count: 65536))])
  }

  @Test func bytesThatAreNoTextDoNotTrap() {
    for seed in UInt64(1)...200 {
      var random = SeededRandom(seed: seed)
      var decoder = InputDecoder(keys: Self.terminfo)
      let alphabet: [UInt8] = [0x1B, 0x5B, 0x4F, 0x3C, 0x3B, 0x30, 0x32, 0x7E, 0x4D, 0x24, 0x80, 0xC3, 0xF0, 0xFF, 0x00, 0x61]
      let bytes = (0..<300).map { _ in alphabet.randomElement(using: &random) ?? 0 }
      var whole = InputDecoder(keys: Self.terminfo)
      _ = whole.decode(bytes)
      for byte in bytes where decoder.decode([byte]).isEmpty && decoder.isAwaitingEscape { _ = decoder.flush() }
      _ = decoder.decode("\u{1B}[201~q".utf8)
    }
  }

  private static let answers = [
    "\u{1B}]11;rgb:1c1c/1c1c/1c1c\u{7}", "\u{1B}]11;rgb:1c1c/1c1c/1c1c\u{1B}\\", "\u{1B}]4;1;rgb:cdcd/0000/0000\u{1B}\\",
    "\u{1B}]l a title \u{1B}\\", "\u{1B}P1+r544e=787465726d\u{1B}\\", "\u{1B}P0+r\u{1B}\\", "\u{1B}P1$r0m\u{1B}\\",
    "\u{1B}P>|tmux 3.3a\u{1B}\\",
    "\u{1B}P!|00000000\u{1B}\\", "\u{1B}_Gi=31;OK\u{1B}\\", "\u{1B}[?62;4;22c", "\u{1B}[>0;276;0c", "\u{1B}[24;80R", "\u{1B}[0n",
    "\u{1B}[8;24;80t",
    "\u{1B}[?2026;2$y", "\u{1B}[4;1$y", "\u{1B}[?0u",
  ]

  @Test(arguments: answers)
  func whatATerminalAnswersActsAsNoKeyHoweverItIsCut(_ answer: String) {
    let bytes = Array("\(answer)z".utf8)
    #expect(events("\(answer)z") == [.key(Key("z"))])
    for cut in bytes.indices {
      var decoder = InputDecoder(keys: Self.terminfo)
      let step1 = decoder.decode(bytes[..<cut])
      #expect(step1 + decoder.decode(bytes[cut...]) == [.key(Key("z"))], "cut at \(cut)")
    }
    var single = InputDecoder(keys: Self.terminfo)
    let events = bytes.flatMap { single.decode([$0]) }
    #expect(events == [.key(Key("z"))])
  }

  @Test func theRestOfAnAnswerThatComesLateActsAsNoKey() {
    for (beginning, key, rest) in [
      ("\u{1B}", Key(.escape), "]11;rgb:1c1c/1c1c/1c1c\u{7}"), ("\u{1B}]", Key("]", .alt), "11;rgb:1c1c/1c1c/1c1c\u{1B}\\"),
      ("\u{1B}", Key(.escape), "P1+r544e=78\u{1B}\\"), ("\u{1B}", Key(.escape), "[?62;4c"), ("\u{1B}P", Key("P", .alt), "1$r0m\u{1B}\\"),
    ] {
      var decoder = InputDecoder()
      let step2 = decoder.decode(beginning.utf8)
      #expect(step2.isEmpty)
      let step3 = decoder.flush()
      #expect(step3 == [.key(key)])
      let step4 = decoder.decode("\(rest)z".utf8)
      #expect(step4 == [.key(Key("z"))], "\(rest)")
    }
  }

  @Test func keysAfterAnEscapeThatNothingFollowedAreKeys() {
    for (text, keys) in [
      ("]", [Key("]")]), ("[A", [Key("["), Key("A")]), ("]abc", [Key("]"), Key("a"), Key("b"), Key("c")]),
      ("P12", [Key("P"), Key("1"), Key("2")]),
    ] {
      var decoder = InputDecoder()
      _ = decoder.decode([0x1B])
      let step5 = decoder.flush()
      #expect(step5 == [.key(Key(.escape))])
      let step6 = decoder.decode(text.utf8)
      #expect(step6 == keys.map(Event.key))
    }
  }

  @Test(arguments: [("\u{3}", Key("c", .control)), ("\u{11}", Key("q", .control)), ("\u{1B}OP", Key(.function(1)))])
  func anAnswerWithoutAnEndLeavesTheKeysAlone(_ bytes: String, _ key: Key) {
    var decoder = InputDecoder()
    let step7 = decoder.decode("\u{1B}]11;rgb:\(bytes)".utf8)
    #expect(step7 == [.key(key)])
    let step8 = decoder.decode("\u{1B}]11;rgb:".utf8)
    #expect(step8.isEmpty)
    #expect(decoder.patience != nil)
    let step9 = decoder.flush()
    #expect(step9.isEmpty)
    #expect(decoder.patience == nil)
    let step10 = decoder.decode("j".utf8)
    #expect(step10 == [.key(Key("j"))])
  }

  @Test(arguments: [("\u{3}", Key("c", .control)), ("\u{11}", Key("q", .control)), ("\u{1B}OP", Key(.function(1))), ("\u{1B}[A", Key(.up))])
  func aPasteWithoutAnEndIsKeptAsTextAndLeavesTheKeysAlone(_ bytes: String, _ key: Key) {
    var decoder = InputDecoder()
    let step11 = decoder.decode("\u{1B}[200~one\rtwo".utf8)
    #expect(step11.isEmpty)
    #expect(decoder.patience != nil)
    let step12 = decoder.flush()
    #expect(step12 == [.paste("one\ntwo")])
    #expect(decoder.patience == nil)
    let step13 = decoder.decode(bytes.utf8)
    #expect(step13 == [.key(key)])
    let step14 = decoder.decode("j".utf8)
    #expect(step14 == [.key(Key("j"))])
  }

  @Test func anEscapeEndsAPasteThatHasNoEnd() {
    var decoder = InputDecoder()
    let step15 = decoder.decode("\u{1B}[200~one\u{1B}".utf8)
    #expect(step15.isEmpty)
    let step16 = decoder.flush()
    #expect(step16 == [.paste("one"), .key(Key(.escape))])
    let step17 = decoder.decode("\u{1B}[200~two".utf8)
    #expect(step17.isEmpty)
    let step18 = decoder.flush()
    #expect(step18 == [.paste("two")])
    let step19 = decoder.decode([0x1B])
    #expect(step19.isEmpty)
    #expect(decoder.isAwaitingEscape)
    let step20 = decoder.flush()
    #expect(step20 == [.key(Key(.escape))])
    let step21 = decoder.decode("q".utf8)
    #expect(step21 == [.key(Key("q"))])
  }

  @Test func aPasteThatFaltersStaysOneText() {
    let pieces = ["\u{1B}[200~one\r", "\ntwo\u{E9}", "q", "\u{1B}[20", "1~z"]
    var decoder = InputDecoder()
    var events: [Event] = []
    for piece in pieces {
      events += decoder.decode(piece.utf8)
      if piece != pieces.last { events += decoder.flush() }
    }
    #expect(events == [.paste("one\n"), .paste("two\u{E9}"), .paste("q"), .key(Key("z"))])
  }

  @Test func aPasteOfManyMegabytesComesInPieces() {
    var decoder = InputDecoder()
    var events = decoder.decode("\u{1B}[200~".utf8)
    let piece = [UInt8](repeating: UInt8(ascii: "x"), count: 1 << 20)
    for _ in 0..<20 { events += decoder.decode(piece) }
    events += decoder.flush()
    let texts = events.map { if case .paste(let text) = $0 { text.utf8.count } else { -1 } }
    #expect(texts.count > 1 && texts.reduce(0, +) == 20 << 20)
    let step22 = decoder.decode([0x03])
    #expect(step22 == [.key(Key("c", .control))])
  }
}
