private import CNcurses
package import Terminal

/// The terminfo entry of a terminal.
package struct TerminalEntry {
  package let capabilities: Capabilities
  package let keys: KeySequences
  /// The size that it says its terminals have.
  package let size: Size

  /// Reads the entry of `name`.
  ///
  /// The corresponding C function is `setupterm`.
  package init(name: String) throws(TerminalError) {
    guard !name.isEmpty else { throw .noName }
    var status: Int32 = 0
    let isSetUp = setupterm(name, 1, &status) == 0
    defer { quarry_delete_current_terminal() }
    // 1 is a printing terminal, 0 one that is unknown or too general to be a terminal's name, -1 no database at all.
    guard isSetUp else { throw status == 1 ? .tooSimple(name: name) : .unknown(name: name) }
    guard let capabilities = Capabilities(name: name) else { throw .tooSimple(name: name) }
    self.capabilities = capabilities
    keys = Capabilities.readKeys()
    let (columns, rows) = (Int(tigetnum("cols")), Int(tigetnum("lines")))
    size = Size(columns: columns > 0 ? columns : 80, rows: rows > 0 ? rows : 24)
  }
}
