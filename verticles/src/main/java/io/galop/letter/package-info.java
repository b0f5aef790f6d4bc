/**
 * Dead letters as they are read and driven again, the same for the command and for the console:
 * which record a letter is about, which of its attempts counts, and under which id the next one
 * goes. Without threads or state of its own.
 */
@NullMarked
package io.galop.letter;

import org.jspecify.annotations.NullMarked;
