/**
 * Reads YAML, environment variables and {@code --set} into immutable records: the binder, the
 * annotations that describe a key, and the texts of what is wrong. It gathers all problems with
 * their line before it refuses. Pure functions, called by the thread that starts the process; it
 * knows no key of Galop or of its load test, which both use it.
 */
@NullMarked
package io.galop.yaml;

import org.jspecify.annotations.NullMarked;
