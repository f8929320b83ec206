import QuarryChanges
import QuarryEngine
import QuarryRows
import QuarrySources

/// A request that checks an input against the column's constraints; it answers with the fault.
struct CheckCellInput: Request {
  let table: TableReference
  let column: String
  /// The row; nil for several.
  let row: StagedRowID?
  /// The staged changes of the row.
  let staged: StagedRow?
  let input: CellInput

  static let slot = RequestSlot("cell input")
  var slot: RequestSlot? { Self.slot }

  func run(in services: Services, report: @escaping @Sendable (Never) -> Void) async throws -> String? {
    switch input {
    case .value(let value):
      guard let row else { return nil }
      let check = RowCheck(table: table, columns: [column])
      return try await check.fault(of: row, staged: staged, setting: [column: value], services)
    case .file: return nil
    case .expression(let text):
      let columns = try await services.source.filterColumns(of: try await services.source.schema(of: table))
      do throws(FilterErrors) {
        _ = try ColumnExpression.compile(text, columns: columns)
        return nil
      } catch {
        return Problem(describing: error).text
      }
    }
  }
}

/// A request that checks rows with their staged changes against the table's constraints; it answers with the first fault.
struct CheckStagedRows: Request {
  let table: TableReference
  /// The columns with new values; nil for whole rows.
  let columns: [String]?
  let rows: [StagedRowID]
  let changes: StagedChanges

  /// The number of rows to check: the commit reports faults of all other rows.
  static let limit = 200

  var slot: RequestSlot? { RequestSlot("staged rows") }

  func run(in services: Services, report: @escaping @Sendable (Never) -> Void) async throws -> String? {
    let check = RowCheck(table: table, columns: columns)
    for row in rows.prefix(Self.limit) {
      let staged = changes.change(of: row, in: table)
      if let fault = try await check.fault(of: row, staged: staged, services) { return fault }
    }
    return nil
  }
}

/// A check of a row and its staged changes against the constraints of its table.
private struct RowCheck {
  let table: TableReference
  /// The columns whose faults are reported; nil for all.
  ///
  /// A new row may lack values of other columns while it is being filled in.
  let columns: [String]?

  /// Returns the constraint that the row would violate; nil for none, and for a deleted row.
  ///
  /// - Parameter values: Additional values that are not staged.
  func fault(
    of row: StagedRowID, staged: StagedRow?, setting values: [String: StagedValue] = [:], _ services: Services
  ) async throws -> String? {
    guard let known = try await self.values(of: row, staged, services) else { return nil }
    let isStored = if case .stored = row { true } else { false }
    let fault = try await services.edits.fault(in: known.merging(values) { $1 }, of: table, by: isStored ? .update : .insert)
    guard let fault, let columns else { return fault?.reason }
    let isOwn = fault.columns.contains { name in columns.contains { $0.isSameIdentifier(as: name) } } || fault.columns.isEmpty && isStored
    return isOwn ? fault.reason : nil
  }

  /// Returns the future values of the row.
  private func values(of row: StagedRowID, _ staged: StagedRow?, _ services: Services) async throws -> [String: StagedValue]? {
    switch (row, staged) {
    case (.new, .inserted(let values)?): return values
    case (.stored, .deleted?): return nil
    case (.stored(let key), _):
      guard let stored = try await services.edits.storedRows([key], columns: nil, of: table).first ?? nil else { return nil }
      var values = stored.mapValues { StagedValue($0) }
      if case .updated(let cells)? = staged { values.merge(cells.mapValues(\.value)) { $1 } }
      return values
    default: return nil
    }
  }
}
