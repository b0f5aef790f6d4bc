/**
 * The commands {@code galop script test} and {@code try}. They run on the main thread and the
 * thread of the script that they try; only the list of commands refers to them.
 */
package io.galop.enrich.script.command;
