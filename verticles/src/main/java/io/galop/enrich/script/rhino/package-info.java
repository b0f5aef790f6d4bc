/**
 * JavaScript by Rhino, which compiles a script to classes of the JVM: for files that begin with
 * {@code 'use rhino'}. Runs on the thread of the script; the language JavaScript uses it.
 */
@NullMarked
package io.galop.enrich.script.rhino;

import org.jspecify.annotations.NullMarked;
