internal import Essentials
internal import QuarryEngine

/// A folder of saved statements: SQL files, each with the name of its statement.
///
/// ```swift
/// let library = StatementLibrary(folder: "/home/ada/.local/share/quarry/statements")
/// try library.save("-- title: Long tracks\nSELECT * FROM Track WHERE Milliseconds > :least", as: "long-tracks")
/// try library.all().map(\.title)  // ["Long tracks"]
/// ```
public struct StatementLibrary: Sendable {
  /// The folder, which need not exist yet.
  public let folder: String

  private static let ending = ".sql"
  private static let greatestLength = 100

  /// Creates a library of a folder without reading it.
  public init(folder: String) {
    self.folder = folder
  }

  /// Reads all statements, sorted by name, ignoring case; files that are unreadable or not UTF-8 are skipped.
  ///
  /// - Throws: ``StatementLibraryError`` if the folder exists but cannot be read.
  public func all() throws(StatementLibraryError) -> [SavedStatement] {
    try names().compactMap { name in
      (try? read(path(of: name))).map { SavedStatement(name: name, sql: $0) }
    }
  }

  /// Reads the statement with a name.
  ///
  /// - Throws: ``StatementLibraryError``, with the most similar names if there is no such statement.
  public func statement(named name: String) throws(StatementLibraryError) -> SavedStatement {
    guard Self.fault(of: name) == nil, FileManager.default.fileExists(atPath: path(of: name)) else {
      throw .noSuchStatement(name: name, nearest: NearestNames.to(name, among: (try? names()) ?? []), folder: folder)
    }
    return SavedStatement(name: name, sql: try read(path(of: name)))
  }

  /// Saves a statement under a name atomically, readable only by its owner.
  ///
  /// - Parameters:
  ///   - sql: The text of the file.
  ///   - name: The name of the file without `.sql`.
  ///   - replacing: Whether to replace an existing statement.
  /// - Throws: ``StatementLibraryError`` if the name is taken or not a valid file name, or if the file cannot be written.
  public func save(_ sql: String, as name: String, replacing: Bool = false) throws(StatementLibraryError) {
    if let reason = Self.fault(of: name) { throw .unusableName(name: name, reason: reason) }
    do throws(PrivateFileError) {
      try PrivateFile.makeFolder(folder)
      let isWritten = try PrivateFile.save(Array(sql.utf8), to: path(of: name), replacing: replacing)
      if isWritten { return }
    } catch {
      throw .failed(path: error.path, reason: error.reason)
    }
    throw .nameIsTaken(name: name)
  }

  /// Returns the reason why a name is not valid for a statement; nil if it is valid.
  ///
  /// ```swift
  /// StatementLibrary.fault(of: "long-tracks")  // nil
  /// StatementLibrary.fault(of: "../secrets")   // it begins with a dot
  /// ```
  public static func fault(of name: String) -> String? {
    if name.isEmpty { return "it is empty" }
    if name.hasPrefix(".") { return "it begins with a dot" }
    if name.utf8.contains(UInt8(ascii: "/")) { return "it contains a /" }
    if name.utf8.contains(where: { $0 < 0x20 || $0 == 0x7F }) { return "it contains a control character" }
    return name.utf8.count > greatestLength ? "it is longer than \(greatestLength) bytes" : nil
  }

  private func path(of name: String) -> String { "\(folder)/\(name)\(Self.ending)" }

  private func names() throws(StatementLibraryError) -> [String] {
    guard FileManager.default.fileExists(atPath: folder) else { return [] }
    guard let files = try? FileManager.default.contentsOfDirectory(atPath: folder) else {
      throw .failed(path: folder, reason: "the folder cannot be read")
    }
    let names = files.filter { $0.hasSuffix(Self.ending) }.map { String($0.dropLast(Self.ending.count)) }
    return names.filter { Self.fault(of: $0) == nil }.sorted { ($0.lowercased(), $0) < ($1.lowercased(), $1) }
  }

  private func read(_ path: String) throws(StatementLibraryError) -> String {
    let data: [UInt8]
    do throws(SystemError) {
      data = try OpenFile.contents(of: path)
    } catch {
      throw .failed(path: path, reason: "the file cannot be read (\(error))")
    }
    // A byte order mark, written by some editors, is not part of the text.
    let bytes = data.starts(with: [0xEF, 0xBB, 0xBF]) ? data.dropFirst(3) : data[...]
    guard let text = String(validating: bytes, as: UTF8.self) else { throw .notUTF8(path: path) }
    return text
  }
}
