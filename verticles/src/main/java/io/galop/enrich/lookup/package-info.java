/**
 * Rows of reference tables that are in a store: asked for in few selects, kept, never waited for
 * long.
 */
package io.galop.enrich.lookup;
