/**
 * The commands {@code galop script test} and {@code try}. They run on the main thread and the
 * thread of the script that they try; only the list of commands refers to them.
 */
@NullMarked
package io.galop.enrich.script.command;

import org.jspecify.annotations.NullMarked;
