internal import QuarryEngine

/// Reports the size of the write-ahead log, and the oldest reader, which keeps SQLite from using it again.
struct LogCheck: HealthCheck {
  let name = "wal"

  /// The size from which the log is a finding: four times that of SQLite's automatic checkpoint.
  private static let large = 16_000_000

  func results(about subject: HealthSubject, in database: Database) throws -> [HealthResult] {
    guard let size = try database.logSize(of: "main") else { return [HealthResult(name, nil, .ok, "no write-ahead log")] }
    let log = WriteAheadLog(of: "main", in: database)
    let isLarge = size >= Self.large
    let frames = log.map { " with \(Plural.of($0.frames, "frame")), \(Plural.grouped($0.copiedFrames)) of them copied to the file" } ?? ""
    let cause = isLarge ? ": a long read, or a missing checkpoint, keeps SQLite from using it again" : ""
    return [
      HealthResult(
        name, nil, isLarge ? .finding : .ok, "the write-ahead log has \(ByteSize.text(size))\(frames)\(cause)",
        remedy: isLarge ? .maintenance(.checkpoint) : nil)
    ] + (log.flatMap { oldestReader(of: $0, isLarge: isLarge) }.map { [$0] } ?? [])
  }

  /// Returns the reader of the oldest state; nil if all readers see the newest state.
  private func oldestReader(of log: WriteAheadLog, isLarge: Bool) -> HealthResult? {
    guard let oldest = log.readers.min(by: { $0.lastFrame < $1.lastFrame }), oldest.lastFrame < log.frames else { return nil }
    let process = oldest.process.map { "process \($0)" } ?? "a process of another container"
    return HealthResult(
      name, "oldest reader", isLarge ? .finding : .note,
      "\(process) reads the state of frame \(Plural.grouped(oldest.lastFrame)): no checkpoint copies later frames until it ends",
      remedy: .advice("end the read transaction of \(process)"))
  }
}
