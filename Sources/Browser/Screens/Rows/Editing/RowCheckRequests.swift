import QuarryChanges
import QuarryEngine
import QuarryRows
import QuarrySources

/// Looks whether the column's rules take an input; answers with what is wrong.
struct CheckCellInput: Request {
  let table: TableReference
  let column: String
  /// The row; nil for several.
  let row: StagedRowID?
  /// What is staged of the row.
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

/// Looks whether rows with what was staged of them keep to their table's rules; answers with what is wrong with the first that does not.
struct CheckStagedRows: Request {
  let table: TableReference
  /// The columns that were given values; nil for whole rows.
  let columns: [String]?
  let rows: [StagedRowID]
  let changes: StagedChanges

  /// The number of rows that are looked at: a commit tells of the others.
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

/// What a table's rules say about a row with what is staged of it.
private struct RowCheck {
  let table: TableReference
  /// The columns whose faults count; nil for all: a new row that is being filled in may lack values of others for now.
  let columns: [String]?

  /// Returns which rule of the table the row would break; nil for none, and for a row that is gone or is to be deleted.
  ///
  /// - Parameter values: Values besides those that are staged.
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

  /// Returns the values that the row will have.
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
