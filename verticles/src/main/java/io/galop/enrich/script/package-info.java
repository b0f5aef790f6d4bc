/**
 * Scripts as steps: their languages, how data is handed to them and taken back, and their state by
 * topic. A script runs on one thread of its own, never on an event loop.
 */
@NullMarked
package io.galop.enrich.script;

import org.jspecify.annotations.NullMarked;
