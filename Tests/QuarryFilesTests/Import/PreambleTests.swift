import QuarryFiles
import Testing

/// What stands before the records of a delimited text, and between them, and is none: titles, comments, empty lines, a header of years.
@Suite struct PreambleTests {
  @Test(arguments: [
    ("Extract of 2025-01-06\nid|plant|owner\n1|North;East|A, B\n2|South|C, D\n", ["id", "plant", "owner"], 2, 1),
    ("\"Report, weekly\"\n\nid,name,total\n1,a,2\n2,b,3\n", ["id", "name", "total"], 2, 1),
    ("# made by tool\na,b\n1,2\n# end\n", ["a", "b"], 1, 1), ("Monthly sales\nmonth,total\nJan,5\nFeb,7\n", ["month", "total"], 2, 1),
    ("Title\nSecond line\nid;name;total\n1;a;2\n2;b;3\n", ["id", "name", "total"], 2, 2),
    ("// c\r\nx,y\r\na,b\r\n", ["x", "y"], 1, 1),
  ])
  func `lines before the header are titles`(text: String, columns: [String], rows: Int, titles: Int) throws {
    let file = try readInPieces(text.utf8)
    #expect(file.columns == columns && file.rows.count == rows && file.dialect?.hasHeader == true)
    #expect(file.titles.count == titles)
  }

  @Test(arguments: [
    "text\n\"a, b, c\"\n\"d; e\"\nplain, with comma\n", "word\nhello\nhello, world\n\"quoted, too\"\n", "a,b\n1\n2,3\n4,5\n",
    "#id,name\n1,x\n2,y\n", "word\nhello, world\nfoo, bar\n", "12\n1,2\n3,4\n", "a\n1,2\n3,4\n",
  ])
  func `what may be a column of texts, or a header, is no title`(text: String) throws {
    #expect(try readInPieces(text.utf8).titles.count == 0)
  }

  @Test func `a number of lines is skipped where that is said, and then nothing is a title`() throws {
    let text = "Title\n\nid,name,total\n1,a,2\n2,b,3\n"
    let skipped = try readInPieces(text.utf8, RecordReadingOptions(skippedLines: 2))
    #expect(skipped.columns == ["id", "name", "total"] && skipped.lines == [4, 5] && skipped.blankLineCount == 0)
    let none = try readInPieces(text.utf8, RecordReadingOptions(skippedLines: 0))
    #expect(none.titles.count == 0 && none.columns == ["Title"])
    #expect(try readInPieces(text.utf8, RecordReadingOptions(hasHeader: false)).titles.count == 0)
    #expect(try readInPieces(text.utf8, RecordReadingOptions(skippedLines: 9)).failure == .noRecordAfter(lines: 9))
    #expect(try readInPieces("a\nb".utf8, RecordReadingOptions(skippedLines: 2)).failure == .noRecordAfter(lines: 2))
  }

  @Test func `comments are left out and counted, wherever they stand`() throws {
    let text = "# one\na,b\n#two,2\n1,\"x\n# no comment\"\n \n3,# none\n#"
    let file = try readInPieces(text.utf8, RecordReadingOptions(comment: Array("#".utf8)))
    #expect(file.columns == ["a", "b"] && file.rows == [[.plain("1"), .text("x\n# no comment")], [.plain("3"), .plain("# none")]])
    #expect(file.commentLineCount == 3 && file.faults.map(\.line) == [6])
    let long = try readInPieces("--x\na\n-1\n--\n-".utf8, RecordReadingOptions(comment: Array("--".utf8)))
    #expect(long.rows == [[.plain("-1")], [.plain("-")]] && long.commentLineCount == 2)
  }

  @Test func `empty lines are counted, before the header as well`() throws {
    #expect(try readInPieces("\n\n\na,b\n1,2\n".utf8).blankLineCount == 3)
    #expect(try readInPieces("a,b\n\n1,2\n\n\n3,4\n".utf8).blankLineCount == 3)
    #expect(try readInPieces("Title\n\n\nid,name,total\n1,a,2\n2,b,3\n".utf8).blankLineCount == 2)
    #expect(try readInPieces("\na,b\n".utf8).blankLineCount == 1)
  }

  @Test(arguments: [
    ("region,2023,2024\nNorth,12,15\nSouth,30,41\n", true), ("2023,2024\n12,15\n", true), ("name,2024-01-01,2024-02-01\na,1,2\n", true),
    ("name,2024-01-01\na,1\n", true), ("team,2021,2022\nx,,7\n", true), ("month,2024-01,2024-02\na,1,2\n", true),
    ("apples,2000\npears,150\n", false), ("North,2023,2024\nSouth,2022,2025\n", false), ("a,2023,2023\nb,1,2\n", false),
    ("region,2023\nNorth,12\nSouth,30\n", true), ("REGION,2023\nNorth,12\nSouth East,30\n", true),
    ("unit_name,2023\nA,12\nB,30\n", true), ("Region,2023\nNorth,12\nSouth,30\n", false), ("region,2023\nNorth,12\n", false),
    ("region,2023\nNorth,12\nsouth,30\n", false), ("region,2023\nNorth,2001\nSouth,30\n", false),
    ("region,boss,2023\nNorth,Ann,12\nSouth,ben,30\n", false), ("region,2024-05\nNorth,1\nSouth,2\n", true),
    ("x,2024-05-31\ny,2024-06-01\n", false), ("a,2023,17\nb,1,2\n", false), ("a,2023,2024\nb,1950,2001\n", false), ("x,2001,2002\n", false),
  ])
  func `years and dates above values of another kind are a header`(text: String, hasHeader: Bool) throws {
    #expect(try read(text).dialect?.hasHeader == hasHeader)
  }

  @Test func `names that are known are a header`() throws {
    var options = RecordReadingOptions()
    options.knownNames = [Array("region".utf8), Array("2023".utf8), Array("2024".utf8)]
    #expect(try read("Region,2023,2024\nNorth,1950,2001\n", options).columns == ["Region", "2023", "2024"])
    #expect(try read("2023,2024,2025\n1,2,3\n", options).dialect?.hasHeader == true)
    #expect(try read("North,2023,7\nSouth,2,3\n", options).dialect?.hasHeader == false)
    options.knownNames = [Array("region".utf8)]
    #expect(try read("Region,2023\nNorth,12\nSouth,30\n", options).columns == ["Region", "2023"])
    #expect(try read("North,2023\nSouth,12\n", options).dialect?.hasHeader == false)
  }

  @Test func `a text of a megabyte is no name`() throws {
    let file = try ReadFile(String(repeating: "x", count: 1_000_000).utf8)
    #expect(file.columns == ["column1"] && file.rows.count == 1)
  }
}
