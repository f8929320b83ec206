/// What a data source can do beyond showing rows, in its tables' own order or sorted.
public struct DataSourceCapabilities: OptionSet, Sendable {
  public let rawValue: Int

  public init(rawValue: Int) {
    self.rawValue = rawValue
  }

  /// Its readers take the filter of a row set.
  public static let filters = DataSourceCapabilities(rawValue: 1)
  /// It runs statements: ``DataSource/prepare(_:)``, ``DataSource/run(_:_:unkeptRows:)``.
  public static let statements = DataSourceCapabilities(rawValue: 2)
  /// It says how it would run a statement: ``DataSource/plan(of:)``.
  public static let plans = DataSourceCapabilities(rawValue: 4)
  /// It keeps a record of what is committed: ``DataSource/commits()``, ``DataSource/undo(_:choosing:)``.
  public static let undo = DataSourceCapabilities(rawValue: 8)

  /// Its rows can be changed: ``DataSource/commit(_:)``.
  public static let edits = DataSourceCapabilities(rawValue: 16)
  /// It knows what its data is like: ``DataSource/counts(_:progress:)``, ``DataSource/profile(_:progress:)``,
  /// ``DataSource/facets(_:progress:)``, ``DataSource/jsonPaths(of:in:progress:)``.
  public static let insight = DataSourceCapabilities(rawValue: 32)

  /// It looks for a text in all tables: ``DataSource/search(_:report:)``.
  public static let search = DataSourceCapabilities(rawValue: 64)

  /// Files can be read into its tables: ``DataSource/preview(of:)``, ``DataSource/importRows(_:progress:)``.
  public static let imports = DataSourceCapabilities(rawValue: 128)

  /// Rows of views are changed by their INSTEAD OF triggers.
  public static let viewEdits = DataSourceCapabilities(rawValue: 4096)

  /// What statements change is recorded and undone too.
  public static let statementRecords = DataSourceCapabilities(rawValue: 8192)

  /// What triggers and the actions of foreign keys change is recorded and undone too.
  public static let triggerRecords = DataSourceCapabilities(rawValue: 2048)

  /// Its tables are made of files, which may still be read: ``DataSource/fileTables``.
  public static let files = DataSourceCapabilities(rawValue: 1024)

  /// What it runs stops when it is asked to; otherwise it is only waited for no longer.
  public static let stops = DataSourceCapabilities(rawValue: 256)

  /// All that a database can do.
  public static let all: DataSourceCapabilities = [
    .filters, .statements, .plans, .undo, .edits, .insight, .search, .imports, .triggerRecords, .viewEdits,
    .statementRecords, .stops,
  ]
}
