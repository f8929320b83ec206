internal import ArgumentParser

/// The manual: what `quarry man` prints, as text or as roff.
///
/// What the program declares elsewhere (commands, options, settings, formats, themes) is taken from there.
struct Manual {
  /// A part with a title of its own.
  struct Section {
    var title: String
    var blocks: [Block]
  }

  enum Block {
    /// Text; what is typed stands between backquotes.
    case paragraph(String)
    case heading(String)
    /// Lines as they are.
    case code(String)
    case entries([Entry])
  }

  /// A line of a table: a thing as it is typed, and what it means, in which backquotes are as in a paragraph.
  struct Entry {
    var name: String
    var meaning: String

    init(_ name: String, _ meaning: String) {
      self.name = name
      self.meaning = meaning
    }
  }

  var sections: [Section]

  static var standard: Manual {
    Manual(
      sections: introduction + [
        screen, filters, knowing, editing, filesAsTables, sql, parameters,
        otherMachines, clusters, commandLine, formats, exitStatuses, keys, files, themes,
      ])
  }
}

extension Manual {
  /// Names of entries are as wide as the widest of them, but for those that would leave too little room.
  static func nameWidth(of entries: [Entry]) -> Int {
    entries.map(\.name.count).filter { $0 <= 24 }.max() ?? 24
  }
}

struct ManVerb: ParsableCommand {
  static let configuration = CommandConfiguration(commandName: "man", abstract: "Print the manual.")

  @Flag(help: "Print it as roff, for `man -l -` and mandoc.")
  var roff = false

  func run() throws {
    try StandardOutput.write(roff ? Manual.standard.roff : Manual.standard.text)
  }
}
