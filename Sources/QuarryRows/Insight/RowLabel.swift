public import QuarryEngine

extension TableSchema {
  /// Returns the columns whose values label a row for the user.
  ///
  /// These are two columns for a first and a last name, otherwise one column. The result is empty if only the key is a text.
  ///
  /// ```swift
  /// try db.tableSchema(employee).labelColumns()  // ["FirstName", "LastName"]
  /// try db.tableSchema(album).labelColumns()     // ["Title"]
  /// ```
  ///
  /// The first of the following that the table has is used, ignoring case and separators between words:
  ///
  /// 1. `name`, also with the singular or plural name of the table: `artist_name`, `CategoryName` of Categories; then `full_name`
  /// 2. a first name with a last name; a last name alone
  /// 3. `title`, unless there is a last name, because it is then a personal title; then `label`, `caption`
  /// 4. a column whose name ends with `name`, except a first name, user name or file name: `CompanyName`
  /// 5. `email`, `username`, `login`, `code`
  /// 6. a text with its own UNIQUE constraint or index
  /// 7. the first text
  ///
  /// - Parameter keys: Columns that are shown in any case; by default those of the primary key.
  public func labelColumns(besides keys: [String]? = nil) -> [String] {
    RowLabel(self, besides: keys ?? primaryKey).columns
  }
}

/// The choice of the columns that label rows: see ``TableSchema/labelColumns(besides:)``.
private struct RowLabel {
  private let schema: TableSchema
  /// The text columns, with their names reduced to lowercase letters and digits, in the order of the table.
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

  /// Returns the name of the first column that matches one of some words, in the order of the words.
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

  /// Returns the possible names of a name column of a table: `name`, `categoriesname`, `categoryname`.
  private static func names(of table: String) -> [String] {
    let plural = word(table)
    let endings = [("ies", "y"), ("sses", "ss"), ("xes", "x"), ("ches", "ch"), ("shes", "sh"), ("s", "")]
    let ending = endings.first { plural.hasSuffix($0.0) }
    let singular = ending.map { String(plural.dropLast($0.0.count)) + $0.1 }
    return ["name", "\(plural)name"] + (singular.map { ["\($0)name"] } ?? [])
  }
}
