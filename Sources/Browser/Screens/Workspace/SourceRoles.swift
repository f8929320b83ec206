import QuarrySources

/// The roles that the data source has, for what the screens offer.
struct SourceRoles: Sendable {
  var statements = true
  /// Whether a statement stops when it is asked to.
  var stopsStatements = true
  var edits = true
  var editsViews = true
  var commits = true
  // Both are true where nothing is recorded at all: only a record that leaves something out is worth a warning.
  var recordsStatements = true
  var recordsTriggers = true
  var insight = true
  var imports = true
  /// Whether the tables are made of files, which may still be read.
  var fileTables = false

  /// Makes the roles of a database in a file.
  init() {}

  /// Makes the roles of a source.
  init(of source: any DataSource) {
    statements = source.statements != nil
    stopsStatements = source.statements?.stopsStatements ?? true
    edits = source.edits != nil
    editsViews = source.edits?.editsViews ?? false
    commits = source.commits != nil
    recordsStatements = source.commits?.recordsStatements ?? true
    recordsTriggers = source.commits?.recordsTriggers ?? true
    insight = source.insight != nil
    imports = source.files != nil
    fileTables = source.files?.fileTables != nil
  }
}
