/** Scripts in Python, on GraalPy. A script runs on one thread of its own. */
package io.galop.enrich.script.python;
