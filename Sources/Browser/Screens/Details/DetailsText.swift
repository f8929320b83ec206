import QuarryEngine
import QuarryFiles
import Terminal

/// The formatted schema of a table.
struct DetailsText {
  let details: TableDetails
  /// The file that the table is read from; nil for other tables.
  var file: FileTable?
  let glyphs: Glyphs

  private var schema: TableSchema { details.schema }

  var lines: [StyledLine] {
    let sections: [(String, [StyledLine])] = [
      ("", [StyledLine(kind, .muted)]), ("File", origin),
      ("Columns", columns), ("Foreign keys", foreignKeys), ("Referenced by", references), ("Indexes", indexes), ("Triggers", triggers),
      ("DDL", ddl),
    ]
    return sections.filter { !$0.1.isEmpty }.flatMap { title, lines in
      title.isEmpty ? lines : [StyledLine(), StyledLine(title, .accent)] + lines
    }
  }

  /// The format of the file that the table is read from, and the lines that could not be parsed.
  private var origin: [StyledLine] {
    guard let file else { return [] }
    let notes = file.notes.map { StyledLine($0) }
    return [StyledLine("\(PathText.shown(file.path)): \(file.reading)")] + notes + (file.rejection.map { [StyledLine($0, .warning)] } ?? [])
  }

  /// The SQL that creates the table, its indexes and its triggers; nil if SQLite stores none.
  var definition: String? {
    let texts = [schema.sql].compactMap(\.self) + schema.indexes.compactMap(\.sql) + schema.triggers.map(\.sql)
    return texts.isEmpty ? nil : texts.map { $0 + ";\n" }.joined()
  }

  private var kind: String {
    let entry = schema.entry
    let kind: String =
      switch entry.kind {
      case .table: "table"
      case .view: "view"
      case .virtual(let module): "virtual table using \(module)"
      case .shadow(let table): "shadow table of \(table)"
      case .system: "system table"
      }
    let marks = [entry.isWithoutRowID ? "WITHOUT ROWID" : nil, entry.isStrict ? "STRICT" : nil].compactMap(\.self)
    return ([kind + " in " + entry.reference.database, Plural.of(schema.columns.count, "column")] + marks).joined(separator: ", ")
  }

  private var columns: [StyledLine] {
    let nameWidth = (schema.columns.map { TextWidth.columns(of: $0.name) }.max() ?? 0) + 2
    let typeWidth = (schema.columns.map { TextWidth.columns(of: $0.declaredType) }.max() ?? 0) + 2
    return schema.columns.map { column in
      StyledLine("  " + TextWidth.padded(column.name, to: nameWidth), column.primaryKeyPosition == nil ? .text : .key)
        .adding(TextWidth.padded(column.declaredType.lowercased(), to: typeWidth), .keyword)
        .adding(remarks(of: column), .muted)
    }
  }

  private func remarks(of column: ColumnSchema) -> String {
    let key = column.primaryKeyPosition.map { position in
      "primary key" + (schema.primaryKey.count > 1 ? " \(position) of \(schema.primaryKey.count)" : column.isRowID ? ", the rowid" : "")
    }
    let generation = column.generation.map { $0 == .stored ? "generated, stored" : "generated" }
    let remarks: [String?] = [
      key, column.isNullable || column.primaryKeyPosition != nil ? nil : "not null", column.defaultSQL.map { "default \($0)" }, generation,
      column.isHidden ? "hidden" : nil, column.problem,
    ]
    return remarks.compactMap(\.self).joined(separator: ", ")
  }

  private var foreignKeys: [StyledLine] {
    schema.foreignKeys.map { key in
      let target = key.referencedColumns.isEmpty ? key.table.name : "\(key.table.name) (\(key.referencedColumns.joined(separator: ", ")))"
      return StyledLine("  \(key.columns.joined(separator: ", "))").adding(" \(glyphs.reference) ", .muted).adding(target, .key)
        .adding(actions(of: key), .muted)
    }
  }

  private func actions(of key: ForeignKeySchema) -> String {
    let delete = key.onDelete == "NO ACTION" ? "" : "  on delete \(key.onDelete.lowercased())"
    let update = key.onUpdate == "NO ACTION" ? "" : "  on update \(key.onUpdate.lowercased())"
    return delete + update
  }

  private var references: [StyledLine] {
    details.references.map { reference in
      StyledLine("  \(reference.table.name)", .key).adding(" (\(reference.key.columns.joined(separator: ", ")))")
    }
  }

  private var indexes: [StyledLine] {
    schema.indexes.map { index in
      let terms = index.terms.map { ($0.column ?? "an expression") + ($0.isDescending ? " desc" : "") }.joined(separator: ", ")
      let origin: String =
        switch index.origin {
        case .createIndex: ""
        case .uniqueConstraint: "from a UNIQUE constraint"
        case .primaryKey: "from the primary key"
        }
      let remarks = [index.isUnique ? "unique" : "", index.isPartial ? "partial" : "", origin].filter { !$0.isEmpty }
      return StyledLine("  \(index.name)").adding(" (\(terms))", .key).adding("  " + remarks.joined(separator: ", "), .muted)
    }
  }

  private var triggers: [StyledLine] {
    schema.triggers.flatMap { trigger in
      trigger.sql.split(separator: "\n", omittingEmptySubsequences: false).map { StyledLine("  " + tabsOut($0)) }
    }
  }

  private var ddl: [StyledLine] {
    let texts = [schema.sql].compactMap(\.self) + schema.indexes.compactMap(\.sql)
    let ignored = schema.ignoredSQLCount
    let remark = ignored == 0 ? [] : [StyledLine("  SQLite ignores \(Plural.of(ignored, "byte")) after this SQL", .warning)]
    return remark
      + texts.flatMap { text in
        (text + ";").split(separator: "\n", omittingEmptySubsequences: false).map { StyledLine("  " + tabsOut($0)) }
      }
  }

  private func tabsOut(_ line: Substring) -> String {
    line.reduce(into: "") { text, character in text += character == "\t" ? "    " : character == "\r" ? "" : String(character) }
  }
}
