/** Files that a process needs only while it runs. */
@NullMarked
package io.galop.scratch;

import org.jspecify.annotations.NullMarked;
