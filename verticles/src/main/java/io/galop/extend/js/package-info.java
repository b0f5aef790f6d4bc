/**
 * Verticles in JavaScript, on GraalJS. Each instance has its context and its thread; promises
 * settle on that thread.
 */
@NullMarked
package io.galop.extend.js;

import org.jspecify.annotations.NullMarked;
