/** Viewers that never read, beside others that do. */
@NullMarked
package io.galop.loadtest.stalled;

import org.jspecify.annotations.NullMarked;
