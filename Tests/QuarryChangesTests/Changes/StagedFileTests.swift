import Foundation
import QuarryChanges
import QuarryEngine
import QuarryRows
import TestSupport
import Testing

@Suite("A file that is staged by its path") struct StagedFileTests {
  private let table = TableReference(name: "t")

  private func staged(_ path: String) throws -> StagedChanges {
    let file = try #require(StagedFile(path: path))
    var changes = StagedChanges()
    try changes.set(.file(file), column: "b", row: .stored(.rowID(1)), of: table, was: .null)
    changes.insert(["b": .file(file)], into: table)
    return changes
  }

  private func read(_ path: String) throws -> [UInt8] { Array(try Data(contentsOf: URL(fileURLWithPath: path))) }

  @Test("is read by the commit, into changed rows and new ones")
  func reading() throws {
    try withTemporaryFolder { folder in
      let path = folder.appending(path: "bytes").path
      try Data([1, 2, 3]).write(to: URL(fileURLWithPath: path))
      let changes = try staged(path)
      #expect(changes.hasFiles && changes.value(of: "b", in: .stored(.rowID(1)), of: table)?.stored == nil)
      let complete = try changes.readingFiles(read)
      #expect(!complete.hasFiles)
      #expect(complete.rows(of: table).map(\.row) == changes.rows(of: table).map(\.row))
      #expect(complete.value(of: "b", in: .stored(.rowID(1)), of: table) == .value(.blob([1, 2, 3])))
      #expect(complete.rows(of: table).last?.change == .inserted(["b": .value(.blob([1, 2, 3]))]))
    }
  }

  @Test("is refused with its rows where it has another size or time, or is gone, also while it is read")
  func changedFile() throws {
    try withTemporaryFolder { folder in
      let path = folder.appending(path: "bytes").path
      let url = URL(fileURLWithPath: path)
      func failures(_ change: () throws -> Void, whileReading: @escaping () throws -> Void = {}) throws -> [ConstraintFailure] {
        try Data([1, 2, 3]).write(to: url)
        let changes = try staged(path)
        try change()
        do {
          _ = try changes.readingFiles { path in
            let bytes = try read(path)
            try whileReading()
            return bytes
          }
          return []
        } catch CommitFailure.constraints(let failures) { return failures }
      }
      let later: [FileAttributeKey: Any] = [.modificationDate: Date(timeIntervalSince1970: 1)]
      #expect(try failures({}).isEmpty)
      for change in [
        { try Data([1, 2]).write(to: url) }, { try FileManager.default.setAttributes(later, ofItemAtPath: path) },
        { try FileManager.default.removeItem(at: url) },
      ] {
        let found = try failures(change)
        #expect(found.count == 2 && found.allSatisfy { $0.columns == ["b"] && $0.reason.contains("stage it again") }, "\(found)")
      }
      #expect(try failures({}, whileReading: { try FileManager.default.setAttributes(later, ofItemAtPath: path) }).count == 2)
    }
  }

  @Test("is no reference where it is no regular file")
  func kinds() throws {
    #expect(StagedFile(path: "/dev/null") == nil && StagedFile(path: "/tmp") == nil && StagedFile(path: "/no/such/file") == nil)
  }
}
