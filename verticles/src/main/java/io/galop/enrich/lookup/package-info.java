/**
 * Rows of reference tables that are in a store: asked for in few selects, kept, never waited for
 * long.
 */
@NullMarked
package io.galop.enrich.lookup;

import org.jspecify.annotations.NullMarked;
