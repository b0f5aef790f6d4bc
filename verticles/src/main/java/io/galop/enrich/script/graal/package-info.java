/**
 * JavaScript by GraalVM, and what other languages of GraalVM share with it: values, maps and lists
 * as a script sees them, and the sandbox. Runs on the thread of the script; the languages use it.
 */
@NullMarked
package io.galop.enrich.script.graal;

import org.jspecify.annotations.NullMarked;
