/** Scripts in Groovy, compiled when they are loaded. A script runs on one thread of its own. */
package io.galop.enrich.script.groovy;
