import Foundation
import QuarryEngine
import TestSupport
import Testing

/// What the system says is behind an error reaches the person who reads it.
@Suite struct SystemErrorTests {
  private func sentence(_ code: ResultCode, _ systemError: Int32) -> String {
    var error = DatabaseError(code)
    error.systemError = systemError
    return error.sentence
  }

  @Test func `each error of the system keeps its words, with what to do about it`() {
    #expect(
      sentence(DatabaseError.SQLITE_CANTOPEN, ENOSPC)
        == """
        the database, or a file that SQLite creates next to it, cannot be opened (No space left on device). \
        Free space on that disk; `df` and `df -i` show the usage.
        """)
    #expect(sentence(DatabaseError.SQLITE_CANTOPEN, EMFILE).contains("(Too many open files). Raise the limit of open files"))
    #expect(sentence(DatabaseError.SQLITE_CANTOPEN, EACCES).contains("(Permission denied). Check the permissions"))
    #expect(sentence(DatabaseError.SQLITE_CANTOPEN, 0) == "unable to open database file")
    #expect(sentence(DatabaseError.SQLITE_IOERR, ENOSPC).hasPrefix("there is no space left to write to"))
    let damage = sentence(DatabaseError.SQLITE_CORRUPT, EIO)
    #expect(damage.contains("Input/output error") && damage.contains("works") && !damage.contains(".recover"))
  }

  @Test(arguments: [(EMFILE, "ulimit -n"), (ENOSPC, "df -i"), (EIO, "connected"), (EFBIG, "ulimit -f")])
  func `what the system lacks is no fault of the file that is opened`(_ code: Int32, _ advice: String) {
    var cause = DatabaseError(DatabaseError.SQLITE_CANTOPEN)
    cause.systemError = code
    let opening = DatabaseOpenError(kind: .cannotOpen, path: "a.db", underlying: cause).description
    #expect(opening.hasPrefix("“a.db” cannot be opened (\(String(cString: strerror(code)))). ") && opening.contains(advice), "\(opening)")
  }

  @Test func `a journal that cannot be made is named by the system's words`() throws {
    try withTemporaryFolder { folder in
      let path = try makeDatabaseFile(in: folder, "CREATE TABLE t(a)")
      let queue = try DatabaseQueue(path: path)
      // SQLite makes no journal by way of a link.
      try FileManager.default.createSymbolicLink(atPath: path + "-journal", withDestinationPath: "/no/such/folder/journal")
      let error = expectError(DatabaseError.SQLITE_CANTOPEN) { try queue.write { try $0.execute(sql: "INSERT INTO t VALUES (1)") } }
      #expect(error?.sentence.contains(String(cString: strerror(ELOOP))) == true, "\(error?.sentence ?? "")")
    }
  }
}
