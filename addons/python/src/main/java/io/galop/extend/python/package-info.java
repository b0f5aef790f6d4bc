/** Verticles in Python, on GraalPy. Each instance has its context and its thread. */
package io.galop.extend.python;
