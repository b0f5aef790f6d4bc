/** Verticles in Python, on GraalPy. Each instance has its context and its thread. */
@NullMarked
package io.galop.extend.python;

import org.jspecify.annotations.NullMarked;
