/**
 * What is in the files of a Log: segments, entries, extents, and the disk as an interface. It
 * writes and reads bytes and decides nothing. It runs on the thread of its caller: the Log's
 * writer, a reader, or a command.
 */
@NullMarked
package io.galop.persist.log.file;

import org.jspecify.annotations.NullMarked;
