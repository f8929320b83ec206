public import QuarryEngine

extension TableSchema {
  /// Returns the columns that together are what a person knows a row by: two for the first and the last name of a person, else one; none
  /// where no column but the key is a text.
  ///
  /// ```swift
  /// try db.tableSchema(employee).labelColumns()  // ["FirstName", "LastName"]
  /// try db.tableSchema(album).labelColumns()     // ["Title"]
  /// ```
  ///
  /// It is the first of these that the table has, whatever the case and whatever stands between the words:
  ///
  /// 1. `name`, or the name of the table or of one of its rows with it: `artist_name`, `CategoryName` of Categories; then `full_name`
  /// 2. a first name with a last name; a last name alone
  /// 3. `title`, but not where there is a last name: it is then the title of a person; then `label`, `caption`
  /// 4. a column whose name ends with `name`, but is no first name, user name or file name alone: `CompanyName`
  /// 5. `email`, `username`, `login`, `code`
  /// 6. a text that a UNIQUE constraint or index covers alone
  /// 7. the first text
  ///
  /// - Parameter keys: Columns that are shown anyway; without them, those of the primary key.
  public func labelColumns(besides keys: [String]? = nil) -> [String] {
    RowLabel(self, besides: keys ?? primaryKey).columns
  }
}

/// The choice of the columns that a person knows rows by: see ``TableSchema/labelColumns(besides:)``.
private struct RowLabel {
  private let schema: TableSchema
  /// The texts with their names in lowercase letters and digits alone, in the order of the table.
  private let texts: [(column: ColumnSchema, word: String)]

  init(_ schema: TableSchema, besides keys: [String]) {
    self.schema = schema
    texts = schema.columns.filter { column in
      column.affinity == .text && !column.isHidden && column.problem == nil && !keys.contains { $0.isSameIdentifier(as: column.name) }
    }.map { ($0, Self.word($0.name)) }
  }

  var columns: [String] {
    if let name = column(Self.names(of: schema.entry.reference.name) + ["fullname"]) { return [name] }
    let last = column(["lastname", "surname", "familyname"])
    if let last { return [column(["firstname", "givenname", "forename"]), last].compactMap(\.self) }
    let known = column(["title", "label", "caption"]) ?? otherName ?? column(["email", "username", "login", "code"])
    return [known ?? uniqueText ?? firstText].compactMap(\.self)
  }

  /// Returns the first of some words that a column is called.
  private func column(_ words: [String]) -> String? {
    words.lazy.compactMap { word in texts.first { $0.word == word } }.first?.column.name
  }

  private var otherName: String? {
    let others: Set<String> = ["firstname", "middlename", "username", "filename", "pathname", "hostname"]
    return texts.first { $0.word.hasSuffix("name") && !others.contains($0.word) }?.column.name
  }

  private var uniqueText: String? {
    texts.first { text in
      schema.indexes.contains { index in
        index.isUnique && !index.isPartial && index.terms.count == 1
          && index.terms[0].column?.isSameIdentifier(as: text.column.name) == true
      }
    }?.column.name
  }

  private var firstText: String? { texts.first?.column.name }

  private static func word(_ name: String) -> String { String(name.lowercased().filter { $0.isLetter || $0.isNumber }) }

  /// Returns what a column with the name of a table's rows is called: `name`, `categoriesname`, `categoryname`.
  private static func names(of table: String) -> [String] {
    let plural = word(table)
    let endings = [("ies", "y"), ("sses", "ss"), ("xes", "x"), ("ches", "ch"), ("shes", "sh"), ("s", "")]
    let ending = endings.first { plural.hasSuffix($0.0) }
    let singular = ending.map { String(plural.dropLast($0.0.count)) + $0.1 }
    return ["name", "\(plural)name"] + (singular.map { ["\($0)name"] } ?? [])
  }
}
