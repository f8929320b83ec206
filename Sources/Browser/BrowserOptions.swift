public import QuarryEngine

/// What the command line and the settings say of a session.
public struct BrowserOptions: Hashable, Sendable {
  /// What the title says is open: the file's name.
  public var title: String
  /// What the title says besides: `read-only`.
  public var badge: String?
  public var isASCII: Bool
  /// The columns of the catalog, where the screen has room for them.
  public var catalogWidth: Int
  /// The table to open first.
  public var table: TableReference?
  /// The names of the columns to show of it, in their order; all where it is empty.
  public var columns: [String]
  /// How its rows are seen first; a plain view leaves it to what is remembered.
  public var view: RowView

  public init(
    title: String, badge: String? = nil, isASCII: Bool = false, catalogWidth: Int = 30, table: TableReference? = nil,
    columns: [String] = [],
    view: RowView = RowView()
  ) {
    self.title = title
    self.badge = badge
    self.isASCII = isASCII
    self.catalogWidth = catalogWidth
    self.table = table
    self.columns = columns
    self.view = view
  }
}
