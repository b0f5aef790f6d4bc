/**
 * Verticles in Kotlin, compiled when they are deployed. Each instance runs on a thread of its own.
 */
package io.galop.extend.kotlin;
