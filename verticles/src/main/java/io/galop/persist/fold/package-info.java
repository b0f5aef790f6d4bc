/**
 * Values of a field by the bucket: what answers of {@code /history} are folded to, and what
 * roll-ups keep. Pure, and for one thread at a time; asked by history and rollup.
 */
@NullMarked
package io.galop.persist.fold;

import org.jspecify.annotations.NullMarked;
