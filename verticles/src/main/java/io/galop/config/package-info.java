/**
 * The configuration as immutable records, read by {@link io.galop.yaml} and checked as a whole
 * before the first thread starts; here are the keys that no stage owns. A stage's keys are in the
 * package of its name. The annotations on the records make docs/configuration.md. Every package may
 * read its records; any thread may.
 */
@NullMarked
package io.galop.config;

import org.jspecify.annotations.NullMarked;
