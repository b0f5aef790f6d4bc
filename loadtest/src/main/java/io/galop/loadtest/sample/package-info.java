/**
 * Looks at a process from outside at regular times: processor time, memory, sockets. One thread of
 * its own.
 */
@NullMarked
package io.galop.loadtest.sample;

import org.jspecify.annotations.NullMarked;
