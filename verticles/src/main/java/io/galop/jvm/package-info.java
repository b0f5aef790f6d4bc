/**
 * What the Java machine makes necessary: the end of a process that has run out of memory, on a
 * thread of its own, the signal to read the configuration again, moments by a clock that nobody
 * sets, and the silencing of a warning that is meant for the authors of libraries. Any package may
 * call it; it depends on none.
 */
@NullMarked
package io.galop.jvm;

import org.jspecify.annotations.NullMarked;
