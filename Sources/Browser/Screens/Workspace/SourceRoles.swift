import QuarrySources

/// The roles of the data source, which determine the available commands.
struct SourceRoles: Sendable {
  var statements = true
  /// Whether a running statement can be stopped.
  var stopsStatements = true
  var edits = true
  var editsViews = true
  var commits = true
  // Both are true if nothing is recorded at all: only an incomplete record needs a warning.
  var recordsStatements = true
  var recordsTriggers = true
  var insight = true
  var health = true
  /// Whether indexes can be measured.
  var advice = true
  var imports = true
  var designs = true
  /// Whether the tables are read from files, which may not be complete yet.
  var fileTables = false

  /// Creates the roles of a database in a file.
  init() {}

  /// Creates the roles of a source.
  init(of source: any DataSource) {
    statements = source.statements != nil
    stopsStatements = source.statements?.stopsStatements ?? true
    edits = source.edits != nil
    editsViews = source.edits?.editsViews ?? false
    commits = source.commits != nil
    recordsStatements = source.commits?.recordsStatements ?? true
    recordsTriggers = source.commits?.recordsTriggers ?? true
    insight = source.insight != nil
    health = source.health != nil
    advice = source.advice != nil
    imports = source.files != nil
    designs = source.designs != nil
    fileTables = source.files?.fileTables != nil
  }
}
