/**
 * Scenario files: YAML bound to immutable records and checked before anything starts. The
 * annotations make docs/loadtest.md.
 */
@NullMarked
package io.galop.loadtest.scenario;

import org.jspecify.annotations.NullMarked;
