internal import ArgumentParser

/// The manual, which `quarry man` prints as text or as roff.
///
/// Its prose is in the folder `pages`. Lists are generated from the program's declarations. See ``ManualList``.
package struct Manual {
  /// A section with a title.
  struct Section {
    var title: String
    var blocks: [Block]
  }

  enum Block {
    /// Text with literal input in backquotes.
    case paragraph(String)
    case heading(String)
    /// Literal lines.
    case code(String)
    case entries([Entry])
  }

  /// A row of a table: a literal name and its meaning, with backquotes as in a paragraph.
  struct Entry {
    var name: String
    var meaning: String

    init(_ name: String, _ meaning: String) {
      self.name = name
      self.meaning = meaning
    }
  }

  var sections: [Section]

  /// Parses Markdown pages, each of which becomes a section.
  package init(pages: [String]) {
    sections = pages.map { Section(page: $0) }
  }
}

extension Manual {
  static var standard: Manual { Manual(pages: pages) }

  /// The files of the folder `pages`, in the order of the manual.
  package static var pages: [String] {
    [
      PackageResources.name_md, PackageResources.synopsis_md, PackageResources.description_md, PackageResources.full_screen_md,
      PackageResources.filters_md, PackageResources.knowing_the_data_md, PackageResources.changing_data_md,
      PackageResources.files_as_tables_md, PackageResources.sql_md, PackageResources.parameters_md, PackageResources.other_machines_md,
      PackageResources.clusters_md, PackageResources.command_line_md, PackageResources.formats_md, PackageResources.exit_status_md,
      PackageResources.keys_md, PackageResources.files_md, PackageResources.themes_md,
    ].map { String(decoding: $0, as: UTF8.self) }
  }

  /// Returns the width of the longest name, ignoring names that would leave too little room.
  static func nameWidth(of entries: [Entry]) -> Int {
    entries.map(\.name.count).filter { $0 <= 24 }.max() ?? 24
  }
}

struct ManVerb: ParsableCommand {
  static let configuration = CommandConfiguration(commandName: "man", abstract: "Print the manual.")

  @Flag(help: "Print roff, for `man -l -` and mandoc.")
  var roff = false

  func run() throws {
    try StandardOutput.write(roff ? Manual.standard.roff : Manual.standard.text)
  }
}
