/// How long the nodes of a cluster are waited for.
package struct DqliteLimits: Sendable {
  /// How long connecting to a node may take.
  package var connecting = Duration.seconds(3)
  /// How long a node may take to answer a question that costs it nothing.
  package var answer = Duration.seconds(2)
  /// How long a statement waits for a leader: an election takes up to six seconds, and more where the old leader hangs.
  package var search = Duration.seconds(12)
  /// How long a leader is looked for before the rows that are shown are said to be old: they may be, whatever the search finds.
  package var staleness = Duration.seconds(3)
  /// How long a leader may give no sign before it is given up: one that is busy with a statement gives none either.
  package var silence = Duration.seconds(15)
  /// How long a write waits for the transaction of another connection.
  package var busy = Duration.seconds(2)

  package init() {}
}
