import QuarryEngine
import QuarryRows
import QuarrySources
import Synchronization

/// A request that compiles groups of rows, and reads the values that become the columns of a pivot.
struct CompileGroups: Request {
  let shape: GroupShape
  let source: GroupedSource

  static let slot = RequestSlot("groups")
  var slot: RequestSlot? { Self.slot }
  var activity: Activity? { Activity(name: "grouping \(source.title)", urgency: .asked) }

  func run(in services: Services, report: @escaping @Sendable (Never) -> Void) async throws -> Result<CompiledGroups, GroupError> {
    do {
      let rows = try services.rows(of: source.rowSet, seenBy: source.view, columns: source.columns)
      return .success(try await services.insight.groups(shape, of: rows, columns: source.columns))
    } catch let error as GroupError {
      return .failure(error)
    }
  }
}

/// A request that reads the values by which the rows of a group are grouped.
struct LoadGroup: Request {
  let grid: GridID
  let key: RowKey
  /// The number of levels, whose columns are the first ones.
  let levels: Int

  var slot: RequestSlot? { RequestSlot("group") }

  func run(in services: Services, report: @escaping @Sendable (Never) -> Void) async throws -> [StoredValue] {
    let reader = try services.reader(grid)
    var values: [StoredValue] = []
    for column in 0..<levels {
      guard let value = try await reader.value(key, column: column) else { throw Problem("this group no longer exists") }
      values.append(.value(value))
    }
    return values
  }
}

/// A request that finds a group by the values by which its rows are grouped, and reads the groups around it; nil if no group has them.
struct FindGroup: Request {
  let grid: GridID
  let values: [CellValue]
  let limit: Int

  struct Place: Sendable {
    var page: RowPage
    var key: RowKey
  }

  private struct Found: Error {}

  var slot: RequestSlot? { RequestSlot("group") }

  func run(in services: Services, report: @escaping @Sendable (Never) -> Void) async throws -> Place? {
    let reader = try services.reader(grid)
    let number = Mutex(0)
    do {
      try await reader.forEachRow(columns: Array(values.indices), isOrdered: true) { cells in
        if cells == values { throw Found() }
        number.withLock { $0 += 1 }
      }
      return nil
    } catch is Found {
      let key = RowKey.position(number.withLock(\.self))
      return Place(page: try await reader.rows(around: key, before: limit / 2, limit: limit).page, key: key)
    }
  }
}
