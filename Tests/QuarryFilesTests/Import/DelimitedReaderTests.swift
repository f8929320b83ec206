import QuarryFiles
import TestSupport
import Testing

/// The cases of RFC 4180 and of the csv-spectrum collection, and what is none of them.
@Suite(.gated) struct DelimitedReaderTests {
  @Test("A field without quotes is plain, one in quotes a text; an empty one is NULL, an empty one in quotes an empty text")
  func kinds() throws {
    let file = try read("id,name,note\n1,\"007\",\n2,\"\",x\n")
    #expect(file.columns == ["id", "name", "note"])
    #expect(file.rows == [[.plain("1"), .text("007"), .null], [.plain("2"), .text(""), .plain("x")]])
    #expect(file.lines == [2, 3] && file.faults.isEmpty)
  }

  @Test(
    "What a field may have in quotes",
    arguments: [
      ("name,address,town\nJohn,\"120 any st.\",\"Anytown, WW\"\n", [[.plain("John"), .text("120 any st."), .text("Anytown, WW")]]),
      ("a,b\n1,\"ha \"\"ha\"\" ha\"\n3,4\n", [[.plain("1"), .text("ha \"ha\" ha")], [.plain("3"), .plain("4")]]),
      ("a,b\n1,\"\"\"\"\n2,\"\"\"x\"\n", [[.plain("1"), .text("\"")], [.plain("2"), .text("\"x")]]),
      (
        "key,val\n1,\"{\"\"type\"\": \"\"Point\"\", \"\"at\"\": [102.0, 0.5]}\"\n",
        [[.plain("1"), .text(#"{"type": "Point", "at": [102.0, 0.5]}"#)]]
      ),
      ("a,b\n\"Once upon \na time\",5\n7,8\n", [[.text("Once upon \na time"), .plain("5")], [.plain("7"), .plain("8")]]),
      ("a,b\r\n\"Once \r\nupon\",5\r\n7,8\r\n", [[.text("Once \r\nupon"), .plain("5")], [.plain("7"), .plain("8")]]),
      ("a,b\n1,\"ha\n\"\"ha\"\"\n\"\n", [[.plain("1"), .text("ha\n\"ha\"\n")]]),
      ("a,b\n1,ʤ\n2,\"😀,\"", [[.plain("1"), .plain("ʤ")], [.plain("2"), .text("😀,")]]),
      ("a,b,c\n1,\"\",\"\"\n", [[.plain("1"), .text(""), .text("")]]),
      ("a,b\n\"x\0y\",\0\n", [[.text("x\0y"), .plain("\0")]]),
    ] as [(String, [[ReadField]])])
  func quotes(text: String, rows: [[ReadField]]) throws {
    let file = try readInPieces(text.utf8)
    #expect(file.rows == rows)
    #expect(file.faults.isEmpty)
  }

  @Test("A quote inside a field without quotes, blanks and a lone CR are characters as any other")
  func literalCharacters() throws {
    let file = try readInPieces("size,name\n5\" pipe, x \n a\rb,\"c\r\"\r\n".utf8)
    #expect(file.rows == [[.plain("5\" pipe"), .plain(" x ")], [.plain(" a\rb"), .text("c\r")]])
  }

  @Test("The last line may lack its end; its last field may be empty")
  func lastLine() throws {
    #expect(try readInPieces("a,b\n1,2".utf8).rows == [[.plain("1"), .plain("2")]])
    #expect(try readInPieces("a,b\n1,".utf8).rows == [[.plain("1"), .null]])
    #expect(try readInPieces("a,b\n1,\"2\"".utf8).rows == [[.plain("1"), .text("2")]])
  }

  @Test("A line without a byte is no record of several columns, and NULL of one")
  func blankLines() throws {
    let several = try readInPieces("\na,b\n\n1,2\r\n\r\n3,4\n\n".utf8)
    #expect(several.rows == [[.plain("1"), .plain("2")], [.plain("3"), .plain("4")]])
    #expect(several.blankLineCount == 4 && several.lines == [4, 6])
    #expect(try readInPieces("a\n1\n\n\"\"\n".utf8).rows == [[.plain("1")], [.null], [.text("")]])
  }

  @Test("A text whose lines end with CR alone is read, too")
  func macintoshLines() throws {
    let file = try readInPieces("a,b\r1,\"x\ry\"\r\r3,4".utf8)
    #expect(file.rows == [[.plain("1"), .text("x\ry")], [.plain("3"), .plain("4")]])
    #expect(file.lines == [2, 5] && file.blankLineCount == 1)
  }

  @Test("Names that are empty or another column's too are made unique, and the file's own are kept")
  func names() throws {
    let text = "id,ID,,id,id_2,\"a\0b\"\n1,2,3,4,5,6\n"
    #expect(try read(text).columns == ["id", "ID_2", "column3", "id_3", "id_2_2", "ab"])
    let reader = try withFile(text) { try RecordFile.open(path: $0) }
    #expect(reader.firstTable.columns.map(\.isRenamed) == [false, true, true, true, true, true])
    #expect(reader.firstTable.columns.map(\.nameInFile) == ["id", "ID", "", "id", "id_2", "a\0b"])
  }

  // MARK: - Faults

  @Test("A record with too few or too many fields is kept as it is, and no field is shifted")
  func ragged() throws {
    let file = try readInPieces("a,b,c\n1,2,3\n1,\"x\"\"\ny\"\n4,5,6,7\r\n8,9,0\n".utf8)
    #expect(file.rows == [[.plain("1"), .plain("2"), .plain("3")], [.plain("8"), .plain("9"), .plain("0")]])
    #expect(file.lines == [2, 6])
    #expect(file.faults.map(\.reason) == [.fieldCount(found: 2, expected: 3), .fieldCount(found: 4, expected: 3)])
    #expect(file.faults.map(\.line) == [3, 5])
    #expect(file.faults.map { String(decoding: $0.bytes, as: UTF8.self) } == ["1,\"x\"\"\ny\"", "4,5,6,7"])
    #expect(file.faults[0].description == "It has 2 fields instead of 3.")
  }

  @Test("Text after a closing quote spoils its record up to the end of that line, with the place of the fault")
  func textAfterQuote() throws {
    let file = try readInPieces("a,b\n1,\"x\ny\"z,3\n4,5\n".utf8)
    #expect(file.rows == [[.plain("4"), .plain("5")]] && file.lines == [4])
    let fault = try #require(file.faults.first)
    #expect(fault.reason == .textAfterQuote && fault.line == 2 && fault.faultLine == 3 && fault.column == 3)
    #expect(String(decoding: fault.bytes, as: UTF8.self) == "1,\"x\ny\"z,3")
    #expect(fault.description == "Text follows the closing quote at line 3, byte 3.")
  }

  @Test("A quote that is never closed spoils what follows it, which is kept")
  func unclosedQuote() throws {
    let file = try readInPieces("a,b\n1,2\n3,\"x\n5,6\n".utf8)
    #expect(file.rows == [[.plain("1"), .plain("2")]])
    let fault = try #require(file.faults.first)
    #expect(fault.reason == .unclosedQuote && fault.line == 3 && fault.column == 3)
    #expect(String(decoding: fault.bytes, as: UTF8.self) == "3,\"x\n5,6\n")
  }

  @Test("A fault before the first record is told with the records")
  func faultAtFirst() throws {
    let file = try readInPieces("\"a\"x,b\nc,d\n1,2\n".utf8)
    #expect(file.columns == ["c", "d"] && file.rows == [[.plain("1"), .plain("2")]])
    #expect(file.faults.map(\.reason) == [.textAfterQuote] && file.faults.map(\.line) == [1])
    guard case .unreadable(let fault, _)? = try readInPieces("\"a,b\n1,2\n".utf8).failure else {
      Issue.record("a text without one record")
      return
    }
    #expect(fault.reason == .unclosedQuote && fault.line == 1)
  }
}
