/**
 * Verticles in Groovy, compiled when they are deployed. Each instance runs on a thread of its own.
 */
@NullMarked
package io.galop.extend.groovy;

import org.jspecify.annotations.NullMarked;
