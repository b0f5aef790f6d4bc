/** By which time it is judged what is too old to be kept, whatever a clock says. */
@NullMarked
package io.galop.persist.retention;

import org.jspecify.annotations.NullMarked;
