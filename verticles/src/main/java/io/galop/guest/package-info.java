/**
 * What is the same for scripts and for verticles of users, in whatever language; {@code enrich} and
 * {@code extend} use it. No threads of its own: files are read by the thread that starts a script
 * or verticle, and lines for the log may come from any thread that runs one.
 */
@NullMarked
package io.galop.guest;

import org.jspecify.annotations.NullMarked;
