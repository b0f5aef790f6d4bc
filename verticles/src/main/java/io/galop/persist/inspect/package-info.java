/**
 * The commands that look at the Log of a node that is not running. All on the thread of the command
 * line, which may block; {@code Galop} puts them among the other commands.
 */
@NullMarked
package io.galop.persist.inspect;

import org.jspecify.annotations.NullMarked;
