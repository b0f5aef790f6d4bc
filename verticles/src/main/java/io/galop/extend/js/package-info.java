/**
 * Verticles in JavaScript, on GraalJS. Each instance has its context and its thread; promises
 * settle on that thread.
 */
package io.galop.extend.js;
