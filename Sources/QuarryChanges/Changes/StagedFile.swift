import Essentials
internal import QuarryEngine

/// A file whose bytes a cell is to get: a commit reads them, where the file is then still the one that was staged.
///
/// A large file takes no memory that way while it is staged, and is not copied to the file that keeps what is staged.
public struct StagedFile: Hashable, Sendable {
  /// The absolute path.
  public let path: String
  /// The size in bytes.
  public let size: Int
  /// When it was last written, in microseconds since 1970.
  let time: Int

  /// The size from which a file is staged by its path, in bytes.
  package static let leastSize = 1 << 20

  init(path: String, size: Int, time: Int) {
    (self.path, self.size, self.time) = (path, size, time)
  }

  /// Makes the reference of a file as it is now; nil where it is no regular file, or cannot be found.
  ///
  /// - Parameter path: The absolute path.
  public init?(path: String) {
    guard let attributes = try? FileManager.default.attributesOfItem(atPath: path), attributes[.type] as? FileAttributeType == .typeRegular,
      let size = (attributes[.size] as? Int) ?? (attributes[.size] as? any BinaryInteger).map({ Int(clamping: $0) }),
      let date = attributes[.modificationDate] as? Date
    else { return nil }
    self.init(path: path, size: size, time: Int(exactly: (date.timeIntervalSince1970 * 1e6).rounded()) ?? 0)
  }

  /// Whether the file is still the one that was staged.
  package var isUnchanged: Bool { StagedFile(path: path) == self }
}

extension StagedChanges {
  /// Whether bytes of files are staged that have not been read.
  package var hasFiles: Bool {
    tables.contains { rows(of: $0).contains { !$0.change.files.isEmpty } }
  }

  /// Returns the changes with the bytes of files in the place of their references.
  ///
  /// - Parameter read: Reads the bytes at an absolute path.
  /// - Throws: ``CommitFailure/constraints(_:)`` where files have changed or are gone since they were staged.
  package func readingFiles(_ read: (String) throws -> [UInt8]) throws -> StagedChanges {
    var changes = self
    var failures: [ConstraintFailure] = []
    for table in tables {
      for (row, change) in rows(of: table) {
        for (column, file) in change.files.sorted(by: { $0.key < $1.key }) {
          // Looked at again after it was read, since another program may write it meanwhile.
          if file.isUnchanged, let bytes = try? read(file.path), bytes.count == file.size, file.isUnchanged {
            changes.update(row, of: table) { $0?.replaceFile(of: column, by: bytes) }
          } else {
            let reason = "“\(file.path)” for \(column) has changed or is gone since it was staged: stage it again"
            failures.append(ConstraintFailure(table: table, row: row, columns: [column], reason: reason))
          }
        }
      }
    }
    guard failures.isEmpty else { throw CommitFailure.constraints(failures) }
    return changes
  }
}

extension StagedRow {
  /// The files among the staged values, by column.
  fileprivate var files: [String: StagedFile] {
    switch self {
    case .updated(let cells): cells.compactMapValues(\.value.file)
    case .inserted(let values): values.compactMapValues(\.file)
    case .deleted: [:]
    }
  }

  fileprivate mutating func replaceFile(of column: String, by bytes: [UInt8]) {
    switch self {
    case .updated(var cells):
      cells[column]?.value = .value(.blob(bytes))
      self = .updated(cells)
    case .inserted(var values):
      values[column] = .value(.blob(bytes))
      self = .inserted(values)
    case .deleted: break
    }
  }
}

extension StagedValue {
  fileprivate var file: StagedFile? {
    if case .file(let file) = self { file } else { nil }
  }
}

/// The bytes of a staged file in the SQL that is shown, as the sqlite3 shell reads them.
struct FileContent: QueryExpression {
  typealias QueryValue = DatabaseValue
  typealias Output = DatabaseValue

  let path: String

  var parenthesization: Parenthesization { .own }

  func write(to sql: inout SQLWriter) {
    sql.append("readfile(")
    sql.append(value: path)
    sql.append(")")
  }
}
