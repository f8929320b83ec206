import Foundation
import QuarryFiles
import TestSupport
import Testing

/// Texts in other encodings than UTF-8, and bytes that belong to no character.
@Suite(.gated) struct TextEncodingTests {
  private static let text = "id,name\n1,é€😀\n2,\"a\nb\"\n"
  private static let rows: [[ReadField]] = [[.plain("1"), .plain("é€😀")], [.plain("2"), .text("a\nb")]]

  private static func utf16(_ text: String, isBigEndian: Bool) -> [UInt8] {
    text.utf16.flatMap { isBigEndian ? [UInt8($0 >> 8), UInt8($0 & 255)] : [UInt8($0 & 255), UInt8($0 >> 8)] }
  }

  @Test("The byte order mark tells the encoding, and is no part of the first name")
  func marks() throws {
    let files: [(TextEncoding, [UInt8])] = [
      (.utf8, Array(Self.text.utf8)), (.utf8, [0xEF, 0xBB, 0xBF] + Self.text.utf8),
      (.utf16LittleEndian, [0xFF, 0xFE] + Self.utf16(Self.text, isBigEndian: false)),
      (.utf16BigEndian, [0xFE, 0xFF] + Self.utf16(Self.text, isBigEndian: true)),
    ]
    for (encoding, bytes) in files {
      let file = try readInPieces(bytes)
      #expect(file.encoding == encoding && file.columns == ["id", "name"] && file.rows == Self.rows, "\(encoding)")
    }
    let json = try readInPieces([0xFF, 0xFE] + Self.utf16("[{\"é\":\"😀\"}]", isBigEndian: false))
    #expect(json.columns == ["é"] && json.rows == [[.text("😀")]])
  }

  @Test("An encoding that is given is taken; without a mark it needs none")
  func given() throws {
    let latin: [UInt8] = Array("a,b\n".utf8) + [0xE9, 0x2C, 0x80, 0x0A]
    #expect(try readInPieces(latin, RecordReadingOptions(encoding: .latin1)).rows == [[.plain("é"), .plain("\u{80}")]])
    #expect(try readInPieces(latin, RecordReadingOptions(encoding: .windows1252)).rows == [[.plain("é"), .plain("€")]])
    let wide = Self.utf16(Self.text, isBigEndian: false)
    #expect(try readInPieces(wide, RecordReadingOptions(encoding: .utf16LittleEndian)).rows == Self.rows)
  }

  @Test("A byte that belongs to no character is told with its place in the file, after the records before it")
  func undecodable() throws {
    let head = Array("a,b\n1,2\n3,".utf8)
    let files: [([UInt8], RecordReadingOptions, FileReadError.Kind)] = [
      (head + [0xE9, 0x0A], RecordReadingOptions(), .encoding(.utf8, byte: 10, line: 3, proposed: .latin1)),
      (head + [0xC3], RecordReadingOptions(), .encoding(.utf8, byte: 10, line: 3, proposed: .latin1)),
      (head + [0xED, 0xA0, 0x80], RecordReadingOptions(), .encoding(.utf8, byte: 10, line: 3, proposed: .windows1252)),
      ([0xEF, 0xBB, 0xBF] + head + [0xC0, 0x80], RecordReadingOptions(), .encoding(.utf8, byte: 13, line: 3, proposed: .windows1252)),
      (head + [0x81], RecordReadingOptions(encoding: .windows1252), .encoding(.windows1252, byte: 10, line: 3, proposed: .latin1)),
      (
        [0xFF, 0xFE] + Self.utf16("a,b\n1,2\n3,", isBigEndian: false) + [0x00, 0xDC, 0x41, 0x00], RecordReadingOptions(),
        .encoding(.utf16LittleEndian, byte: 22, line: 3)
      ),
      (
        [0xFE, 0xFF] + Self.utf16("a,b\n1,2\n3,", isBigEndian: true) + [0xD8, 0x3D], RecordReadingOptions(),
        .encoding(.utf16BigEndian, byte: 22, line: 3)
      ),
      (
        [0xFF, 0xFE] + Self.utf16("a,b\n1,2\n3,", isBigEndian: false) + [0x41], RecordReadingOptions(),
        .encoding(.utf16LittleEndian, byte: 22, line: 3)
      ),
    ]
    for (bytes, options, failure) in files {
      let file = try readInPieces(bytes, options)
      #expect(file.failure == failure && file.rows == [[.plain("1"), .plain("2")]])
    }
    let error = FileReadError(kind: .encoding(.utf8, byte: 10_000, line: 3, proposed: .latin1), path: "x.csv")
    #expect(
      error.description
        == "“x.csv” is not UTF-8: byte 10,000, on line 3, belongs to no character. If it is Latin-1, give --encoding latin1.")
  }

  @Test(
    "UTF-16 without a byte order mark is recognized, and a text with NULs is none",
    arguments: [
      "Id;Name;Kt\r\n1;Zoë 𝄞;Ål\r\n", "a,b\n1,2\n", "Имя;Город\r\n1;Москва\r\n2;Тверь\r\n", "[{\"é\":\"😀\"}]",
    ])
  func unmarked(text: String) throws {
    let expected = try readInPieces(text.utf8)
    for (encoding, isBigEndian) in [(TextEncoding.utf16LittleEndian, false), (.utf16BigEndian, true)] {
      let file = try readInPieces(Self.utf16(text, isBigEndian: isBigEndian))
      #expect(file.encoding == encoding && file.tables == expected.tables)
    }
    for text in ["x\0y,z\n", "a\0b\0,c\0\n", "a,b\n\0,\0\n", "ab"] {
      #expect(try readInPieces(text.utf8).encoding == .utf8)
    }
  }

  @Test(
    "The encoding is proposed that the bytes are likely to be in",
    arguments: [
      ([0xEB], .latin1), ([0x93, 0x5A, 0x94, 0x2C, 0x80], .windows1252), ([0xE9, 0x2C, 0x81, 0x80], .latin1),
      (Array("é,ü,ö,ä".utf8) + [0xC3, 0x2C] + Array("é,ü,ö,ä".utf8), nil),
    ] as [([UInt8], TextEncoding?)])
  func proposals(bytes: [UInt8], proposed: TextEncoding?) throws {
    guard case .encoding(.utf8, _, _, let found)? = try ReadFile(Array("a,b\n1,".utf8) + bytes + [0x0A]).failure else {
      Issue.record("it was read")
      return
    }
    #expect(found == proposed)
  }

  @Test("Random bytes are no text, whatever they begin with")
  func randomBytes() throws {
    var random = SplitMix(seed: 11)
    for _ in 0..<testRounds(1_000) {
      let bytes = (0..<Int.random(in: 64...6_000, using: &random)).map { _ in UInt8.random(in: 0...255, using: &random) }
      guard case .binary? = try ReadFile(bytes).failure else {
        Issue.record("read: \(bytes.prefix(40))")
        return
      }
      for mark: [UInt8] in [[0xFF, 0xFE], [0xFE, 0xFF], [0xEF, 0xBB, 0xBF]] where bytes.count > 2_000 {
        guard case .binary? = try ReadFile(mark + bytes).failure else {
          Issue.record("read: \(mark) \(bytes.prefix(40))")
          return
        }
      }
    }
  }

  @Test("Every character of UTF-16 comes through, and so does every byte of Latin-1")
  func allCharacters() throws {
    let scalars = stride(from: 0x21, through: 0x10FFFF, by: 97).compactMap { Unicode.Scalar(UInt32($0)) }.filter { $0 != "\"" && $0 != "," }
    let text = "a,b\n" + scalars.map { "\($0),x\n" }.joined()
    let file = try ReadFile([0xFE, 0xFF] + Self.utf16(text, isBigEndian: true), chunkLength: 1001)
    #expect(file.rows == scalars.map { [.plain(String($0)), .plain("x")] })
    let bytes = (UInt8(0x80)...0xFF)
    let latin = try ReadFile(Array("a\n".utf8) + bytes.flatMap { [$0, 0x0A] }, options: RecordReadingOptions(encoding: .latin1))
    #expect(latin.rows == bytes.map { [.plain(String(Unicode.Scalar($0)))] })
  }
}
