/**
 * The commands, and what they share: options, exit codes, progress and plain error messages. Runs
 * on the main thread of a process that is no node. The commands themselves stand in the packages
 * below, by what they speak to.
 */
@NullMarked
package io.galop.cli;

import org.jspecify.annotations.NullMarked;
