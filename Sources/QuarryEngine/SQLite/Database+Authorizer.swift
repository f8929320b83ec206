internal import CSQLite

/// What SQLite asks the authorizer about a part of a statement that it compiles; see <https://www.sqlite.org/c3ref/c_alter_table.html>.
///
/// The names are good until the authorizer returns.
struct AuthorizerRequest {
  let action: Int32
  let first: UnsafePointer<CChar>?
  let second: UnsafePointer<CChar>?
  let database: UnsafePointer<CChar>?
  /// The innermost trigger or view that asks; nil for the statement itself.
  let accessor: UnsafePointer<CChar>?
}

extension Database {
  /// Installs the one authorizer of the connection: once for all, since every change of it makes all statements compile anew.
  ///
  /// The corresponding C function is `sqlite3_set_authorizer`.
  func installAuthorizer() {
    let context = Unmanaged.passUnretained(self).toOpaque()
    sqlite3_set_authorizer(
      connection,
      { context, action, first, second, database, accessor in
        guard let context else { return SQLITE_OK }
        let request = AuthorizerRequest(action: action, first: first, second: second, database: database, accessor: accessor)
        return Unmanaged<Database>.fromOpaque(context).takeUnretainedValue().authorize(request)
      }, context)
  }

  /// Answers one request of SQLite's: `SQLITE_OK`, or `SQLITE_DENY` with ``refusal`` saying why.
  private func authorize(_ request: AuthorizerRequest) -> Int32 {
    if request.action == SQLITE_READ { noteRead(request.first, request.second, request.database) }
    guard let reason = builtInRefusal(of: request) else { return SQLITE_OK }
    refusal = reason
    return SQLITE_DENY
  }

  /// Why a request is refused whoever uses the connection; nil where it is not.
  private func builtInRefusal(of request: AuthorizerRequest) -> String? {
    switch request.action {
    case SQLITE_FUNCTION: Self.refusal(ofFunction: request.second)
    case SQLITE_ATTACH: refusalToAttach
    default: nil
    }
  }

  /// Functions that reach outside of the database, with what they would do.
  ///
  /// Only the first two are in the library itself; the others come with extensions that some builds have linked in.
  private static let functionsReachingOutside = [
    "load_extension": "it would run code from outside of the database",
    "fts3_tokenizer": "it hands out and takes addresses of the program's memory",
    "readfile": "it would read files outside of the database",
    "writefile": "it would write files outside of the database",
    "lsdir": "it would list folders outside of the database",
    "edit": "it would start another program",
  ]

  private static func refusal(ofFunction name: UnsafePointer<CChar>?) -> String? {
    guard let name else { return nil }
    let function = String(cString: name).lowercased()
    return functionsReachingOutside[function].map { "\(function)() is switched off: \($0)" }
  }

  /// Why a database may not be attached now; nil where it may.
  ///
  /// VACUUM INTO attaches the file that it makes while it runs, and is the one way by which a connection that only reads could write one.
  private var refusalToAttach: String? {
    guard configuration.refusesWriting, ownStatements.contains(where: Self.isWriting) else { return nil }
    let reason = configuration.isImmutable ? "immutable" : "read-only"
    return "VACUUM would write a file, and the database is open as \(reason)"
  }

  private static func isWriting(_ statement: OpaquePointer) -> Bool {
    sqlite3_stmt_busy(statement) != 0 && sqlite3_stmt_readonly(statement) == 0
  }
}
