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
      driver.play(["right"])
    },
    Scene("import-faults", "A file with lines that are no rows") { driver, _ in
      try read("id,title,artist_id\n7,Blue Train,2\n8,Vespertine\n9,\"Mingus\" Ah Um,2\n10,Debut,4\n", named: "faults.csv", driver)
    },
    Scene("import-refused", "An import that a row has ended") { driver, _ in
      try read("id,title,artist_id\n7,Blue Train,2\n1,Vespertine,4\n", named: "keys.csv", driver)
      driver.play(["f5"])
    },
    Scene("import-left-out", "The rows that were left out of an import") { driver, _ in
      try read("id,title,artist_id\n7,Blue Train,2\n8,Vespertine\n1,Debut,4\n", named: "rejects.csv", driver)
      driver.play(["j j j j j right f5"])
    },
  ]
}
