/** Scripts in Python, on GraalPy. A script runs on one thread of its own. */
@NullMarked
package io.galop.enrich.script.python;

import org.jspecify.annotations.NullMarked;
