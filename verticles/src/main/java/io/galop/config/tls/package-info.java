/**
 * The keys of TLS, the same for every listener. Immutable records, made by the thread that starts
 * the process and read by any.
 */
@NullMarked
package io.galop.config.tls;

import org.jspecify.annotations.NullMarked;
