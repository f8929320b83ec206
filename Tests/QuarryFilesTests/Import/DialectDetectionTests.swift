import QuarryFiles
import TestSupport
import Testing

/// The separator, the header and the ends of lines that a text has, as its first records tell them.
@Suite(.gated) struct DialectDetectionTests {
  @Test(
    "The separator by which the records agree",
    arguments: [
      ("a,b\n1,2\n", ","), ("a;b\n1;2\n", ";"), ("a\tb\n1\t2\n", "\t"), ("a|b\n1|2\n", "|"),
      ("name;price\nx;1,5\ny;2,5\n", ";"),
      ("a,b,c\n\"x;y\",\"z;w;v\",1\n2,3,4\n", ","),
      ("a\tb, c\td\n1\t2\t3\n4\t5, 6, 7\t8\n", "\t"),
      ("a,b,c\n1,2\n3,4,5\n6\n", ","),
      ("a,b,c\td\n1,2,3\t4\n", "\t"),
    ])
  func separator(text: String, separator: Character) throws {
    #expect(try read(text).dialect?.separator == separator.asciiValue)
  }

  @Test("Where no separator makes the records agree, each line is one field")
  func noSeparator() throws {
    let file = try read("word\nhello\nhello, world\n\"quoted, too\"\n")
    #expect(file.dialect == DelimitedDialect(separator: nil, hasHeader: true))
    #expect(file.rows == [[.plain("hello")], [.plain("hello, world")], [.text("quoted, too")]])
  }

  @Test("A separator that is given is taken, also an unusual one")
  func givenSeparator() throws {
    let file = try read("a:b,c\n1:2\n", RecordReadingOptions(separator: UInt8(ascii: ":")))
    #expect(file.columns == ["a", "b,c"] && file.rows == [[.plain("1"), .plain("2")]])
    #expect(try read("{\"a\":1}\n", RecordReadingOptions(separator: UInt8(ascii: ","), hasHeader: false)).rows == [[.plain("{\"a\":1}")]])
  }

  @Test("A first line as Excel writes it says what the separator is")
  func separatorLine() throws {
    let file = try readInPieces("sep=;\r\na,b;c\r\n1;2\r\n".utf8)
    #expect(file.columns == ["a,b", "c"] && file.rows == [[.plain("1"), .plain("2")]] && file.lines == [3])
  }

  @Test("How a text is read does not depend on how its bytes come")
  func pieces() throws {
    // By commas the first 32 lines are 8 records of two fields; the lines after them have semicolons only.
    let text = (0..<8).map { _ in "a;b,\"x\n\n\ny\"\n" }.joined() + (0..<2_000).map { _ in "a;b\n" }.joined()
    let file = try readInPieces(text.utf8)
    #expect(file.dialect?.separator == UInt8(ascii: ","))
  }

  @Test(
    "The first record has the names unless one of its fields is a number or a date, and there is no better reason to think so",
    arguments: [
      ("id,name\n1,x\n", true), ("name,town\nx,y\n", true), ("a,b\n", true), (",a\n0,x\n", true),
      ("1,x\n2,y\n", false), ("x,2024-05-31\ny,2024-06-01\n", false), ("x,-1.5e3\n", false), ("\"1\",x\n", false),
      ("country,2001,2002\n1,2,3\n4,5,6\n", true), ("x,2001,2002\ny,5,6\n", true), (",\n,\n", false), ("x,,1\ny,,2\n", false),
    ])
  func header(text: String, hasHeader: Bool) throws {
    #expect(try read(text).dialect?.hasHeader == hasHeader)
  }

  @Test("Without a header the columns have numbers, and no record is lost")
  func withoutHeader() throws {
    let found = try read("\n1,x\n2,y\n")
    #expect(found.columns == ["column1", "column2"] && found.rows.count == 2 && found.lines == [2, 3])
    let given = try read("a,b\nx,y\n", RecordReadingOptions(hasHeader: false))
    #expect(given.rows == [[.plain("a"), .plain("b")], [.plain("x"), .plain("y")]])
    #expect(try read("1,2\n3,4\n", RecordReadingOptions(hasHeader: true)).columns == ["1", "2"])
  }

  @Test("A first record of more than 64 KiB is looked at, too")
  func longFirstRecord() throws {
    let names = (1...2000).map { "a rather long name of a column, number \($0)" }
    let text = names.map { "\"\($0)\"" }.joined(separator: ";") + "\n" + Array(repeating: "1", count: 2000).joined(separator: ";") + "\n"
    let file = try ReadFile(text.utf8, chunkLength: 1000)
    #expect(file.columns == names && file.rows.count == 1)
  }
}
