public import QuarryRows

/// Checks the file of a source, and mends it.
///
/// A source whose file is elsewhere, or that has none, does not have this role.
public protocol HealthChecking: Sendable {
  /// Checks the first database for damage, broken references, and what slows it down.
  ///
  /// See ``ReadConnections/health(_:progress:)``.
  ///
  /// - Parameter progress: Called with the results so far.
  func health(_ request: HealthRequest, progress: @escaping @Sendable (HealthReport) -> Void) async throws -> HealthReport
  /// Returns whether the database has been written since it was checked.
  func hasChanged(since report: HealthReport) async throws -> Bool
  /// Runs a statement that mends the first database, and commits it.
  ///
  ///     VACUUM main
  ///
  /// - Parameter progress: Called on any thread with the part of the pages that VACUUM has read, from 0 to 1; not for other statements, nor
  ///   while VACUUM writes the file, after it has read all pages.
  /// - Returns: The effect on the files.
  func maintain(_ maintenance: Maintenance, progress: @escaping @Sendable (Double) -> Void) async throws -> MaintenanceEffect
}

extension HealthChecking {
  /// Runs a statement that mends the first database, and commits it.
  public func maintain(_ maintenance: Maintenance) async throws -> MaintenanceEffect { try await maintain(maintenance) { _ in } }
}

/// The effect of a statement that mends a database.
public struct MaintenanceEffect: Hashable, Sendable {
  /// The number of bytes of the file and its write-ahead log before.
  public var bytesBefore: Int
  /// The number of bytes of the file and its write-ahead log afterwards.
  public var bytesAfter: Int
  /// Whether another connection prevented the write-ahead log from being emptied.
  public var isLogBusy: Bool

  /// Creates an effect.
  public init(bytesBefore: Int, bytesAfter: Int, isLogBusy: Bool = false) {
    (self.bytesBefore, self.bytesAfter, self.isLogBusy) = (bytesBefore, bytesAfter, isLogBusy)
  }
}
