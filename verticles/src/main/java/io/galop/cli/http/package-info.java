/**
 * Commands that ask a node over HTTP: status, history, dead letters and scripts. Runs on the main
 * thread and blocks.
 */
@NullMarked
package io.galop.cli.http;

import org.jspecify.annotations.NullMarked;
