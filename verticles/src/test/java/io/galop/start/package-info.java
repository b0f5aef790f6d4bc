/** Tests of the script {@code ./galop}, which starts a small program in the place of the jar. */
@NullMarked
package io.galop.start;

import org.jspecify.annotations.NullMarked;
