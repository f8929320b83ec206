import QuarryCluster
import TestSupport
import Testing

@Suite("The state of the connection to a cluster", .gated)
struct ClusterStatusTests {
  private func shown(by board: ClusterStatus) async -> RemoteState.Connection? {
    await board.states().first { _ in true }?.connection
  }

  @Test("rows stay marked as old while no node leads, however often one is looked for")
  func unavailable() async {
    let board = ClusterStatus()
    board.show(RemoteState(connection: .connected, leader: "10.0.0.1:9001", voters: 3))
    board.show(.searching)
    #expect(await shown(by: board) == .searching)
    board.show(.unavailable)
    board.show(.searching)
    #expect(await shown(by: board) == .unavailable)
  }

  @Test("a leader that was found again may be lost again")
  func lostAgain() async {
    let board = ClusterStatus()
    board.show(.unavailable)
    board.show(RemoteState(connection: .connected, leader: "10.0.0.2:9001", voters: 3))
    board.show(.searching)
    #expect(await shown(by: board) == .searching)
    board.show(.connected)
    #expect(await shown(by: board) == .connected)
  }
}
