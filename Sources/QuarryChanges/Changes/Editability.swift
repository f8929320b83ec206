public import QuarryEngine

/// An operation on a row.
public enum RowOperation: Hashable, Sendable, CaseIterable {
  /// Changes columns of the row.
  case update
  /// Inserts the row.
  case insert
  /// Deletes the row.
  case delete
}

/// Whether a change is possible, with the reason if not.
public enum Editability: Hashable, Sendable {
  /// The change is possible.
  case editable
  /// The change is not possible, with the reason as a part of a sentence: `a generated column`.
  case refused(String)

  /// The reason why the change is not possible, as a part of a sentence, or nil if it is possible.
  public var reason: String? {
    if case .refused(let reason) = self { reason } else { nil }
  }
}

extension TableSchema {
  /// Returns whether rows of the table can be changed, with the reason if not.
  ///
  /// ```swift
  /// schema.editability(of: .update)                   // .editable
  /// schema.editability(of: .update, column: "total")  // .refused("total is a generated column")
  /// ```
  ///
  /// - Parameters:
  ///   - operation: The operation.
  ///   - column: The column to change, or nil for the row in general.
  ///   - refusal: The reason why the source is read-only, or nil if it is writable.
  public func editability(of operation: RowOperation, column: String? = nil, refusal: String? = nil) -> Editability {
    if let reason = refusal ?? problem ?? kindRefusal(of: operation, column: column) { return .refused(reason) }
    guard let column, entry.kind != .view else { return .editable }
    return columnRefusal(column).map(Editability.refused) ?? .editable
  }

  private func kindRefusal(of operation: RowOperation, column: String?) -> String? {
    switch entry.kind {
    case .view: viewRefusal(of: operation, column: column)
    case .shadow(let owner): "it is a shadow table, which stores the data of “\(owner)”"
    case .system: isSchemaTable ? "it is SQLite's schema table" : nil
    case .virtual(let module) where Self.refusingModules.contains(module.lowercased()):
      "it is a virtual table of \(module), which is read-only"
    case .virtual: contentRefusal ?? keyRefusal
    case .table: keyRefusal
    }
  }

  private var keyRefusal: String? { hasKey ? nil : "no key identifies its rows" }

  /// The reason why a full-text table without its own texts cannot be changed: its index would no longer match its texts.
  private var contentRefusal: String? {
    switch sql.flatMap(FullTextContent.init) {
    case .table(let name): "its text is stored in “\(name)”: change it there"
    case .nowhere(canDelete: false): "it stores no text (a contentless table)"
    case .own, .nowhere(canDelete: true), nil: nil
    }
  }

  private func viewRefusal(of operation: RowOperation, column: String?) -> String? {
    let headers = triggers.compactMap { TriggerHeader($0.sql) }.filter { $0.operation == operation }
    let word = operation.keyword
    guard !headers.isEmpty else { return "it is a view without an INSTEAD OF \(word) trigger" }
    guard let column, operation == .update, !headers.contains(where: { $0.fires(for: column) }) else { return nil }
    return "the view has no INSTEAD OF UPDATE trigger for \(column)"
  }

  private func columnRefusal(_ name: String) -> String? {
    guard let column = column(named: name) else { return "there is no column \(name)" }
    if column.generation != nil { return "\(name) is a generated column" }
    if column.isHidden { return "\(name) is a hidden column" }
    return nil
  }

  private var isSchemaTable: Bool {
    ["sqlite_schema", "sqlite_master", "sqlite_temp_schema", "sqlite_temp_master"].contains {
      $0.isSameIdentifier(as: entry.reference.name)
    }
  }

  /// Whether rows can be identified by a key, or by a name of the rowid that is not hidden by a column.
  private var hasKey: Bool {
    entry.isWithoutRowID || rowIDName != nil
  }

  /// The columns that identify a row in addition to its rowid.
  ///
  /// Empty if the row has a key of its own.
  ///
  /// They are needed because a VACUUM may change rowids that are not a column. They are the columns of the primary key, or else all stored
  /// columns.
  public var identityColumns: [String] {
    guard case .table = entry.kind, !entry.isWithoutRowID, !columns.contains(where: \.isRowID) else { return [] }
    return primaryKey.isEmpty ? columns.filter { $0.generation == nil && !$0.isHidden }.map(\.name) : primaryKey
  }

  /// The name of the rowid that no other column hides, or nil for a table without one.
  package var rowIDName: String? {
    guard !entry.isWithoutRowID, entry.kind != .view else { return nil }
    if let column = columns.first(where: \.isRowID) { return column.name }
    return ["rowid", "_rowid_", "oid"].first { column(named: $0) == nil }
  }

  /// The modules included with SQLite whose tables are read-only.
  private static let refusingModules: Set<String> = [
    "fts5vocab", "fts3tokenize", "fts4aux", "dbstat", "json_each", "json_tree", "generate_series", "bytecode", "tables_used", "sqlite_stmt",
    "completion", "csv",
  ]
}

extension RowOperation {
  /// The SQL keyword of the operation.
  var keyword: String {
    switch self {
    case .update: "UPDATE"
    case .insert: "INSERT"
    case .delete: "DELETE"
    }
  }
}

/// The event of a trigger, parsed from its SQL.
///
///     CREATE TRIGGER t INSTEAD OF UPDATE OF name, score ON v BEGIN … END
struct TriggerHeader: Hashable {
  var operation: RowOperation
  /// The columns after OF, or empty for all columns.
  var columns: [String] = []

  /// Parses the SQL of a trigger.
  ///
  /// Returns nil for any other text.
  init?(_ sql: String) {
    let tokens = StatementTokens(sql)
    guard var index = (0..<tokens.count).first(where: { tokens.keyword($0) == .trigger }).map({ $0 + 1 }) else { return nil }
    if tokens.keyword(index) == .if { index += 3 }
    index += tokens.isSymbol(index + 1, ".") ? 3 : 1
    if [.before, .after].contains(tokens.keyword(index)) { index += 1 }
    if tokens.keyword(index) == .instead { index += 2 }
    switch tokens.keyword(index) {
    case .update: operation = .update
    case .insert: operation = .insert
    case .delete: operation = .delete
    default: return nil
    }
    guard tokens.keyword(index + 1) == .of else { return }
    let end = (index..<tokens.count).first { tokens.keyword($0) == .on } ?? tokens.count
    columns = tokens.items(in: min(index + 2, end)..<end).compactMap { tokens.name($0.lowerBound) }
  }

  /// Returns whether a change of a column fires the trigger.
  func fires(for column: String) -> Bool {
    columns.isEmpty || columns.contains { $0.isSameIdentifier(as: column) }
  }
}
