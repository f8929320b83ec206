public import QuarryEngine

/// What is to be written and has not been: changed cells, new rows and rows to be deleted, by table.
///
/// ```swift
/// var changes = StagedChanges()
/// try changes.set(.value("Arthur"), column: "name", row: .stored(.rowID(1)), of: player, was: .value("Arhtur"))
/// changes.counts.cells                                                 // 1
/// changes.value(of: "name", in: .stored(.rowID(1)), of: player)  // "Arthur"
/// ```
///
/// It is a value: nothing here reads or writes a database.
public struct StagedChanges: Hashable, Sendable {
  /// The tables that have changes or had some, in the order in which they were first touched.
  private(set) var touched: [TableReference] = []
  private(set) var byTable: [TableReference: StagedTable] = [:]
  /// The number of the next new row, and of the next row that is touched.
  private(set) var nextNumber = 1
  /// How much is staged.
  public private(set) var counts = ChangeCounts()
  /// A random number that tells the changes from all others, those of the same content too; nil before the first.
  ///
  /// A commit is recorded with it, so that what was committed is not taken for left behind.
  package var identity: Int64?

  /// Makes a value that has no changes.
  public init() {}

  /// Whether nothing is staged.
  public var isEmpty: Bool { counts.changes == 0 }

  /// The tables that have changes, in the order in which they were first touched.
  public var tables: [TableReference] { touched.filter { byTable[$0]?.isEmpty == false } }

  // MARK: Look-ups

  /// Returns how much is staged of a table.
  public func counts(of table: TableReference) -> ChangeCounts { byTable[table]?.counts ?? ChangeCounts() }

  /// Returns what is to become of a row; nil where nothing is staged of it.
  public func change(of row: StagedRowID, in table: TableReference) -> StagedRow? { byTable[table]?[row]?.change }

  /// Returns whether a row is changed, new or to be deleted; nil where nothing is staged of it.
  public func status(of row: StagedRowID, in table: TableReference) -> StagedRow.Kind? { change(of: row, in: table)?.kind }

  /// Returns what a column is to be; nil where it stays as it is in the file.
  public func value(of column: String, in row: StagedRowID, of table: TableReference) -> StagedValue? {
    change(of: row, in: table)?.value(of: column)
  }

  /// Returns the numbers of a table's new rows, in the order in which they were made.
  public func newRows(of table: TableReference) -> [Int] { byTable[table]?.newRows ?? [] }

  /// Returns the rows of a table of which something is staged, in the order in which they were first touched.
  public func rows(of table: TableReference) -> [(row: StagedRowID, change: StagedRow)] { byTable[table]?.ordered ?? [] }

  // MARK: Changing

  /// Changes the change of one row.
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

  /// Puts the change of one row back to what it was.
  mutating func restore(_ entry: StagedTable.Entry?, at address: RowAddress) {
    if byTable[address.table] == nil {
      guard entry != nil else { return }
      touched.append(address.table)
    }
    counts -= counts(of: address.table)
    byTable[address.table, default: StagedTable()][address.row] = entry
    counts += counts(of: address.table)
  }

  /// Takes over the change of a row that another session has staged.
  mutating func adopt(_ row: StagedRowID, of table: TableReference, _ change: StagedRow) {
    restore(StagedTable.Entry(change: change, place: nextNumber), at: RowAddress(table: table, row: row))
    if case .new(let number) = row { nextNumber = max(nextNumber, number) }
    nextNumber += 1
  }

  /// Returns the current change of one row, with its place.
  func entry(at address: RowAddress) -> StagedTable.Entry? { byTable[address.table]?[address.row] }

  /// Takes out everything; new rows get numbers that no row had before.
  mutating func removeAll() {
    let next = nextNumber
    self = StagedChanges()
    nextNumber = next
  }

  /// Makes the changes others than those that a commit may have recorded, though of the same content.
  mutating func renewIdentity() { identity = .random(in: .min ... .max) }

  /// Returns a number that no other new row has.
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
