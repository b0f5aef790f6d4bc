/**
 * Scripts as steps: their languages, how data is handed to them and taken back, their state by
 * topic, and the commands that test them. A script runs on one thread of its own, never on an event
 * loop.
 */
package io.galop.enrich.script;
