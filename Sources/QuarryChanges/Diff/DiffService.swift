internal import QuarryEngine
internal import QuarryRows

/// Answers the questions of a comparison on another host about a file on this one.
package actor DiffService {
  private let open: @Sendable (_ isWatched: Bool) throws -> FileDiffSide
  private var sides: [Int: FileDiffSide] = [:]
  private var lastNumber = 0

  /// Creates a service.
  ///
  /// - Parameter open: Opens the file; a side that is only watched reads its state again each time.
  package init(open: @escaping @Sendable (_ isWatched: Bool) throws -> FileDiffSide) {
    self.open = open
  }

  /// Answers a question; an error is an answer too.
  package func answer(_ message: DiffMessage) async throws -> DiffMessage {
    do {
      let question = try message.decoded(as: DiffQuestion.self)
      if case .open(let isWatched) = question.kind { return try DiffMessage(DiffAnswer.opened(try opened(isWatched))) }
      guard let side = sides[question.side] else { throw DiffMessageError() }
      if case .close = question.kind {
        sides[question.side] = nil
        try side.queue.close()
        return try DiffMessage(DiffAnswer.done)
      }
      return try await answer(question.kind, of: side, message)
    } catch {
      return try DiffMessage(DiffAnswer.failed(SentError(error)))
    }
  }

  private func opened(_ isWatched: Bool) throws -> Int {
    lastNumber += 1
    sides[lastNumber] = try open(isWatched)
    return lastNumber
  }

  private func answer(_ kind: DiffQuestion.Kind, of side: FileDiffSide, _ message: DiffMessage) async throws -> DiffMessage {
    switch kind {
    case .open, .close: throw DiffMessageError()
    case .schema(let known): return try await schema(of: side, unless: known)
    case .state: return try DiffMessage(DiffAnswer.state(try await side.state()))
    case .isUTF8: return try DiffMessage(DiffAnswer.isUTF8(try await side.isUTF8()))
    case .rows(let sql, let width):
      let block = try DiffBlock(try await side.rows(try sql.text(message), width: width), width: width)
      return try DiffMessage(DiffAnswer.rows(width: width, count: block.count), block)
    case .block(let sql, let width, let limit):
      let text = try sql.text(message)
      let block = try await side.block(DiffQuery(sql: { _ in text }, ranges: [KeyRange()], width: width, keyWidth: 0, limit: limit))
      return try DiffMessage(DiffAnswer.block(count: block.count, isEnd: block.rest.isEmpty), block)
    case .copy(let sql, let table):
      let copy = try await side.copy(try sql.text(message), of: table)
      return try DiffMessage(DiffAnswer.copied(database: copy.database, name: copy.name))
    case .drop(let database, let name): try await side.drop(TableReference(database: database, name: name))
    case .checkReached(let count, let table, let state):
      try await side.checkReached(count, of: TableReference(name: table), since: state)
    }
    return try DiffMessage(DiffAnswer.done)
  }

  private func schema(of side: FileDiffSide, unless known: DiffState?) async throws -> DiffMessage {
    let state = try await side.state()
    if state == known { return try DiffMessage(DiffAnswer.sameSchema) }
    let rows = try DiffBlock(try await side.rows(SchemaCopy.sql, width: SchemaCopy.width), width: SchemaCopy.width)
    return try DiffMessage(DiffAnswer.schema(state, count: rows.count), rows)
  }
}
