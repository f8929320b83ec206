public import QuarryEngine

/// Uncommitted changes: changed cells, new rows and deleted rows, by table.
///
/// ```swift
/// var changes = StagedChanges()
/// try changes.set(.value("Arthur"), column: "name", row: .stored(.rowID(1)), of: player, was: .value("Arhtur"))
/// changes.counts.cells                                                 // 1
/// changes.value(of: "name", in: .stored(.rowID(1)), of: player)  // "Arthur"
/// ```
///
/// This is a value type that does not access a database.
public struct StagedChanges: Hashable, Sendable {
  /// The tables that have or had changes, in the order of their first change.
  private(set) var touched: [TableReference] = []
  private(set) var byTable: [TableReference: StagedTable] = [:]
  /// The number of the next new row, and of the next changed row.
  private(set) var nextNumber = 1
  /// The numbers of staged changes.
  public private(set) var counts = ChangeCounts()
  /// A random number that identifies these changes, even among changes with the same content.
  ///
  /// Nil before the first change.
  ///
  /// A commit is recorded with it, so that committed changes are not offered again as uncommitted ones.
  package var identity: Int64?

  /// Creates a value without changes.
  public init() {}

  /// Whether there are no staged changes.
  public var isEmpty: Bool { counts.changes == 0 }

  /// The tables that have changes, in the order of their first change.
  public var tables: [TableReference] { touched.filter { byTable[$0]?.isEmpty == false } }

  // MARK: Look-ups

  /// Returns the numbers of staged changes of a table.
  public func counts(of table: TableReference) -> ChangeCounts { byTable[table]?.counts ?? ChangeCounts() }

  /// Returns the staged change of a row, or nil if the row has no staged change.
  public func change(of row: StagedRowID, in table: TableReference) -> StagedRow? { byTable[table]?[row]?.change }

  /// Returns whether a row is changed, new or deleted, or nil if it has no staged change.
  public func status(of row: StagedRowID, in table: TableReference) -> StagedRow.Kind? { change(of: row, in: table)?.kind }

  /// Returns the staged value of a column, or nil if the column is unchanged.
  public func value(of column: String, in row: StagedRowID, of table: TableReference) -> StagedValue? {
    change(of: row, in: table)?.value(of: column)
  }

  /// Returns the numbers of a table's new rows, in the order of their creation.
  public func newRows(of table: TableReference) -> [Int] { byTable[table]?.newRows ?? [] }

  /// Returns the rows of a table with staged changes, in the order of their first change.
  public func rows(of table: TableReference) -> [(row: StagedRowID, change: StagedRow)] { byTable[table]?.ordered ?? [] }

  // MARK: Changing

  /// Updates the staged change of one row.
  mutating func update(_ row: StagedRowID, of table: TableReference, _ body: (inout StagedRow?) -> Void) {
    if byTable[table] == nil { touched.append(table) }
    identity = identity ?? .random(in: .min ... .max)
    let place = nextNumber
    counts -= counts(of: table)
    byTable[table, default: StagedTable()].update(row) { entry in
      let oldPlace = entry?.place
      var change = entry.take()?.change
      body(&change)
      entry = change.map { StagedTable.Entry(change: $0, place: oldPlace ?? place) }
    }
    counts += counts(of: table)
    nextNumber += 1
  }

  /// Restores an earlier state of the change of one row.
  mutating func restore(_ entry: StagedTable.Entry?, at address: RowAddress) {
    if byTable[address.table] == nil {
      guard entry != nil else { return }
      touched.append(address.table)
    }
    counts -= counts(of: address.table)
    byTable[address.table, default: StagedTable()][address.row] = entry
    counts += counts(of: address.table)
  }

  /// Adopts the change of a row that another session has staged.
  mutating func adopt(_ row: StagedRowID, of table: TableReference, _ change: StagedRow) {
    restore(StagedTable.Entry(change: change, place: nextNumber), at: RowAddress(table: table, row: row))
    if case .new(let number) = row { nextNumber = max(nextNumber, number) }
    nextNumber += 1
  }

  /// Returns the current change of one row with its position.
  func entry(at address: RowAddress) -> StagedTable.Entry? { byTable[address.table]?[address.row] }

  /// Removes all changes.
  ///
  /// The numbers of new rows are not reused.
  mutating func removeAll() {
    let next = nextNumber
    self = StagedChanges()
    nextNumber = next
  }

  /// Assigns a new identity, so that the changes differ from recorded ones with the same content.
  mutating func renewIdentity() { identity = .random(in: .min ... .max) }

  /// Returns a unique number for a new row.
  mutating func takeNumber() -> Int {
    defer { nextNumber += 1 }
    return nextNumber
  }
}

/// A row and its table.
package struct RowAddress: Hashable, Sendable {
  package var table: TableReference
  package var row: StagedRowID

  package init(table: TableReference, row: StagedRowID) {
    (self.table, self.row) = (table, row)
  }
}
