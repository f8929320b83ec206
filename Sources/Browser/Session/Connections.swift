public import QuarryEngine

/// The connections of a session, so that nothing waits for anything slower than itself.
public struct Connections: Sendable {
  /// Read the rows of tables and views: what is on the screen, and, apart from that, all that takes long.
  let rows: ReadConnections
  /// Counts the tables of the catalog, and looks for values of columns.
  let catalog: DatabaseQueue
  /// Runs the statements of the editor, and reads the rows that they give.
  let script: ScriptConnection
  /// Which of them wait for a lock.
  let lockWaits: LockWaits

  /// Opens all of them anew, on the files that are there now; nil where that cannot be.
  let reopen: (@Sendable () throws -> Connections)?

  package init(
    rows: ReadConnections, catalog: DatabaseQueue, script: ScriptConnection, lockWaits: LockWaits = LockWaits(),
    reopen: (@Sendable () throws -> Connections)? = nil
  ) {
    self.reopen = reopen
    self.rows = rows
    self.catalog = catalog
    self.script = script
    self.lockWaits = lockWaits
  }

  /// Reads what is on the screen.
  public var foreground: DatabaseQueue { rows.foreground }

  /// Makes what reads the rows of a grid; those of a query where its transaction and its temporary tables are seen.
  func reader(of set: RowSet) throws -> RowReader {
    guard case .query = set.source else { return RowReader(set, on: rows) }
    let queue = try script.queue()
    return RowReader(set, on: ReadConnections(foreground: queue, background: queue))
  }

  /// Makes what looks for values of a column while others read the rows.
  func valueReader(of set: RowSet) throws -> RowReader {
    guard case .query = set.source else { return RowReader(set, on: ReadConnections(foreground: catalog, background: catalog)) }
    return try reader(of: set)
  }
}
