/**
 * The cost of relays for the node that feeds them: one relay that wants everything beside many that
 * want a small part each.
 */
@NullMarked
package io.galop.loadtest.experiments.relays;

import org.jspecify.annotations.NullMarked;
