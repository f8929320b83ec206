import QuarryEngine
import QuarryRows
import QuarrySources

/// A table of the database, with the columns that can name its rows where foreign keys refer to them.
struct LabelTable: Hashable, Sendable {
  let name: String
  /// The columns that a line of `config.toml` can contain, in order.
  let columns: [String]
  /// The columns that name the rows if the file names none.
  let standard: [String]

  /// Returns the columns in a text as the table writes them, with commas between them.
  ///
  /// - Throws: `Problem` that names the first unknown column.
  func columns(in text: String) throws(Problem) -> String {
    var found: [String] = []
    for name in Settings.labelColumns(in: text) where !name.isEmpty {
      guard let column = columns.first(where: { $0.isSameIdentifier(as: name) }) else { throw Problem(complaint(about: name)) }
      if !found.contains(column) { found.append(column) }
    }
    return found.joined(separator: ", ")
  }

  /// Returns what is wrong with the name of an unknown column, and the columns to choose from.
  private func complaint(about name: String) -> String {
    if let near = NearestNames.to(name, among: columns).first { return "\(self.name) has no column “\(name)”: did you mean “\(near)”?" }
    let more = columns.count > Self.mostNamed ? ", …" : ""
    return "\(self.name) has no column “\(name)”: it has \(columns.prefix(Self.mostNamed).joined(separator: ", "))\(more)"
  }

  /// The number of columns that a complaint names.
  private static let mostNamed = 5
}

/// A request that reads the tables to which foreign keys refer, and those with configured label columns.
struct LoadLabelTables: Request {
  /// The tables that the file names.
  let configured: [String]

  var slot: RequestSlot? { RequestSlot("label tables") }

  func run(in services: Services, report: @escaping @Sendable (Never) -> Void) async throws -> [LabelTable] {
    let graph = try await services.source.schemaGraph()
    let keys = graph.tables.flatMap(\.foreignKeys).map(\.schema)
    let keysByTable = Dictionary(grouping: keys) { $0.table.name.lowercased() }
    let configured = Set(self.configured.map { $0.lowercased() })
    var tables: [LabelTable] = []
    var known: Set<String> = []
    for table in graph.tables {
      let name = table.reference.name.lowercased()
      // A line of the file applies to the tables of this name in all databases.
      guard keysByTable[name] != nil || configured.contains(name), known.insert(name).inserted else { continue }
      let schema = try await services.source.schema(of: table.reference)
      tables.append(LabelTable(schema, referencedBy: keysByTable[name]?.first))
    }
    return tables.sorted { $0.name.lowercased() < $1.name.lowercased() }
  }
}

extension LabelTable {
  /// Creates the table from its schema and one of the keys that refer to it.
  fileprivate init(_ schema: TableSchema, referencedBy key: ForeignKeySchema?) {
    // A line of the file cannot contain a name with a comma.
    let columns = schema.columns.filter { !$0.isHidden && Settings.labelColumns(in: $0.name) == [$0.name] }.map(\.name)
    self.init(name: schema.entry.reference.name, columns: columns, standard: schema.labelColumns(besides: key?.referencedColumns))
  }
}
