/**
 * Scenario files: YAML bound to immutable records and checked before anything starts. The
 * annotations make docs/loadtest.md.
 */
package io.galop.loadtest.scenario;
