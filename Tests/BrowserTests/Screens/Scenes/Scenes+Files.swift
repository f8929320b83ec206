import Foundation
import QuarryEngine
import Terminal
import Testing

/// Files that rows are written to, and that are imported.
extension Scene {
  private static let small = [Size(columns: 120, rows: 36), Size(columns: 80, rows: 24), Size(columns: 40, rows: 10)]

  /// A folder whose path is the same wherever the pictures are taken, since it stands in them.
  private static let folder = URL(filePath: "/tmp/quarry-scenes")

  private static func write(_ text: String, to name: String) throws {
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    try Data(text.utf8).write(to: folder.appending(path: name), options: .atomic)
  }

  /// Writes files; returns their paths.
  private static func write(_ texts: [(name: String, text: String)]) throws -> [String] {
    try texts.map { name, text in
      try write(text, to: name)
      return "\(folder.path)/\(name)"
    }
  }

  /// Writes a text file, and a JSON file that has a table under each of two keys.
  @Sendable private static func twoFiles() throws -> [String] {
    try write([
      ("towns.csv", "zip;town;people\n01067;Dresden;563311\n;Wien;2028289\n1010;Lausanne;\n"),
      ("shop.json", #"{"orders": [{"id": 10, "sum": 3.5}], "customers": [{"id": 1, "tags": ["a", "b"]}, {"id": 2, "name": "Ada"}]}"#),
    ])
  }

  @Sendable private static func faultyFile() throws -> [String] {
    try write([("faulty.csv", "id,title\n1,Blue Train\n2\n3,Debut\n")])
  }

  /// Has a file read that is to be imported.
  private static func read(_ text: String, named name: String, _ driver: SessionDriver, into table: String = "album") throws {
    try write(text, to: name)
    driver.open(TableReference(name: table))
    driver.play(["I", "'\(folder.path)/\(name)'", "enter"])
  }

  private static let albums = """
    id,titel,artist_id,year,price,label
    7,Blue Train,2,1957,9.5,Blue Note
    8,"Round About Midnight, Vol. 2",2,1957,,Columbia
    9,Vespertine,4,2001,11.0,

    """

  static let files = [
    Scene("export", "The export of the rows that a filter keeps", sizes: small, keys: "enter &", "'year > 1960'", "enter X"),
    Scene("export-selection", "The export of a selection", keys: "enter l v j j l X down"),
    Scene("export-refused", "An export to a folder that is not there", keys: "enter X ctrl-u", "'/nowhere/at/all.json'", "enter"),
    Scene("export-replacing", "The question before an export replaces a file") { driver, _ in
      try write("old", to: "old.csv")
      driver.play(["enter X ctrl-u", "'\(folder.path)/old.csv'", "enter"])
    },
    Scene("export-table", "The export of a table of the catalog", keys: "j X"),
    Scene("files", "A CSV and a JSON file as tables", of: twoFiles),
    Scene("files-details", "How a file was read that a table is made of", of: twoFiles, keys: "i"),
    Scene("files-edited", "A change of a table that is made of a file", of: twoFiles, keys: "tab l e", "'!'", "enter"),
    Scene("files-faults", "A file with a line that is no row", of: faultyFile),
    Scene("import-json", "The tables of a JSON file to choose from") { driver, _ in
      let path = try twoFiles()[1]
      driver.open(TableReference(name: "album"))
      driver.play(["I", "'\(path)'", "enter k enter"])
    },
    Scene("import-unplaced", "An import that is begun before a column has its place") { driver, _ in
      try read(albums, named: "albums.csv", driver)
      driver.play(["f5"])
    },
    Scene("import-rename", "Another name for a column of a new table") { driver, _ in
      try read("zip;town\n01067;Dresden\n", named: "renamed.txt", driver)
      driver.play(["G r"])
    },
    Scene("import-start", "The import before a file is named", keys: "enter I"),
    Scene("import", "A file with a column that is called otherwise", sizes: small) { driver, _ in
      try read(albums, named: "albums.csv", driver)
      driver.play(["G 4 k"])
    },
    Scene("import-columns", "The choice of where a column goes") { driver, _ in
      try read(albums, named: "albums.csv", driver)
      driver.play(["G 4 k enter"])
    },
    Scene("import-new", "A file that becomes a table of its own") { driver, _ in
      try read("zip;town;people;area\n01067;Dresden;563311;328.48\n;Wien;2028289;414.78\n", named: "towns.txt", driver)
    },
    Scene("import-faults", "A file with lines that are no rows") { driver, _ in
      try read("id,title,artist_id\n7,Blue Train,2\n8,Vespertine\n9,\"Mingus\" Ah Um,2\n10,Debut,4\n", named: "faults.csv", driver)
    },
    Scene("import-refused", "An import that a row has ended") { driver, _ in
      try read("id,title,artist_id\n7,Blue Train,2\n1,Vespertine,4\n", named: "keys.csv", driver)
      driver.play(["f5"])
    },
    Scene("import-left-out", "The rows that were left out of an import") { driver, _ in
      // Those of a former time would stay beside them.
      try? FileManager.default.removeItem(at: folder.appending(path: "rejects.rejects.csv"))
      try read("id,title,artist_id\n7,Blue Train,2\n8,Vespertine\n1,Debut,4\n", named: "rejects.csv", driver)
      driver.play(["j j j j j right f5"])
    },
  ]
}
