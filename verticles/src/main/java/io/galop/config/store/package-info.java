/**
 * The keys that every use of a store needs: address, login and TLS. Immutable records, made by the
 * thread that starts the process and read by any; sinks and look-ups use them.
 */
@NullMarked
package io.galop.config.store;

import org.jspecify.annotations.NullMarked;
