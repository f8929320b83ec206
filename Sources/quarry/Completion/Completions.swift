internal import ArgumentParser
internal import Browser
internal import Essentials
internal import QuarryEngine
internal import QuarryFiles
internal import QuarryRows

/// The names that complete a word of a command line, from the file that precedes it.
///
/// The file is only read, and of a CSV or JSON file only the beginning. Errors produce no names.
package struct Completions {
  private let words: CompletionWords

  package init(_ words: CompletionWords) {
    self.words = words
  }

  /// The tables and views.
  package var tables: [String] { allTables.filter(begins) }

  /// A list of tables and views with commas between them.
  package var tableList: [String] { list(allTables) }

  /// The columns of the table.
  package var columns: [String] { allColumns.filter(begins) }

  /// A list of columns with commas between them.
  package var columnList: [String] { list(allColumns) }

  /// A filter whose last word is completed to a column.
  package var filter: [String] {
    let text = words.current
    guard text.count(where: { $0 == "'" }).isMultiple(of: 2) else { return [] }
    let tail = text.reversed().prefix { $0.isLetter || $0.isNumber || $0 == "_" }
    return completed(head: text.dropLast(tail.count), allColumns)
  }

  /// Sort keys of which the last is completed to a column.
  package var sortKeys: [String] {
    let text = words.current
    let comma = text.lastIndex(of: ",").map { text.index(after: $0) } ?? text.startIndex
    let key = text[comma...].drop { $0 == " " || $0 == "-" || $0 == "+" }
    return completed(head: text[..<key.startIndex], allColumns)
  }

  /// The columns of the statement on the command line.
  package var resultColumns: [String] { allResultColumns.filter(begins) }

  package var resultColumnList: [String] { list(allResultColumns) }

  /// The saved statements.
  package var statements: [String] {
    let folder = Locations(environment: ProcessInfo.processInfo.environment).statementsFolder
    let all = folder.flatMap { try? StatementLibrary(folder: $0).all() } ?? []
    return all.map(\.name).filter(begins)
  }

  // MARK: Names in the file

  private var allTables: [String] {
    read { db in
      try String.fetchAll(
        db,
        sql: """
          SELECT name FROM pragma_table_list
          WHERE schema = 'main' AND type IN ('table', 'view', 'virtual') AND name NOT LIKE 'sqlite\\_%' ESCAPE '\\' ORDER BY name
          """)
    } ?? []
  }

  private var allColumns: [String] {
    let later = words.file?.later ?? []
    let named = words.value(of: ["-t", "--table"]).map { [$0] } ?? later
    let tables = Set(allTables.map { $0.asciiLowercased })
    guard let table = named.first(where: { tables.contains($0.asciiLowercased) }) else { return [] }
    let sql = "SELECT name FROM pragma_table_xinfo(?, 'main') WHERE hidden <> 1 ORDER BY cid"
    return read { db in try String.fetchAll(db, sql: sql, arguments: [table]) } ?? []
  }

  private var allResultColumns: [String] {
    guard let later = words.file?.later else { return [] }
    let names = read { db in
      later.lazy.compactMap { sql in try? db.makeStatement(sql: sql).columnNames }.first { !$0.isEmpty } ?? []
    }
    return names ?? []
  }

  private func read<Value: Sendable>(_ body: @Sendable (Database) throws -> Value) -> Value? {
    guard let file = words.file else { return nil }
    guard file.isDatabase else { return try? outline(of: file.path).read(body) }
    var configuration = Configuration()
    configuration.isReadonly = true
    // A person waits for the answer.
    configuration.busyTimeout = .milliseconds(200)
    return try? DatabaseQueue(path: file.path, configuration: configuration).read(body)
  }

  /// Returns a database in memory with the tables of a CSV or JSON file, without their rows.
  private func outline(of path: String) throws -> DatabaseQueue {
    let tables = try FileOutline(path: path, reading: words.dataOptions.reading).tables
    let queue = try DatabaseQueue()
    try queue.withoutTransaction { db in
      for table in tables where !table.columns.isEmpty {
        let columns = table.columns.map { SQLIdentifier.quoted($0) }.joined(separator: ", ")
        try db.execute(sql: "CREATE TABLE \(SQLIdentifier.quoted(table.name))(\(columns))")
      }
    }
    return queue
  }

  // MARK: Texts

  private func begins(_ name: String) -> Bool { Self.begins(name, with: words.current) }

  private static func begins(_ name: String, with text: some StringProtocol) -> Bool {
    name.lowercased().hasPrefix(text.lowercased())
  }

  /// Returns lists whose last name is completed, without the names that they already contain.
  private func list(_ names: [String]) -> [String] {
    let text = words.current
    let start = text.lastIndex(of: ",").map { text.index(after: $0) } ?? text.startIndex
    let (head, beginning) = (text[..<start], text[start...].drop { $0 == "\"" || $0 == " " })
    let listed = ColumnList(argument: String(head.dropLast()))?.names ?? []
    return names.filter { Self.begins($0, with: beginning) && !listed.contains($0) }.map { name in
      let isPlain = !name.contains { $0 == "," || $0 == "\"" } && name.first?.isWhitespace != true && name.last?.isWhitespace != true
      return head + (isPlain ? name : "\"\(name.replacing("\"", with: "\"\""))\"")
    }
  }

  /// Returns texts whose last word is completed to a name of the filter language.
  private func completed(head: Substring, _ names: [String]) -> [String] {
    let beginning = words.current[head.endIndex...]
    let isQuoted = head.last == "\""
    return names.filter { Self.begins($0, with: beginning) }.map { name in
      isQuoted ? head.dropLast() + SQLIdentifier.delimited(name, by: "\"") : head + JSONPath().filterText(in: name)
    }
  }
}

extension CompletionKind {
  static var tables: CompletionKind { names(\.tables) }
  static var tableList: CompletionKind { names(\.tableList) }
  static var columns: CompletionKind { names(\.columns) }
  static var columnList: CompletionKind { names(\.columnList) }
  static var filter: CompletionKind { names(\.filter) }
  static var sortKeys: CompletionKind { names(\.sortKeys) }
  static var resultColumns: CompletionKind { names(\.resultColumns) }
  static var resultColumnList: CompletionKind { names(\.resultColumnList) }
  static var statements: CompletionKind { names(\.statements) }

  private static func names(_ names: @escaping @Sendable (Completions) -> [String]) -> CompletionKind {
    .custom { words, index, _ in
      // A line is a name, so a name with a line end cannot be completed.
      let all = names(Completions(CompletionWords(words, index: index))).filter { name in !name.unicodeScalars.contains { $0.value < 0x20 }
      }
      // In zsh a colon begins a description.
      return CompletionShell.requesting == .zsh ? all.map { $0.replacing("\\", with: "\\\\").replacing(":", with: "\\:") } : all
    }
  }
}
