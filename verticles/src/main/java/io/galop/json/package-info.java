/** JSON of plain values of the host, as scripts and verticles hand them over. */
package io.galop.json;
