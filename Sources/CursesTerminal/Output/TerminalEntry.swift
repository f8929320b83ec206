private import CNcurses
package import Terminal

/// The terminfo entry of a terminal.
package struct TerminalEntry {
  package let capabilities: Capabilities
  package let keys: KeySequences
  /// The default size of the terminal.
  package let size: Size
  /// The entry inside the program that describes the terminal, or nil if the terminfo database has its entry.
  package let embedded: EmbeddedEntry?

  /// A warning that the terminfo database does not describe the terminal, or nil.
  var warning: String? {
    guard let embedded, !embedded.suits(capabilities.name) else { return nil }
    return "unknown type “\(capabilities.name)”; if the screen looks wrong, try TERM=vt100"
  }

  /// Reads the entry of `name`, or the most similar entry inside the program if the terminfo database has none.
  ///
  /// The corresponding C function is `setupterm`.
  package init(name: String) throws(TerminalError) {
    guard !name.isEmpty else { throw .noName }
    do throws(TerminalError) {
      try self.init(name: name, embedded: nil)
    } catch .unknown {
      guard let embedded = EmbeddedEntry(similarTo: name) else { throw .tooSimple(name: name) }
      try self.init(name: name, embedded: embedded)
    }
  }

  /// Reads the entry of `name` in the terminfo database, or an embedded entry instead.
  package init(name: String, embedded: EmbeddedEntry?) throws(TerminalError) {
    var status: Int32 = 0
    let isSetUp = Self.using(embedded) { setupterm(embedded?.rawValue ?? name, 1, &status) == 0 }
    defer { quarry_delete_current_terminal() }
    // 1 is a printing terminal, 0 an unknown or too generic name, -1 a missing terminfo database.
    guard isSetUp else { throw status == 1 ? .tooSimple(name: name) : .unknown(name: name) }
    // A damaged entry is worse than none: ncurses would crash.
    guard quarry_has_all_names() != 0 else { throw .unknown(name: name) }
    guard let capabilities = Capabilities(name: name) else { throw .tooSimple(name: name) }
    self.capabilities = capabilities
    self.embedded = embedded
    keys = Capabilities.readKeys()
    let (columns, rows) = (Int(tigetnum("cols")), Int(tigetnum("lines")))
    size = Size(columns: columns > 0 ? columns : 80, rows: rows > 0 ? rows : 24)
  }

  /// Starts ncurses on the terminal of standard input and output.
  ///
  /// Returns nil if ncurses does not support the terminal.
  func startScreen() -> OpaquePointer? {
    Self.using(embedded) { quarry_newterm(embedded?.rawValue ?? capabilities.name) }
  }

  private static func using<Value>(_ embedded: EmbeddedEntry?, _ body: () -> Value) -> Value {
    embedded.map { $0.whileInForce(body) } ?? body()
  }
}
