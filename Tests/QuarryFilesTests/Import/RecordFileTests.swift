import Foundation
import QuarryFiles
import TestSupport
import Testing

/// What a file is found to be, and files that cannot be read.
@Suite(.gated) struct RecordFileTests {
  private func kind(_ bytes: [UInt8]) throws -> FileKind? {
    try withTemporaryFolder { folder in
      let url = folder.appendingPathComponent("file")
      try Data(bytes).write(to: url)
      return try FileKind(path: url.path)
    }
  }

  @Test("The content says what a file is, not its name")
  func kinds() throws {
    #expect(try kind(Array("SQLite format 3\0and more".utf8)) == .database)
    #expect(try kind([]) == .empty)
    for text in ["[{\"a\":1}]", " \n{\"a\":1}", "{ \"a\" : 1}", "[]", "{}", "[1]", "[\"x\"]", "[null]", "\u{FEFF}[{}]"] {
      #expect(try kind(Array(text.utf8)) == .json, "\(text)")
    }
    for text in ["a,b\n1,2\n", "a", "[id],[name]\n1,2\n", "{a},b\n", "x\0y,z\n", "\"a\",b\n"] {
      #expect(try kind(Array(text.utf8)) == .delimited, "\(text)")
    }
  }

  @Test(
    "A file that is called JSON is no other text",
    arguments: [
      ("a,b\n1,2\n", "x.json", 1, 1), ("", "x.json", 0, 0), (" [{'a':0}]", "x.JSON", 1, 4), ("[,1]", "x.json", 1, 2),
      ("\n\n{a:1}", "x.geojson", 3, 2),
      ("{\"a\":1}}", "x.json", 0, 0), ("nul", "x.json", 1, 4), ("<html>", "x.json", 1, 1), ("*", "x.json", 1, 1),
    ])
  func namedJSON(text: String, name: String, line: Int, column: Int) throws {
    try withTemporaryFolder { folder in
      let path = folder.appendingPathComponent(name).path
      try Data(text.utf8).write(to: URL(fileURLWithPath: path))
      let file = try ReadFile(path: path)
      #expect(file.dialect == nil)
      if line == 0 { return }
      let fault: RecordFault? = if case .unreadable(let fault, 0)? = file.failure { fault } else { file.faults.first }
      #expect(fault?.faultLine == line && fault?.column == column, "\(String(describing: fault))")
    }
  }

  @Test("What is no text is refused by its name, where it has one")
  func binaries() throws {
    let files: [([UInt8], String?)] = [
      ([0x1F, 0x8B, 8, 0, 0], "compressed with gzip"), (Array("PK\u{3}\u{4}xl".utf8), "a ZIP archive or an Office document"),
      ([0, 1, 2, 3, 0xFF, 0xFE], nil), (Array(repeating: 0, count: 4096), nil),
    ]
    for (bytes, name) in files {
      #expect(throws: FileReadError.self) { try kind(bytes) }
      #expect(try ReadFile(bytes).failure == .binary(name))
    }
  }

  @Test("A text without a record, a folder, a missing file and a database say what they are")
  func refusals() throws {
    for text in ["", "\u{FEFF}", "\n\n", "\r\n"] { #expect(try ReadFile(text.utf8).failure == .empty, "\(text.utf8.count)") }
    #expect(try ReadFile("SQLite format 3\0".utf8).failure == .database)
    try withTemporaryFolder { folder in
      let failures = try ["", "/none", "/none/none"].map { try ReadFile(path: folder.path + $0).failure }
      #expect(failures == [.isFolder, .noSuchFile, .noSuchFile])
    }
    #expect(FileReadError(kind: .isFolder, path: "x").description == "“x” is a folder. Name a file in it.")
    #expect(
      FileReadError(kind: .empty, path: "-").description == "Standard input is empty: it has no record to make a table from.")
    #expect(
      FileReadError(kind: .changed(from: 1000, to: 10), path: "x").description
        == "“x” has shrunk from 1,000 bytes to 10 while it was read. Read it again when no program writes to it.")
  }

  @Test("2,000 columns are read; 2,001 are refused with the line")
  func manyColumns() throws {
    for (count, failure) in [(2000, nil), (2001, FileReadError.Kind.tooManyColumns(2001, line: 2))] {
      let names = (1...count).map { "c\($0)" }
      let record = names.map { $0.dropFirst() }.joined(separator: ",")
      let file = try ReadFile("\n\(names.joined(separator: ","))\n\(record)\n\(record),1\n".utf8)
      #expect(file.failure == failure)
      if failure == nil { #expect(file.columns == names && file.rows.first?.count == count && file.faults.count == 1) }
    }
  }

  @Test("A field of 64 MB is read whole, in quotes and without, as a delimited text and as JSON")
  func longFields() throws {
    let field = Data(repeating: UInt8(ascii: "x"), count: 64_000_000)
    for (head, tail) in [("a,b\n1,\"", "\"\n2,y\n"), ("a,b\n1,", "\n2,y\n"), ("[{\"a\":1,\"b\":\"", "\"},\n{\"a\":2,\"b\":\"y\"}]")] {
      try withTemporaryFolder { folder in
        let url = folder.appendingPathComponent("long")
        try (Data(head.utf8) + field + Data(tail.utf8)).write(to: url)
        let reader = try RecordFile.open(path: url.path)
        let batch = RecordBatch()
        var fields: [Data] = []
        while try reader.read(into: batch) {
          fields += (0..<batch.count).map { Data(batch.bytes(of: batch.field($0, 1))) }
        }
        #expect(fields == [field, Data("y".utf8)])
      }
    }
  }

  @Test("A record that is longer than SQLite takes is refused with its line; the ones before it are read")
  func tooLong() throws {
    for text in ["a,b\n1,2\n3,\"\n", "[{\"a\":1},\n\n{\"a\":\""] {
      try withFile(text + String(repeating: "x", count: 1_000_000)) { path in
        let reader = try RecordFile.reader(of: ByteSource(path: path), options: RecordReadingOptions(), recordLimit: 200_000)
        let batch = RecordBatch(byteCapacity: 1 << 16)
        #expect(try reader.read(into: batch))
        #expect(batch.count == 1)
        let error = #expect(throws: FileReadError.self) { try reader.read(into: batch) }
        #expect(error?.kind == .tooLong(line: 3))
      }
    }
  }

  // MARK: - Files that change, pipes

  @Test("A file that grows, shrinks or is written while it is read is told, after the records that are whole")
  func changes() throws {
    let text = "a,b\n" + (0..<50_000).map { "\($0),x\n" }.joined()
    let changes: [(String) -> Bool] = [
      { path in Self.overwrite("50000,x\n", to: path, atEnd: true) },
      { path in truncate(path, 300_000) == 0 },
      { path in Self.overwrite("c", to: path, atEnd: false) },
    ]
    for (index, change) in changes.enumerated() {
      try withFile(text) { path in
        let reader = try RecordFile.open(path: path)
        let batch = RecordBatch()
        #expect(try reader.read(into: batch))
        var count = batch.count
        #expect(change(path))
        let error = #expect(throws: FileReadError.self) {
          while try reader.read(into: batch) { count += batch.count }
        }
        guard case .changed(text.utf8.count, let size)? = error?.kind else {
          Issue.record("\(String(describing: error))")
          return
        }
        #expect(size == text.utf8.count + [8, 300_000 - text.utf8.count, 0][index])
        #expect(index == 1 ? count < 50_000 && count > 20_000 : count == 50_000)
      }
    }
  }

  private static func overwrite(_ text: String, to path: String, atEnd: Bool) -> Bool {
    guard let file = FileHandle(forWritingAtPath: path) else { return false }
    if atEnd { file.seekToEndOfFile() }
    file.write(Data(text.utf8))
    return true
  }

  @Test("A pipe is read as its bytes come, and a reader that waits for it can be cancelled")
  func pipes() throws {
    try withTemporaryFolder { folder in
      let path = folder.appendingPathComponent("pipe").path
      #expect(mkfifo(path, 0o600) == 0)
      let descriptor = open(path, O_RDWR)
      defer { close(descriptor) }
      let text = "a,b\n" + (0..<40).map { "\($0),x\n" }.joined()
      #expect(write(descriptor, text, text.utf8.count) == text.utf8.count)
      let source = try ByteSource(path: path)
      let reader = try RecordFile.reader(of: source, options: RecordReadingOptions())
      #expect(reader.byteCount == nil)
      let batch = RecordBatch()
      #expect(try reader.read(into: batch))
      #expect(batch.count == 40 && batch.sourceOffset == text.utf8.count)
      #expect(write(descriptor, "40,y\n41", 7) == 7)
      #expect(try reader.read(into: batch))
      #expect(batch.count == 1 && batch.line(of: 0) == 42)
      let waiting = Thread { source.cancel() }
      waiting.start()
      #expect(throws: CancellationError.self) { try reader.read(into: batch) }
    }
  }

  @Test("Progress is told in bytes of the file")
  func progress() throws {
    let text = "a,b\n" + (0..<100_000).map { "\($0),x\n" }.joined()
    try withFile(text) { path in
      let reader = try RecordFile.open(path: path)
      #expect(reader.byteCount == text.utf8.count)
      let batch = RecordBatch(byteCapacity: 1 << 16)
      var offsets: [Int] = []
      while try reader.read(into: batch) { offsets.append(batch.sourceOffset) }
      #expect(offsets == offsets.sorted() && offsets.count > 5 && offsets.last == text.utf8.count)
    }
  }
}
