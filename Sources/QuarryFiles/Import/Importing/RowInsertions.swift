internal import QuarryEngine

/// The statements that write single records of a file into an existing table.
///
/// A JSON object that updates a row may lack some of the keys, and the row then keeps its values in those columns. Each set of columns has
/// its own statement. All other records have the same one.
///
///     INSERT OR ABORT INTO main.Track(TrackId, Name, Price) VALUES (?, ?, ?) ON CONFLICT(TrackId) DO UPDATE SET Name = …, Price = …
///     INSERT OR ABORT INTO main.Track(TrackId, Price) VALUES (?, ?) ON CONFLICT(TrackId) DO UPDATE SET Price = …
final class RowInsertions {
  private let sql: ImportSQL
  private let places: [Int]
  private let db: Database
  /// The statement for all columns.
  private let whole: RowInsertion
  /// The statements for some of the columns, by the indexes of these.
  private var partial: [[Int]: RowInsertion] = [:]
  /// The indexes of the columns that each record gives a value to, NULL if it has none.
  private let keyIndexes: Set<Int>

  /// The maximum number of statements for some of the columns.
  private static let mostPartial = 64

  /// Prepares the statement for all columns.
  ///
  /// - Parameter places: The indexes in the file of the columns of `sql`, in order.
  init(_ sql: ImportSQL, places: [Int], in db: Database) throws {
    (self.sql, self.places, self.db) = (sql, places, db)
    whole = try RowInsertion(sql: sql.insertion, places: places, in: db)
    keyIndexes = Set(places.indices.filter { sql.isOfKey(sql.columns[$0]) })
  }

  /// Inserts a record, or updates a row by it.
  func insert(_ record: Int, of block: RecordStream.Block) throws {
    let insertion = mayLackColumns(block.records) ? try insertion(for: record, of: block.records) : whole
    try insertion.insert(record..<record + 1, of: block.records, as: block.types)
  }

  /// Returns whether records may lack columns that their rows then keep.
  @inline(__always)
  private func mayLackColumns(_ batch: RecordBatch) -> Bool {
    sql.rule == .update && (batch.hasAbsentFields || places.last.map { $0 >= batch.columnCount } ?? false)
  }

  private func insertion(for record: Int, of batch: RecordBatch) throws -> RowInsertion {
    let present = places.indices.filter { index in
      let place = places[index]
      // A column that is not in the batch was not known yet when it was read.
      return keyIndexes.contains(index) || place < batch.columnCount && !batch.field(record, place).isAbsent
    }
    if present.count == places.count { return whole }
    if let insertion = partial[present] { return insertion }
    if partial.count == Self.mostPartial { partial.removeAll() }
    var sql = sql
    sql.columns = present.map { self.sql.columns[$0] }
    let insertion = try RowInsertion(sql: sql.insertion, places: present.map { places[$0] }, in: db)
    partial[present] = insertion
    return insertion
  }
}
