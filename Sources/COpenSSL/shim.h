#ifndef QUARRY_COPENSSL_H
#define QUARRY_COPENSSL_H

#include <openssl/err.h>
#include <openssl/pem.h>
#include <openssl/ssl.h>
#include <openssl/x509v3.h>

/* Swift imports neither function-like macros nor constants that a macro computes. */

static inline int quarry_ssl_require_tls12(SSL_CTX *context) {
  return SSL_CTX_set_min_proto_version(context, TLS1_2_VERSION);
}

static inline void quarry_ssl_forbid_renegotiation(SSL_CTX *context) {
  SSL_CTX_set_options(context, SSL_OP_NO_RENEGOTIATION);
}

static inline int quarry_ssl_add_chain_certificate(SSL_CTX *context, X509 *certificate) {
  return (int)SSL_CTX_add1_chain_cert(context, certificate);
}

static inline int quarry_ssl_set_server_name(SSL *session, const char *name) {
  return (int)SSL_set_tlsext_host_name(session, name);
}

/* An atexit handler of OpenSSL would free what the threads of connections still use. */
static inline int quarry_ssl_initialize(void) {
  return OPENSSL_init_ssl(OPENSSL_INIT_LOAD_SSL_STRINGS | OPENSSL_INIT_NO_ATEXIT, NULL);
}

#endif
