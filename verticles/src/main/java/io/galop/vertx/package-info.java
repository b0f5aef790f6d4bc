/**
 * Event loops of Vert.x, with the checks that state without locks needs. Any package may call it,
 * from the thread that each class names; it depends on no other package.
 */
package io.galop.vertx;
