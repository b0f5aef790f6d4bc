/** Nodes and stores that a scenario starts, with their files and ports, and their end. */
package io.galop.loadtest.site;
