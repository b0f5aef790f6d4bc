/** The program that the conformance test starts: on the main thread of a process of its own. */
package io.galop.conform;
