/**
 * Settings of connections to stores that several stages make: addresses, logins, TLS. Used while a
 * stage starts; nothing here runs on a thread of its own. What a store is to the Log is in {@code
 * persist.store}.
 */
@NullMarked
package io.galop.store;

import org.jspecify.annotations.NullMarked;
