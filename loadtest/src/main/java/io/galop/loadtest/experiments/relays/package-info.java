/**
 * Relays: what they cost the node that feeds them (one that wants everything beside many that want
 * a small part each), how late records are at each level of a tree of them, and whether anybody at
 * its leaves lacks a record when a process of each level is killed.
 */
@NullMarked
package io.galop.loadtest.experiments.relays;

import org.jspecify.annotations.NullMarked;
