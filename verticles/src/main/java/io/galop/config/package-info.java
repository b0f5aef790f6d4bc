/**
 * The configuration as immutable records: read from YAML, environment and command line, and checked
 * as a whole before the first thread starts. The annotations on the records make
 * docs/configuration.md. Every package may read its records; any thread may.
 */
package io.galop.config;
