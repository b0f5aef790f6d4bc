/**
 * Certificates for trying TLS out: an authority, and a server and a client of it. One thread, which
 * may block; the command line uses it.
 */
@NullMarked
package io.galop.cli.certificates;

import org.jspecify.annotations.NullMarked;
