/// Gives the columns of a file unique names.
///
///     id, ID, (empty), id   →   id, ID_2, column3, id_3
struct ColumnNaming {
  private(set) var columns: [RecordColumn] = []
  private var taken: Set<[UInt8]> = []

  /// Adds a column by its name in the file.
  mutating func add(_ nameInFile: String) {
    // A NUL would end the SQL.
    var name = nameInFile
    if name.utf8.contains(0) { name = String(String.UnicodeScalarView(name.unicodeScalars.filter { $0.value != 0 })) }
    if name.isEmpty { name = "column\(columns.count + 1)" }
    let first = name
    var number = 2
    while !taken.insert(Self.folded(name)).inserted {
      name = "\(first)_\(number)"
      number += 1
    }
    columns.append(RecordColumn(name: name, nameInFile: nameInFile))
  }

  /// Returns a name as compared by SQLite, which folds the case of only ASCII letters.
  private static func folded(_ name: String) -> [UInt8] {
    name.utf8.map { (0x41...0x5A).contains($0) ? $0 | 0x20 : $0 }
  }
}
