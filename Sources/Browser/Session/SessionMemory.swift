package import QuarryEngine
package import QuarryRows

/// The saved state of a database between sessions: the view of each table, and the texts that the person has entered.
package struct SessionMemory: Hashable, Sendable, Codable {
  var views: [String: TableView] = [:]
  var keptFilters: [String: [KeptFilter]] = [:]
  /// The texts entered in the bars, by table.
  var written: [String: WrittenTexts]? = [:]
  /// The texts in the editor.
  package var buffers: [Buffer]? = []
  /// The arguments of statements, oldest first.
  var arguments: [Arguments]? = []
  /// The names of the commands chosen from the palette, the latest last, each once.
  var commands: [String]?

  /// The view of a table.
  package struct TableView: Hashable, Sendable, Codable {
    package var filter = ""
    package var sort = ""
    /// The names of the hidden columns.
    var hidden: [String] = []
    var frozen = 0
    /// The values of the filter's parameters.
    var arguments: [StoredArgument]?
    /// The texts of the computed columns.
    package var columns: [String]?
    /// Whether referenced rows are shown for foreign keys; nil means false.
    package var showsReferences: Bool?

    package init(
      filter: String = "", sort: String = "", hidden: [String] = [], frozen: Int = 0, arguments: [StoredArgument]? = nil,
      columns: [String]? = nil, showsReferences: Bool? = nil
    ) {
      self.filter = filter
      self.sort = sort
      self.hidden = hidden
      self.frozen = frozen
      self.arguments = arguments
      self.columns = columns
      self.showsReferences = showsReferences
    }

    /// The filter, the order and the computed columns.
    var view: RowView {
      let values = (arguments ?? []).compactMap { argument in argument.value.map { (argument.identity, $0) } }
      return RowView(filter: filter, sort: sort, arguments: Dictionary(values) { $1 }, columns: columns ?? [])
    }
  }

  /// A named filter.
  package struct KeptFilter: Hashable, Sendable, Codable {
    package var name: String
    var text: String

    package init(name: String, text: String) {
      (self.name, self.text) = (name, text)
    }
  }

  /// The filters, the orders and the computed columns entered for one table.
  struct WrittenTexts: Hashable, Sendable, Codable {
    var filters = History()
    var sorts = History()
    var columns: History?

    struct History: Hashable, Sendable, Codable {
      /// The applied texts, newest first.
      var applied: [String] = []
      /// The last text that was not applied, until a text is applied.
      var draft: String?
    }

    subscript(text: RowView.Text) -> History {
      get {
        switch text {
        case .filter: filters
        case .sort: sorts
        case .column: columns ?? History()
        }
      }
      set {
        switch text {
        case .filter: filters = newValue
        case .sort: sorts = newValue
        case .column: columns = newValue
        }
      }
    }
  }

  /// A text in the editor, and its origin.
  package struct Buffer: Hashable, Sendable, Codable {
    package var text: String
    var statement: String?
    var file: String?
    /// Whether the text differs from the text at its origin.
    var isChanged: Bool?

    package init(text: String, statement: String? = nil, file: String? = nil, isChanged: Bool? = nil) {
      self.text = text
      self.statement = statement
      self.file = file
      self.isChanged = isChanged
    }
  }

  /// The arguments of one statement.
  struct Arguments: Hashable, Sendable, Codable {
    var sql: String
    var values: [StoredArgument]
    /// The files for parameters whose value is the content of a file.
    var files: [String: String]?
  }

  static let historyLimit = 200

  /// How many chosen commands are remembered.
  private static let commandLimit = 5

  /// The commands chosen from the palette, the latest first.
  package var chosenCommands: [Command] { (commands ?? []).reversed().map { Command(rawValue: $0) } }

  /// Notes that a command was chosen from the palette.
  mutating func noteChosen(_ command: Command) {
    commands = ((commands ?? []).filter { $0 != command.rawValue } + [command.rawValue]).suffix(Self.commandLimit)
  }

  package init() {}

  package subscript(table: TableReference) -> TableView? {
    get { views[Self.key(table)] }
    set {
      let (key, view) = (Self.key(table), newValue == TableView() ? nil : newValue)
      // Assigning only changed values keeps the storage shared, so that comparing memories costs nothing.
      if views[key] != view { views[key] = view }
    }
  }

  package func keptFilters(of table: TableReference) -> [KeptFilter] {
    keptFilters[Self.key(table)] ?? []
  }

  /// Saves a filter, replacing a filter of the same name.
  package mutating func keep(_ filter: KeptFilter, of table: TableReference) {
    keptFilters[Self.key(table), default: []].removeAll { $0.name == filter.name }
    keptFilters[Self.key(table), default: []].append(filter)
  }

  /// Returns the last arguments of a statement, by parameter identity.
  package func arguments(of sql: String) -> [String: ParameterInput] {
    let sql = SQLSpacing.collapsed(sql)
    guard let kept = arguments?.last(where: { $0.sql == sql }) else { return [:] }
    let values = kept.values.compactMap { argument in argument.value.map { (argument.identity, ParameterInput.value($0)) } }
    let files = (kept.files ?? [:]).map { ($0.key, ParameterInput.file($0.value)) }
    return Dictionary(values + files) { $1 }
  }

  /// Saves the arguments of a statement.
  package mutating func remember(_ inputs: [String: ParameterInput], of sql: String) {
    guard !inputs.isEmpty else { return }
    let sql = SQLSpacing.collapsed(sql)
    var kept = Arguments(sql: sql, values: [])
    for (identity, input) in inputs.sorted(by: { $0.key < $1.key }) {
      switch input {
      case .value(let value): kept.values.append(StoredArgument(identity, value))
      case .file(let path): kept.files = (kept.files ?? [:]).merging([identity: path]) { $1 }
      }
    }
    var all = (arguments ?? []).filter { $0.sql != sql }
    all.append(kept)
    arguments = Array(all.suffix(Self.historyLimit))
  }

  /// Returns the texts entered in a bar for a table, newest first; a nil table means results of statements.
  package func history(of text: RowView.Text, for table: TableReference?) -> [String] {
    guard let history = written?[Self.key(table)]?[text] else { return [] }
    return (history.draft.map { [$0] } ?? []) + history.applied
  }

  /// Moves the texts of a view to the front.
  package mutating func note(_ view: RowView, for table: TableReference?) {
    for text in [RowView.Text.filter, .sort] + view.columns.indices.map({ .column($0) }) where !view[text].isBlank {
      change(text, for: table) { history in
        if history.draft == view[text] { history.draft = nil }
        history.applied.removeAll { $0 == view[text] }
        history.applied.insert(view[text], at: 0)
        history.applied.removeLast(max(0, history.applied.count - Self.historyLimit))
      }
    }
  }

  /// Saves a text that was not applied, replacing the former one.
  mutating func keep(draft: String, of text: RowView.Text, for table: TableReference?) {
    guard !draft.isBlank else { return }
    change(text, for: table) { $0.draft = $0.applied.contains(draft) ? $0.draft : draft }
  }

  /// Makes the text of a removed computed column the first of the history.
  mutating func keep(removed column: String, for table: TableReference?) {
    change(.column(0), for: table) { history in
      history.applied.removeAll { $0 == column }
      history.draft = column
    }
  }

  private mutating func change(_ text: RowView.Text, for table: TableReference?, _ change: (inout WrittenTexts.History) -> Void) {
    var texts = written?[Self.key(table)] ?? WrittenTexts()
    change(&texts[text])
    written = (written ?? [:]).merging([Self.key(table): texts]) { $1 }
  }

  /// Returns the key of a table; nil means results of statements.
  static func key(_ table: TableReference?) -> String {
    table.map { "\($0.database).\($0.name)" } ?? ""
  }
}
