/// The time limits for the nodes of a cluster.
package struct DqliteLimits: Sendable {
  /// The time limit for connecting to a node.
  package var connecting = Duration.seconds(3)
  /// The time limit for an answer that needs no work.
  package var answer = Duration.seconds(2)
  /// The time for which a statement waits for a leader.
  ///
  /// An election takes up to six seconds, and longer if the old leader hangs.
  package var search = Duration.seconds(12)
  /// The duration of a search for a leader after which the displayed rows are reported as possibly outdated.
  package var staleness = Duration.seconds(3)
  /// The time without a sign of the leader after which it is dropped.
  ///
  /// A leader that is busy with a statement gives no sign either.
  package var silence = Duration.seconds(15)
  /// The time for which a write waits for the transaction of another connection.
  package var busy = Duration.seconds(2)

  package init() {}
}
