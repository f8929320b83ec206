/// Words that find a command in the palette for people who do not know its name.
package struct CommandSynonyms: Sendable {
  package let command: Command
  let words: [String]
  /// The note in the palette for a command found by one of the words: why it is the nearest alternative.
  let note: String?

  init(_ command: Command, _ words: String, note: String? = nil) {
    self.command = command
    self.words = words.split(separator: ",").map { String($0.drop { $0 == " " }) }
    self.note = note
  }

  /// Returns the words of a command.
  static func of(_ command: Command) -> [CommandSynonyms] { all.filter { $0.command == command } }

  package static let all: [CommandSynonyms] = nearest + knowing + looking + narrowing + columns + relations + writing + program

  /// Features that the program does not have yet, with the nearest alternatives.
  private static let nearest: [CommandSynonyms] = [
    CommandSynonyms(.export, "export, save, save as, download, csv, tsv, json, ndjson, markdown, html, dump, write, write file, save rows"),
    CommandSynonyms(.export, "excel, spreadsheet", note: "Write the rows as CSV, which spreadsheets read"),
    CommandSynonyms(.importFile, "import, load, load file, read csv, csv, tsv, json, ndjson, upload, append, insert from file, upsert"),
    CommandSynonyms(.importFile, "excel, spreadsheet", note: "Import a spreadsheet that was saved as CSV"),
    CommandSynonyms(.editCell, "edit, edit cell, change, change value, update, modify, set value"),
    CommandSynonyms(.newRow, "insert, new row, add row, add, create"),
    CommandSynonyms(.newRowLikeThis, "duplicate, clone, copy row below"),
    CommandSynonyms(.paste, "paste, load"),
    CommandSynonyms(.deleteRows, "delete, remove, delete row"),
    CommandSynonyms(.changes, "save, write, review, pending changes"),
    CommandSynonyms(.commits, "restore, recover, undelete, history of changes, audit"),
    CommandSynonyms(.design, "rename, alter, alter table, add column, drop column, rename column, schema, index, create index, not null"),
    CommandSynonyms(.createTable, "create table, new table, make table"),
    CommandSynonyms(.editSQL, "drop, truncate", note: "Tables are emptied and dropped by SQL in the editor"),
    CommandSynonyms(.editSQL, "drop table", note: "Tables are dropped by SQL in the editor"),
    CommandSynonyms(
      .editAsSQL, "sum, average, aggregate", note: "Write these rows as SQL, for a sum() with GROUP BY"),
    CommandSynonyms(.diff, "merge, sync", note: "Compare with another database: it lists the rows that a merge has to change"),
    CommandSynonyms(.editSQL, "vacuum, pragma, analyze, attach", note: "Run it as SQL in the editor"),
    CommandSynonyms(.commit, "w, write, wq, save changes, apply"),
  ]

  private static let knowing: [CommandSynonyms] = [
    CommandSynonyms(
      .countValues,
      "count, group by, distinct, unique values, frequency, frequencies, histogram, distribution, value counts, bins, top values"),
    CommandSynonyms(
      .profile, "profile, statistics, stats, describe, summary, summarize, quality, nulls, min, max, mean, median, quartiles"),
    CommandSynonyms(
      .health, "integrity, doctor, repair, corruption, corrupt, vacuum, reindex, analyze, checkpoint, size, dbstat, unused index"),
    CommandSynonyms(.facets, "facet, facets, pivot, drill down, cross filter, crossfilter, slice, explore, sidebar, rail"),
    CommandSynonyms(.binValues, "bins, ranges, buckets, histogram"),
  ]

  private static let looking: [CommandSynonyms] = [
    CommandSynonyms(.openRecord, "record, row, form, view row, expand, inspect, detail, enter, zoom, json, blob, hex"),
    CommandSynonyms(.details, "info, describe, desc, schema, structure, ddl, columns, indexes, keys, triggers, types, create statement"),
    CommandSynonyms(.jumpToTable, "table, tables, open, open table, go to table, use, switch, list tables, views"),
    CommandSynonyms(.open, "table, select table"),
    CommandSynonyms(.refresh, "reload, reread, update view, f5, r"),
    CommandSynonyms(.find, "search, grep, look for, match, /"),
    CommandSynonyms(.findNext, "next, next match, search again"),
    CommandSynonyms(.findPrevious, "previous, previous match"),
    CommandSynonyms(.findSameValue, "same, equal, star"),
    CommandSynonyms(.backToRow, "back, where was i, mark"),
    CommandSynonyms(.moveToTop, "first, first row, start, go to row, line"),
    CommandSynonyms(.moveToBottom, "last, last row, end, go to row, line"),
    CommandSynonyms(.moveToPercent, "percent, half"),
    CommandSynonyms(.narrow, "filter tables, search tables"),
    CommandSynonyms(.fold, "collapse, close group"),
    CommandSynonyms(.nextRecord, "next"),
    CommandSynonyms(.previousRecord, "previous"),
  ]

  private static let narrowing: [CommandSynonyms] = [
    CommandSynonyms(.filter, "where, condition, query, restrict, limit"),
    CommandSynonyms(.filterColumn, "where, column filter"),
    CommandSynonyms(.includeValue, "include, keep, only, equal"),
    CommandSynonyms(.excludeValue, "exclude, without, not, hide value"),
    CommandSynonyms(.dropFilter, "clear filter, reset, remove filter, all rows, unfilter"),
    CommandSynonyms(.dropLastFilter, "undo filter, remove condition"),
    CommandSynonyms(.keepFilter, "save filter, name filter"),
    CommandSynonyms(.chooseFilter, "saved filters, load filter"),
    CommandSynonyms(.sortColumn, "order, order by, ascending, descending, asc, desc"),
    CommandSynonyms(.sortFurther, "order by, then by, second key"),
    CommandSynonyms(.sortBar, "order by, order, several keys"),
    CommandSynonyms(.naturalOrder, "unsort, clear sort, reset order, rowid"),
    CommandSynonyms(.explain, "explain, plan, query plan, slow, index, why"),
    CommandSynonyms(.explainPlan, "explain, plan, query plan, slow, index"),
  ]

  private static let columns: [CommandSynonyms] = [
    CommandSynonyms(.widenColumn, "resize, width, wider, grow, enlarge, column width"),
    CommandSynonyms(.narrowColumn, "resize, width, narrower, shrink, smaller, column width"),
    CommandSynonyms(.fitColumn, "resize, width, fit, auto width, best fit"),
    CommandSynonyms(.hideColumn, "hide, remove column, delete column"),
    CommandSynonyms(.showAllColumns, "show, unhide, reset columns"),
    CommandSynonyms(.freezeColumns, "freeze, pin, lock, stick"),
    CommandSynonyms(.goToColumn, "column, jump to column, columns"),
    CommandSynonyms(.selectCells, "select, mark, visual, block"),
    CommandSynonyms(.selectRows, "select, mark, visual line, select all"),
    CommandSynonyms(.copy, "yank, clipboard, copy cell"),
    CommandSynonyms(.copyRow, "yank row, clipboard"),
    CommandSynonyms(.copyAs, "clipboard, insert statement, formats, csv, tsv, json, markdown, html"),
  ]

  private static let relations: [CommandSynonyms] = [
    CommandSynonyms(.followForeignKey, "join, relation, foreign key, reference, go to definition, parent, fk, link"),
    CommandSynonyms(.referringRows, "relation, inbound, children, references, used by, backlinks"),
    CommandSynonyms(.goBack, "back, previous table, return"),
    CommandSynonyms(.goForward, "forward, next table"),
  ]

  private static let writing: [CommandSynonyms] = [
    CommandSynonyms(.editSQL, "query, editor, console, select, write sql, new query"),
    CommandSynonyms(.runStatement, "run, execute, exec, go, submit"),
    CommandSynonyms(.runAll, "execute all, run script, batch"),
    CommandSynonyms(.parameters, "bind, arguments, variables, parameter"),
    CommandSynonyms(.statements, "saved, queries, saved queries, snippets, bookmarks, favourites, favorites, library"),
    CommandSynonyms(.history, "log, recent, earlier, past"),
    CommandSynonyms(.undo, "undo, revert"),
    CommandSynonyms(.redo, "redo, again"),
    CommandSynonyms(.rollBack, "undo, revert, abort, discard, cancel changes"),
    CommandSynonyms(.commit, "keep changes, save transaction"),
    CommandSynonyms(.comment, "uncomment, toggle comment"),
    CommandSynonyms(.unindent, "indent, outdent"),
    CommandSynonyms(.complete, "autocomplete, completion, suggest, intellisense"),
    CommandSynonyms(.editExternally, "vim, nano, emacs, external editor, visual, editor"),
    CommandSynonyms(.openFile, "load sql, read file, import sql, open sql"),
    CommandSynonyms(.saveFile, "write file, save sql, save query, name query"),
    CommandSynonyms(.nextBuffer, "tab, next text, buffer"),
    CommandSynonyms(.closeBuffer, "close tab, delete buffer"),
    CommandSynonyms(.nextResult, "next, next tab, tab"),
    CommandSynonyms(.previousResult, "previous, previous tab"),
    CommandSynonyms(.applyReplacement, "fix, mend, correct"),
    CommandSynonyms(.changeType, "type, cast"),
  ]

  private static let program: [CommandSynonyms] = [
    CommandSynonyms(.help, "keys, shortcuts, manual, bindings, hotkeys, ?"),
    CommandSynonyms(.chooseTheme, "color, colors, colour, colours, dark, light, appearance, style, palette, background"),
    CommandSynonyms(.settings, "configuration, configure, options, preferences, set, mouse, ascii, catalog width, default, config.toml"),
    CommandSynonyms(.quit, "exit, leave, bye, close program, x, qa, wq"),
    CommandSynonyms(.close, "exit, leave, back, hide"),
    CommandSynonyms(.stop, "cancel, interrupt, abort, kill, copy"),
    CommandSynonyms(.backOut, "cancel, back, escape"),
    CommandSynonyms(.toggleCatalog, "sidebar, tree, hide catalog, show catalog, list"),
    CommandSynonyms(.redraw, "repaint, clear, refresh screen"),
    CommandSynonyms(.suspend, "background, shell, fg"),
    CommandSynonyms(.nextPane, "switch pane, window, focus, next"),
    CommandSynonyms(.previousPane, "switch pane, window, focus, previous"),
    CommandSynonyms(.paneLeft, "window"), CommandSynonyms(.paneDown, "window"), CommandSynonyms(.paneUp, "window"),
    CommandSynonyms(.paneRight, "window"),
  ]
}
