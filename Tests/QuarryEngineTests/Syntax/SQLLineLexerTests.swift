import QuarryEngine
import TestSupport
import Testing

@Suite(.gated) struct SQLLineLexerTests {
  /// Returns the pieces of a line as text, each behind the first letters of its kind.
  private func pieces(_ line: String, from state: SQLLineState = .plain) -> [String] {
    SQLLineLexer.spans(of: line, from: state).spans.map { span in
      "\(span.kind):" + String(decoding: Array(line.utf8)[span.range], as: UTF8.self)
    }
  }

  @Test(
    "Keywords count in any case, and are names after a dot",
    arguments: [
      ("SELECT sElEcT selected", ["keyword:SELECT", "keyword:sElEcT", "name:selected"]),
      ("t.key key", ["name:t", "symbol:.", "name:key", "keyword:key"]),
      ("_from from$ naïve $x", ["name:_from", "name:from$", "name:naïve", "parameter:$x"]),
    ])
  func words(line: String, expected: [String]) {
    #expect(pieces(line) == expected)
  }

  @Test("Every keyword of SQLite is one, and nothing longer or shorter")
  func keywords() {
    #expect(SQLKeywords.all.count == 147)
    for keyword in SQLKeywords.all {
      #expect(pieces(keyword) == ["keyword:" + keyword])
      #expect(pieces(keyword.lowercased()) == ["keyword:" + keyword.lowercased()])
      #expect(pieces(keyword + "_x") == ["name:" + keyword + "_x"])
    }
    #expect(pieces("tru true FALSE") == ["name:tru", "name:true", "name:FALSE"])
  }

  @Test(
    "Quotes, numbers, blobs, parameters and comments are told apart",
    arguments: [
      (#""a ""b" [c"d] `e`"#, [#"quotedName:"a ""b""#, #"quotedName:[c"d]"#, "quotedName:`e`"]),
      ("'it''s' x'0aF' X'' xy", ["text:'it''s'", "blob:x'0aF'", "blob:X''", "name:xy"]),
      ("1 1.5e-3 .5 0xFe+1", ["number:1", "number:1.5e-3", "number:.5", "number:0xFe", "symbol:+", "number:1"]),
      (
        "? ?1a :a @b $c $a::b(c d $x(1)",
        [
          "parameter:?", "parameter:?1", "name:a", "parameter::a", "parameter:@b", "parameter:$c", "parameter:$a::b", "symbol:(", "name:c",
          "name:d", "parameter:$x(1)",
        ]
      ),
      ("a-- b 'c", ["name:a", "comment:-- b 'c"]),
      ("a/*/ b */-c", ["name:a", "comment:/*/ b */", "symbol:-", "name:c"]),
      ("a<>b", ["name:a", "symbol:<", "symbol:>", "name:b"]),
    ])
  func kinds(line: String, expected: [String]) {
    #expect(pieces(line) == expected)
  }

  @Test(
    "What a line leaves open goes on in the next one",
    arguments: [
      ("a 'b", .text, "c'' d' e", ["text:c'' d'", "name:e"]),
      ("\"b", .quotedName(quote: UInt8(ascii: "\"")), "c\" e", ["quotedName:c\"", "name:e"]),
      ("`b", .quotedName(quote: UInt8(ascii: "`")), "` e", ["quotedName:`", "name:e"]),
      ("[b", .bracketedName, "c ] e", ["quotedName:c ]", "name:e"]),
      ("/* b", .comment, "*/ e", ["comment:*/", "name:e"]),
      ("x'0", .text, "0' e", ["text:0'", "name:e"]),
      ("-- b", .plain, "e", ["name:e"]),
    ] as [(String, SQLLineState, String, [String])])
  func lines(first: String, state: SQLLineState, second: String, expected: [String]) {
    #expect(SQLLineLexer.spans(of: first, from: .plain).end == state)
    #expect(SQLLineLexer.spans(of: "", from: state).end == state)
    #expect(SQLLineLexer.spans(of: "middle", from: state).end == state)
    #expect(pieces(second, from: state) == expected)
    #expect(SQLLineLexer.spans(of: second, from: state).end == .plain)
  }

  @Test("The end of a line is the same without its pieces, whatever it holds")
  func ends() {
    var random = SplitMix(seed: 11)
    let parts = [
      "'", "\"", "`", "[", "]", "/*", "*/", "--", "/", "*", "-", "x'", "''", " ", "a", "$b::(", ")", "1", ".", "ä", ":", "@", "#",
    ]
    var state = SQLLineState.plain
    for _ in 0..<4_000 {
      let line = (0..<Int.random(in: 0..<9, using: &random)).map { _ in parts.randomElement(using: &random) ?? "" }.joined()
      let end = SQLLineLexer.spans(of: line, from: state).end
      #expect(SQLLineLexer.end(of: line, from: state) == end, "\(line) from \(state)")
      state = Bool.random(using: &random) ? end : .plain
    }
  }

  @Test("A line that ends one thing can open another")
  func reopening() {
    #expect(SQLLineLexer.spans(of: "a' || '", from: .text).end == .text)
    #expect(SQLLineLexer.spans(of: "*/ /*", from: .comment).end == .comment)
    #expect(SQLLineLexer.spans(of: "' [", from: .text).end == .bracketedName)
  }
}
