extension Guard {
  /// Guards of data, of the terminal, of memory and of truth, in the order of their targets.
  public static let all: [Guard] = engine + rows + changes + files + cluster + program

  private static let engine = [
    Guard(
      "quotes in names", in: "QuarryEngine/Syntax/SQLIdentifier.swift",
      "if scalar == quote { scalars.append(quote) }", "scalar == quote", without: "false", .tests("SQLTextTests|RandomDesignTests")),
    Guard(
      "nesting of regular expressions", in: "QuarryEngine/RegularExpressions/RegularExpressionParser.swift",
      "if depth > Self.deepestNesting {", "depth > Self.deepestNesting", without: "false", .tests("RegularExpressionTests")),
    Guard(
      "distrust of the schema", in: "QuarryEngine/SQLite/Database+Opening.swift",
      "SQLITE_DBCONFIG_TRUSTED_SCHEMA, configuration.trustsSchema ? 1 : 0)", "configuration.trustsSchema", without: "true",
      .tests("SchemaTrustTests")),
    Guard(
      "reads that do not write", in: "QuarryEngine/SQLite/Database+Transactions.swift",
      "    refusesWriting = true", "true", without: "false", .tests("DatabaseQueueTests")),
  ]

  private static let rows = [
    Guard(
      "one state of a read in slices", in: "QuarryRows/Rows/ReadSlices.swift",
      "if isOfOneState { throw DataChanged() }", "isOfOneState", without: "false", .tests("ReadSlicesTests|DumpTests")),
    Guard(
      "damage and errors of the disk", in: "QuarryRows/Health/HealthCheck.swift",
      "systemError == 0 && [DatabaseError.SQLITE_CORRUPT, DatabaseError.SQLITE_NOTADB].contains(resultCode)", "systemError == 0",
      without: "true", .attack("known-faults")),
    Guard(
      "pages that the disk does not read", in: "QuarryRows/Health/IntegrityCheck.swift",
      "return code.primary == .SQLITE_IOERR ? code : nil", "code.primary == .SQLITE_IOERR", without: "false", .attack("known-faults")),
  ]

  private static let changes = [
    Guard(
      "rows changed by another program before a commit", in: "QuarryChanges/Changes/ChangeCommit+Conflicts.swift",
      "if !found.isEmpty { throw CommitFailure.conflicts(found) }", "!found.isEmpty", without: "false",
      .tests("ChangeCommitTests|CommitOracleTests")),
    Guard(
      "rows changed by another program before an undo", in: "QuarryChanges/Changes/UndoRun.swift",
      "if !conflicts.isEmpty { throw UndoRefusal(conflicts) }", "!conflicts.isEmpty", without: "false", .tests("ChangeUndoTests")),
    Guard(
      "rows that an undo does not find as the commit left them", in: "QuarryChanges/Changes/UndoCells.swift",
      "guard db.changesCount == 1 else { throw Unexpected() }", "db.changesCount == 1", without: "true",
      .tests("ChangeUndoTests|SavedCellsTests")),
    Guard(
      "changes beside the cells of a commit", in: "QuarryChanges/Changes/SavedCells.swift",
      "if db.totalChangesCount - before != updated { throw UnsavedChange() }", "db.totalChangesCount - before != updated", without: "false",
      .tests("SavedCellsTests")),
  ]

  private static let files = [
    Guard(
      "quotes in CSV", in: "QuarryFiles/Export/DelimitedFormats.swift",
      #"out.append(bytes, doubling: UInt8(ascii: "\""))"#, #"out.append(bytes, doubling: UInt8(ascii: "\""))"#,
      without: "out.append(bytes)", .tests("ExportFormatTests|ExportImportRoundTripTests")),
    Guard(
      "markup in HTML", in: "QuarryFiles/Export/HTMLFormat.swift",
      #"case UInt8(ascii: "&"): out.append("&amp;")"#, #""&amp;""#, without: #""&""#, .tests("ExportFormatTests")),
    Guard(
      "outputs over an open database", in: "QuarryFiles/Export/OutputTarget.swift",
      "if isFile(of: databases, suffixes) ||", "isFile(of: databases, suffixes)", without: "false", .tests("OutputFileTests|OutputTests")),
    Guard(
      "a journal beside a new database", in: "QuarryFiles/Export/EmptyDatabaseFile.swift",
      "if target.hasLog { throw OutputFileError(path, .hasJournal) }", "target.hasLog", without: "false", .tests("EmptyDatabaseFileTests")),
    Guard(
      "a journal beside a replaced database", in: "QuarryFiles/Export/ReplacedDatabase.swift",
      "for log in target.logs { PathText.withPath(log) { _ = unlink($0) } }", "target.logs", without: "[String]()",
      .tests("ReplacedDatabaseTests|BackupFileTests")),
    Guard(
      "folders of other programs", in: "QuarryFiles/Import/Tables/PrivateFolder.swift",
      "contents.isSuperset(of: files),", "contents.isSuperset(of: files)", without: "true", .tests("FileTablesTests")),
    Guard(
      "drafts of running programs", in: "QuarryFiles/Export/AbandonedDrafts.swift",
      "LOCK_EX | LOCK_NB) == 0", "LOCK_EX | LOCK_NB", without: "LOCK_UN", .tests("BackupFileTests")),
  ]

  private static let cluster = [
    Guard(
      "size of a message", in: "QuarryCluster/Dqlite/DqliteFrame.swift",
      "guard words <= DqliteFrame.greatestWords else {", "words <= DqliteFrame.greatestWords", without: "true",
      .tests("DqliteWireTests")),
    Guard(
      "name in a certificate", in: "QuarryCluster/Dqlite/TLSStream.swift",
      "guard SSL_set1_host(session, name) == 1,", "SSL_set1_host(session, name) == 1", without: "true", .tests("DqliteTLSTests")),
    Guard(
      "issuer of a certificate", in: "QuarryCluster/Dqlite/TLSContext.swift",
      "SSL_CTX_set_verify(pointer, SSL_VERIFY_PEER, nil)", "SSL_VERIFY_PEER", without: "SSL_VERIFY_NONE", .tests("DqliteTLSTests")),
  ]

  private static let program = [
    Guard(
      "threads that never end", in: "quarry/Commands/InsightOptions.swift",
      "let task = Task.detached(executorPreference: TaskThreads.shared) {", "TaskThreads.shared", without: "nil as TaskThreads?",
      .attack("known-faults")),
    Guard(
      "size of a paste", in: "CursesTerminal/Input/PasteBuffer.swift",
      "guard bytes.count > Self.longestPiece else { return nil }", "bytes.count > Self.longestPiece", without: "false",
      .tests("InputDecoderTests")),
    Guard(
      "patience with the terminal at the end", in: "CursesTerminal/System/SignalState.swift",
      "while done < count, seconds - lastProgress <= 3 {", "seconds - lastProgress <= 3", without: "lastProgress == 0",
      .attack("signals")),
    Guard(
      "names in a damaged terminfo entry", in: "CursesTerminal/Output/TerminalEntry.swift",
      "guard quarry_has_all_names() != 0 else { throw .unknown(name: name) }", "quarry_has_all_names() != 0", without: "true",
      .tests("TerminalTypeTests")),
    Guard(
      "control characters in the output", in: "quarry/Output/StandardOutput.swift",
      "var text = unfinished.withLock { $0.text(adding: bytes) }.pictured", "unfinished.withLock { $0.text(adding: bytes) }.pictured",
      without: "unfinished.withLock { $0.text(adding: bytes) }", .attack("content")),
    Guard(
      "control characters in messages", in: "quarry/Output/StandardOutput.swift",
      "static func write(_ text: String) { send(text.pictured) }", "text.pictured", without: "text", .attack("content")),
    Guard(
      "reports of what has not happened", in: "quarry/Commands/ScriptReport.swift",
      "if count == 1, !mayHaveWritten { return nil }", "!mayHaveWritten", without: "false", .attack("known-faults")),
  ]
}
