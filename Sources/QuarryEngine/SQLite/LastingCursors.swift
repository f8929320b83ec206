/// Cursors that go on where they stand in later accesses, where every other statement is reset when its access ends.
///
/// A cursor that lasts keeps its lock on the file, and the connection on the state of the file that it reads.
struct LastingCursors {
  /// What a cursor is known by between two accesses.
  struct Token: Hashable, Sendable {
    fileprivate let number: Int
  }

  private var cursors: [Token: Statement] = [:]
  private var count = 0

  fileprivate mutating func add(_ cursor: Statement) -> Token {
    count += 1
    cursors[Token(number: count)] = cursor
    return Token(number: count)
  }

  fileprivate mutating func remove(_ token: Token) -> Statement? {
    cursors.removeValue(forKey: token)
  }

  fileprivate var all: some Sequence<Statement> { cursors.values }

  mutating func removeAll() {
    cursors.removeAll()
  }

  /// Whether the end of an access leaves a C statement as it is.
  func contains(_ statement: SQLiteStatement) -> Bool {
    cursors.values.contains { $0.sqliteStatement == statement }
  }
}

extension Database {
  /// Lets a statement stay on its row past the end of the access.
  func keepRunning(_ cursor: Statement) -> LastingCursors.Token {
    lastingCursors.add(cursor)
  }

  /// Takes a cursor back, so that the access under way can step it on; nil where it has been ended.
  func resume(_ token: LastingCursors.Token) -> Statement? {
    let cursor = lastingCursors.remove(token)
    cursor?.accessNumber = currentAccess
    return cursor
  }

  /// Ends every read that lasts past its access, and with them the locks that they keep on the file; what reads on begins anew.
  ///
  /// ```swift
  /// try reader.withoutTransaction { db in db.endLastingReads() }
  /// try writer.withoutTransaction { db in try db.execute(sql: "COMMIT") }
  /// ```
  public func endLastingReads() {
    for cursor in lastingCursors.all { cursor.rewind() }
    lastingCursors.removeAll()
  }

  /// Ends a cursor where it stands.
  func endCursor(_ token: LastingCursors.Token) {
    resume(token)?.rewind()
  }
}
