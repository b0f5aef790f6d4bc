/**
 * Reading lines of input for the commands, with the number of the line in each error. Any thread,
 * one at a time.
 */
@NullMarked
package io.galop.cli.input;

import org.jspecify.annotations.NullMarked;
