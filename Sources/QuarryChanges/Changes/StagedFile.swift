import Essentials
internal import QuarryEngine

/// A file with the new value of a cell.
///
/// A commit reads its bytes, if the file is unchanged since it was staged.
///
/// A large file therefore needs no memory while it is staged, and is not copied to the file of staged changes.
public struct StagedFile: Hashable, Sendable {
  /// The absolute path.
  public let path: String
  /// The size in bytes.
  public let size: Int
  /// The time of the last write, in microseconds since 1970.
  let time: Int

  /// The minimum size of a file that is staged by its path, in bytes.
  package static let leastSize = 1 << 20

  init(path: String, size: Int, time: Int) {
    (self.path, self.size, self.time) = (path, size, time)
  }

  /// Creates the reference of a file in its current state.
  ///
  /// Returns nil if it is not a regular file, or does not exist.
  ///
  /// - Parameter path: The absolute path.
  public init?(path: String) {
    guard let attributes = try? FileManager.default.attributesOfItem(atPath: path), attributes[.type] as? FileAttributeType == .typeRegular,
      let size = (attributes[.size] as? Int) ?? (attributes[.size] as? any BinaryInteger).map({ Int(clamping: $0) }),
      let date = attributes[.modificationDate] as? Date
    else { return nil }
    self.init(path: path, size: size, time: Int(exactly: (date.timeIntervalSince1970 * 1e6).rounded()) ?? 0)
  }

  /// Whether the file is unchanged since it was staged.
  package var isUnchanged: Bool { StagedFile(path: path) == self }
}

extension StagedChanges {
  /// Whether files are staged whose bytes have not been read.
  package var hasFiles: Bool {
    tables.contains { rows(of: $0).contains { !$0.change.files.isEmpty } }
  }

  /// Returns the changes with the references to files replaced by their bytes.
  ///
  /// - Parameter read: Reads the bytes at an absolute path.
  /// - Throws: ``CommitFailure/constraints(_:)`` if files have changed or no longer exist.
  package func readingFiles(_ read: (String) throws -> [UInt8]) throws -> StagedChanges {
    var changes = self
    var failures: [ConstraintFailure] = []
    for table in tables {
      for (row, change) in rows(of: table) {
        for (column, file) in change.files.sorted(by: { $0.key < $1.key }) {
          // Checked again after the read, because another program may write the file meanwhile.
          if file.isUnchanged, let bytes = try? read(file.path), bytes.count == file.size, file.isUnchanged {
            changes.update(row, of: table) { $0?.replaceFile(of: column, by: bytes) }
          } else {
            let reason = "“\(file.path)” for \(column) has been changed or removed since it was staged: stage it again"
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

/// The bytes of a staged file in displayed SQL, in the syntax of the sqlite3 shell.
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
