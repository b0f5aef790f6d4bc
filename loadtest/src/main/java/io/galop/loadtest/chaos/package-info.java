/** A cluster under faults drawn from a seed, and an oracle that says what they broke. */
package io.galop.loadtest.chaos;
