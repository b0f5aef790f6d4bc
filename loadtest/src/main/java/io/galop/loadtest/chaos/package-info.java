/** A cluster under faults drawn from a seed, and an oracle that says what they broke. */
@NullMarked
package io.galop.loadtest.chaos;

import org.jspecify.annotations.NullMarked;
