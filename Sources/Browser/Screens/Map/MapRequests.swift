import QuarryEngine
import QuarrySources

/// Reads the tables with their foreign keys, and places them on the map.
struct LoadMap: Request {
  /// The tables to show; nil for all.
  let scope: MapScope?
  /// The width into which groups of tables are packed.
  let columns: Int

  static let slot = RequestSlot("map")
  var slot: RequestSlot? { Self.slot }
  var activity: Activity? { Activity(name: "drawing the map", urgency: .asked) }

  func run(in services: Services, report: @escaping @Sendable (Never) -> Void) async throws -> MapPicture {
    let map = SchemaMap(try await services.source.schemaGraph())
    let shown = scope.map { map.neighborhood(of: $0.table, within: $0.distance) } ?? map
    return MapPicture(shown, of: map.tableCount, columns: columns)
  }
}

/// A table and those around it.
struct MapScope: Hashable, Sendable {
  var table: TableReference
  /// The greatest number of foreign keys between the table and another one.
  var distance: Int
}
