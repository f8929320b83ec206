import QuarryChanges
import QuarryEngine
import QuarryRows
import Terminal

extension GridPane {
  /// The foreign keys of the rows: those of the table, or those whose columns are levels of the groups.
  var foreignKeys: [ForeignKeySchema] { grouping?.foreignKeys ?? schema?.foreignKeys ?? [] }

  /// Returns the index of the foreign key that a column shows labels for; nil for none.
  ///
  /// This is the shortest key that ends with the column.
  func lensKey(of column: Int) -> Int? {
    let keys = foreignKeys
    guard lens != nil, let name = self.column(at: column)?.name else { return nil }
    let ending = keys.indices.filter { keys[$0].columns.last?.isSameIdentifier(as: name) == true }
    return ending.min { keys[$0].columns.count < keys[$1].columns.count }
  }

  /// Returns the reference of a row by a foreign key; nil if one of its values is NULL or not completely loaded.
  func reference(by key: Int, in cell: (Int) -> CellValue) -> ReferenceLabels.Reference? {
    let keys = foreignKeys
    guard keys.indices.contains(key) else { return nil }
    let values = keys[key].columns.compactMap { name -> DatabaseValue? in
      guard let index = columns.firstIndex(where: { $0.name.isSameIdentifier(as: name) }) else { return nil }
      let value = cell(index).wholeValue
      return value == .null ? nil : value
    }
    return values.count == keys[key].columns.count ? ReferenceLabels.Reference(key: key, values: values) : nil
  }

  /// Whether the names of referenced rows are shown below the names of columns, which are keys: the columns of a pivot.
  var namesColumns: Bool { lens != nil && grouping?.isAcrossKey == true }

  /// Returns the name of the row to which the name of a column refers; nil for other columns, or if the name is not known yet.
  func columnLabel(of column: Int) -> String? {
    guard let lens, let reference = grouping?.reference(ofColumn: column) else { return nil }
    return lens.rows[reference]?.name?.text
  }

  /// Returns the references of the visible rows, and of as many rows below them, and those of the columns' names.
  func referencesNearby(_ staged: StagedChanges) -> Set<ReferenceLabels.Reference> {
    let keys = Set(columns.indices.compactMap(lensKey))
    let nearby = max(0, top)..<max(0, min(top + 2 * extent.rows, rowCount))
    let ofColumns = columns.indices.compactMap { grouping?.reference(ofColumn: $0) }
    return Set(ofColumns).union(
      nearby.flatMap { index in
        let row = shownRow(at: index, staged)
        return keys.compactMap { reference(by: $0) { row.cell($0).value } }
      })
  }

  // MARK: Cells

  /// Returns the text after a value: ` · Big Ones`; nil if the value references nothing, or the label is not known yet.
  func lensText(of column: Int, in row: ShownRow, glyphs: Glyphs) -> (text: String, role: Role)? {
    guard let lens, let key = lensKey(of: column), let reference = reference(by: key, in: { row.cell($0).value }) else { return nil }
    return lens.rows[reference]?.text(glyphs: glyphs)
  }

  // MARK: Widths

  /// The greatest width that a label gets automatically.
  private static let widestLabel = 32

  /// Returns the width that each column needs; columns with labels may be truncated.
  func needs(glyphs: Glyphs) -> [ColumnLayout.Need] {
    var needs = GridPane.needs(of: columns, window.rows, schema: schema, dates: emptyTimes.hidden, glyphs: glyphs)
    for column in columns.indices where lensKey(of: column) != nil { needs[column].canBeCut = true }
    return needs
  }

  /// Makes columns wide enough for the visible labels.
  mutating func growLabels(staged: StagedChanges, glyphs: Glyphs) {
    guard lens != nil else { return }
    for slot in layout.slots(width: extent.columns) where !layout.fixed.contains(slot.column) {
      guard let label = columnLabel(of: slot.column) else { continue }
      layout.raise(to: min(Self.widestLabel, TextWidth.columns(of: label)), of: slot.column, mayDisplace: true)
    }
    for slot in layout.slots(width: extent.columns) where lensKey(of: slot.column) != nil && !layout.fixed.contains(slot.column) {
      for index in max(0, top)..<max(0, min(top + extent.rows, rowCount)) {
        let row = shownRow(at: index, staged)
        guard let label = lensText(of: slot.column, in: row, glyphs: glyphs) else { continue }
        let value = row.cell(slot.column).text(isKey: false, hidesTime: false, glyphs: glyphs)
        let width = TextWidth.columns(of: value.text) + min(Self.widestLabel, TextWidth.columns(of: label.text))
        layout.raise(to: width, of: slot.column, mayDisplace: true)
      }
    }
    fitColumns()
  }
}
