import Foundation
import QuarryFiles
import TestSupport
import Testing

@Suite(.gated) struct OutputFileTests {
  private func write(_ text: String, to file: OutputFile) throws {
    try Array(text.utf8).withUnsafeBytes { try file.write($0) }
  }

  private func names(in folder: URL) throws -> [String] {
    try FileManager.default.contentsOfDirectory(atPath: folder.path).sorted()
  }

  private func refusal(_ path: String, databases: [String] = [], isReplacing: Bool = true) -> OutputFileError.Kind? {
    #expect(throws: OutputFileError.self) { try OutputFile(path: path, databases: databases, isReplacing: isReplacing) }?.kind
  }

  @Test func `the file appears once it is whole`() throws {
    try withTemporaryFolder { folder in
      let path = folder.appendingPathComponent("out.csv").path
      let file = try OutputFile(path: path)
      try write("a\n", to: file)
      #expect(!FileManager.default.fileExists(atPath: path))
      try write("b\n", to: file)
      try file.finish()
      #expect(try String(contentsOfFile: path, encoding: .utf8) == "a\nb\n")
      #expect(file.count == 4)
      #expect(try names(in: folder) == ["out.csv"])
    }
  }

  @Test func `a file that is given up leaves what was there, and nothing beside it`() throws {
    try withTemporaryFolder { folder in
      let path = folder.appendingPathComponent("out.csv").path
      try "old".write(toFile: path, atomically: false, encoding: .utf8)
      do {
        let file = try OutputFile(path: path)
        try write("new", to: file)
        file.discard()
      }
      do { try write("new", to: OutputFile(path: path)) }
      #expect(try String(contentsOfFile: path, encoding: .utf8) == "old")
      #expect(try names(in: folder) == ["out.csv"])
    }
  }

  @Test func `a file that is replaced keeps its permissions, and a link to it stays a link`() throws {
    try withTemporaryFolder { folder in
      let path = folder.appendingPathComponent("out.csv").path
      let link = folder.appendingPathComponent("link.csv").path
      try "old".write(toFile: path, atomically: false, encoding: .utf8)
      try FileManager.default.setAttributes([.posixPermissions: 0o640], ofItemAtPath: path)
      try FileManager.default.createSymbolicLink(atPath: link, withDestinationPath: "out.csv")
      let file = try OutputFile(path: link)
      try write("new", to: file)
      #expect(try String(contentsOfFile: path, encoding: .utf8) == "old")
      try file.finish()
      #expect(try String(contentsOfFile: path, encoding: .utf8) == "new")
      #expect(try FileManager.default.attributesOfItem(atPath: path)[.posixPermissions] as? Int == 0o640)
      #expect(try FileManager.default.destinationOfSymbolicLink(atPath: link) == "out.csv")
      #expect(try names(in: folder) == ["link.csv", "out.csv"])
    }
  }

  @Test func `a pipe is written as it is`() throws {
    let pipe = Pipe()
    let file = try OutputFile(path: "/dev/fd/\(pipe.fileHandleForWriting.fileDescriptor)")
    try write("hello", to: file)
    #expect(pipe.fileHandleForReading.availableData == Data("hello".utf8))
    try file.finish()
  }

  @Test func `what cannot be written is refused before anything is`() throws {
    try withTemporaryFolder { folder in
      let there = folder.appendingPathComponent("there").path
      try "old".write(toFile: there, atomically: false, encoding: .utf8)
      try FileManager.default.createSymbolicLink(
        atPath: folder.appendingPathComponent("dead").path, withDestinationPath: folder.appendingPathComponent("nothing").path)
      #expect(refusal("") == .noName)
      #expect(refusal(folder.path) == .isFolder)
      #expect(refusal(folder.path + "/new/") == .isFolder)
      #expect(refusal(folder.path + "/missing/out.csv") == .noFolder)
      #expect(refusal(there + "/out.csv") == .noFolder)
      #expect(refusal(folder.path + "/dead") == .isDeadLink)
      #expect(refusal(there, isReplacing: false) == .isThere)
      #expect(try names(in: folder) == ["dead", "there"])
    }
  }

  @Test(arguments: ["", "-journal", "-wal", "-shm"])
  func `no file of the database is written over, whether it is there or not`(suffix: String) throws {
    try withTemporaryFolder { folder in
      let database = try makeDatabaseFile(in: folder, named: "a.db", "CREATE TABLE t(a)")
      #expect(refusal(database + suffix, databases: [database]) == .isOpenDatabase)
      let link = folder.appendingPathComponent("link.db").path
      try FileManager.default.createSymbolicLink(atPath: link, withDestinationPath: "a.db")
      #expect(refusal(folder.path + "/./a.db" + suffix, databases: [link]) == .isOpenDatabase)
      #expect(refusal(database) == .isDatabase)
    }
  }

  @Test func `a disk that is full is told`() throws {
    guard FileManager.default.fileExists(atPath: "/dev/full") else { return }
    let file = try OutputFile(path: "/dev/full")
    let error = #expect(throws: OutputFileError.self) { try write("hello", to: file) }
    #expect(error?.kind == .failed(ENOSPC))
    #expect(error?.isOfPath == false)
    #expect(
      error?.description == "“/dev/full” cannot be written: the disk is full, and nothing there was changed. "
        + "Free space, or name a file on another disk.")
  }
}
