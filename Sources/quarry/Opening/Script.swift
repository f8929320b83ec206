internal import Browser
internal import Essentials
internal import Libc
internal import QuarryEngine
internal import QuarryRows

/// An SQL text with any number of statements.
struct Script {
  private let sql: String
  /// The parameter declarations in the comments, which apply to all statements.
  let declarations: ParameterDeclarations

  init(_ sql: String) {
    self.sql = sql
    declarations = ParameterDeclarations(sql)
  }

  /// The individual statements.
  var statements: [String] {
    let script = SQLScript(sql)
    return script.parts.map { script.sql(of: $0) }
  }

  /// Reports probable mistakes in statements on standard error.
  static func remark(_ sentences: [String]) {
    for sentence in sentences { StandardError.write("quarry: \(sentence)\n") }
  }

  /// Compiles each statement when its turn comes, and passes it to `body`.
  func forEach(_ db: Database, _ body: (Statement) throws -> Void) throws {
    let statements = try db.allStatements(sql: sql)
    var number = 0
    while let statement = try statements.next() {
      do {
        try body(statement)
      } catch let error as DatabaseError where error.offset == nil && error.resultCode != DatabaseError.SQLITE_INTERRUPT {
        throw located(error, at: number)
      }
      number += 1
    }
  }

  /// Returns an error with the position of its statement, and with the statement's number if there are several.
  private func located(_ error: DatabaseError, at number: Int) -> DatabaseError {
    guard let start = start(of: number) else { return error }
    var error = error
    (error.sql, error.offset) = (sql, start)
    error.message += ordinal(number)
    return error
  }

  /// Returns the error of a statement on a server, with its position in the SQL and the effect on earlier statements.
  ///
  /// - Parameters:
  ///   - number: The index of the statement, from 0.
  ///   - hasCommitted: Whether earlier statements have written, each in its own transaction.
  func failure(_ error: any Error, at number: Int, afterCommits hasCommitted: Bool = false) -> any Error {
    var error = error
    if var compiling = error as? DatabaseError, let offset = compiling.offset, SQLScript(sql).parts.indices.contains(number) {
      (compiling.sql, compiling.offset) = (sql, SQLScript(sql).parts[number].range.lowerBound + offset)
      error = compiling
    } else if let failing = error as? DatabaseError {
      error = located(failing, at: number)
    }
    guard var failure = Failure(error), failure.status == .refused, let message = failure.message else { return error }
    if !(error is DatabaseError), let start = start(of: number) {
      failure.message = message + ordinal(number) + (SQLExcerpt(sql, offset: start).map { "\n\($0)" } ?? "")
    }
    if hasCommitted { failure.message? += "\nquarry: the statements before it are committed" }
    return failure
  }

  /// Returns the UTF-8 offset of the first word of a statement.
  private func start(of number: Int) -> Int? {
    let script = SQLScript(sql)
    guard script.parts.indices.contains(number) else { return nil }
    let part = script.parts[number]
    return part.range.lowerBound + (SQLScript.firstWord(of: script.sql(of: part))?.lowerBound ?? 0)
  }

  /// Returns the number of one of several statements, for the end of a sentence.
  private func ordinal(_ number: Int) -> String {
    let count = SQLScript(sql).parts.count
    return count > 1 ? ", in statement \(number + 1) of \(count)" : ""
  }

  /// Returns whether a statement writes, or attaches a database that may be new.
  ///
  /// Considers only statements that compile before any has run.
  func writes(_ db: Database) throws -> Bool {
    let statements = try db.allStatements(sql: sql)
    // A statement that does not compile yet may depend on an earlier statement, which then writes.
    while let statement = try? statements.next() {
      if !statement.isReadonly || statement.attachesDatabase { return true }
    }
    return false
  }

  /// Checks, before any statement runs, that each gets its values and that every given value is used.
  ///
  /// A value for a statement that does not compile yet may still have the wrong type.
  func check(_ options: ParameterOptions, _ db: Database) throws {
    let wanted = try db.outlines(of: sql).flatMap { outline in
      outline.parameters.map { WantedParameter($0, isOptional: outline.isExplanation) }
    }
    try options.refuseStrays(among: wanted)
    _ = try options.values(for: wanted)
  }

  /// Binds the values of a statement's parameters.
  func bind(_ options: ParameterOptions, to statement: Statement) throws {
    for (parameter, value) in try values(options, of: statement) { try statement.bind(value, at: parameter.index) }
  }

  /// Returns the values of a statement's parameters.
  ///
  /// Omits parameters without a value.
  func values(_ options: ParameterOptions, of statement: Statement) throws -> [(parameter: StatementParameter, value: DatabaseValue)] {
    let parameters = statement.parameters(declarations: declarations)
    let values = try options.values(for: parameters.map { WantedParameter($0, isOptional: statement.isExplanation) })
    return zip(parameters, values).compactMap { parameter, value in value.map { (parameter, $0) } }
  }
}

/// The user's saved statements.
enum SavedScript {
  /// Returns the SQL saved under a name.
  static func text(named name: String) throws -> String {
    if let sql = SSHSession.current?.savedStatement { return sql }
    guard let folder = Locations(environment: ProcessInfo.processInfo.environment).statementsFolder else {
      throw Failure.usage("--statement: set HOME or XDG_DATA_HOME, under which statements are saved")
    }
    do throws(StatementLibraryError) {
      return try StatementLibrary(folder: folder).statement(named: name).sql
    } catch {
      throw Failure.usage("--statement: \(error)")
    }
  }
}

/// A text file named on the command line.
struct TextFile {
  let bytes: [UInt8]

  /// Returns the text.
  ///
  /// - Throws: `Failure` with the name of the file if the bytes are not UTF-8.
  func text(named name: String) throws -> String {
    guard let text = String(validating: bytes, as: UTF8.self) else { throw Failure.usage("\(name) is not UTF-8: save it as UTF-8") }
    return text
  }

  /// Reads the file at `path` on the user's machine, or returns nil if it cannot be read.
  init?(path: String) {
    if SSHSession.current != nil {
      guard let bytes = SSHSession.file(path) else { return nil }
      self.bytes = bytes
      return
    }
    guard let bytes = try? OpenFile.contents(of: path) else { return nil }
    self.bytes = bytes
  }

  /// Reads SQL from standard input to its end.
  ///
  /// - Parameter advice: The usage message if standard input is a terminal or cannot be read.
  static func sqlOnStandardInput(_ advice: String) throws -> String {
    guard let file = standardInput else { throw Failure.usage(advice) }
    return try file.text(named: "the SQL on standard input")
  }

  private static var standardInput: TextFile? {
    guard !StandardInput.isTerminal, let bytes = Descriptor.readAll(from: STDIN_FILENO) else { return nil }
    return TextFile(bytes: bytes)
  }

  private init(bytes: [UInt8]) {
    self.bytes = bytes
  }
}
