internal import COpenSSL

/// One TLS connection without its socket.
///
/// Callers pass in and take out the bytes on both sides.
///
/// It must be used on one thread only. OpenSSL accesses only memory, so that it never blocks and never raises SIGPIPE. The corresponding C
/// type is `SSL`.
final class TLSStream {
  private let session: OpaquePointer
  // The session frees both.
  /// The bytes received from the socket.
  private let input: OpaquePointer
  /// The bytes to send.
  private let output: OpaquePointer
  /// Whether the peer has been verified and messages may be sent.
  private(set) var isOpen = false
  private var hasReceived = false
  /// A buffer for the maximum payload of a TLS record.
  private var record = [UInt8](repeating: 0, count: 1 << 14)

  /// Prepares a connection.
  ///
  /// - Parameter serverName: The required host name or IP address in the peer's certificate, or nil for any.
  /// - Throws: ``TLSFault`` if the name cannot occur in a certificate.
  init(_ context: TLSContext, serverName: String?) throws(TLSFault) {
    ERR_clear_error()
    guard let session = SSL_new(context.pointer) else { throw .other(TLSFault.lastWords()) }
    self.session = session
    guard let input = BIO_new(BIO_s_mem()) else {
      SSL_free(session)
      throw .other(TLSFault.lastWords())
    }
    guard let output = BIO_new(BIO_s_mem()) else {
      BIO_free(input)
      SSL_free(session)
      throw .other(TLSFault.lastWords())
    }
    (self.input, self.output) = (input, output)
    SSL_set_bio(session, input, output)
    SSL_set_connect_state(session)
    if let serverName { try expect(serverName) }
  }

  deinit { SSL_free(session) }

  /// Makes the handshake fail if the peer's certificate does not match a name.
  ///
  /// A host name is also sent to the peer.
  private func expect(_ name: String) throws(TLSFault) {
    let bytes = name.utf8
    guard (1...255).contains(bytes.count), bytes.allSatisfy({ $0 > 0x20 && $0 != 0x7F }) else { throw .wrongName }
    let isNumber = X509_VERIFY_PARAM_set1_ip_asc(SSL_get0_param(session), name) == 1
    ERR_clear_error()
    if isNumber { return }
    SSL_set_hostflags(session, CUnsignedInt(X509_CHECK_FLAG_NO_PARTIAL_WILDCARDS))
    guard SSL_set1_host(session, name) == 1, quarry_ssl_set_server_name(session, name) == 1 else { throw .wrongName }
  }

  /// Adds bytes received from the socket.
  func receive(_ bytes: ArraySlice<UInt8>) throws(TLSFault) {
    // TLS always begins with a handshake or an alert of version 3.
    if !hasReceived, let first = bytes.first, !(0x14...0x17).contains(first) { throw .noTLS }
    hasReceived = true
    let count = bytes.withUnsafeBytes { BIO_write(input, $0.baseAddress, CInt(clamping: $0.count)) }
    guard Int(count) == bytes.count else { throw .other(TLSFault.lastWords()) }
  }

  /// Continues the handshake with the bytes received so far.
  func shakeHands() throws(TLSFault) {
    ERR_clear_error()
    let result = SSL_do_handshake(session)
    guard result != 1 else { return isOpen = true }
    try check(result)
  }

  /// Appends all received bytes, decrypted, including those before a fault.
  func decrypt(into bytes: inout [UInt8]) throws(TLSFault) {
    while true {
      ERR_clear_error()
      let result = record.withUnsafeMutableBytes { SSL_read(session, $0.baseAddress, CInt(clamping: $0.count)) }
      guard result > 0 else { return try check(result) }
      bytes += record.prefix(Int(result))
    }
  }

  /// Encrypts bytes.
  ///
  /// ``takeOutput()`` then returns them.
  func encrypt(_ bytes: ArraySlice<UInt8>) throws(TLSFault) {
    ERR_clear_error()
    let result = bytes.withUnsafeBytes { SSL_write(session, $0.baseAddress, CInt(clamping: $0.count)) }
    guard Int(result) == bytes.count else {
      try check(result)
      throw .other("the session accepts no data")
    }
  }

  /// Returns the bytes to send and removes them.
  func takeOutput() -> [UInt8] {
    let count = BIO_ctrl_pending(output)
    return [UInt8](unsafeUninitializedCapacity: count) { space, filled in
      filled = count == 0 ? 0 : Int(max(0, BIO_read(output, space.baseAddress, CInt(clamping: count))))
    }
  }

  /// Whether the peer has sent its closing message, after which no more bytes arrive.
  var hasEnded: Bool { SSL_get_shutdown(session) & SSL_RECEIVED_SHUTDOWN != 0 }

  /// Prepares the closing message.
  ///
  /// ``takeOutput()`` then returns it.
  func close() {
    ERR_clear_error()
    if isOpen { SSL_shutdown(session) }
  }

  /// Throws an error unless OpenSSL only waits for more bytes, or the peer has sent its closing message.
  private func check(_ result: CInt) throws(TLSFault) {
    let error = SSL_get_error(session, result)
    if error == SSL_ERROR_WANT_READ || error == SSL_ERROR_WANT_WRITE || error == SSL_ERROR_ZERO_RETURN { return }
    isOpen = false
    throw TLSFault(verification: SSL_get_verify_result(session))
  }
}
