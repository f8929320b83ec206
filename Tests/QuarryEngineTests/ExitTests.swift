import TestSupport
import Testing

/// Tests that run a part of themselves in a process of its own.
///
/// One after the other: of two at a time, one may wait for ever.
@Suite(.gated, .serialized) struct ExitTests {}
