/**
 * Expressions in CEL, the Common Expression Language, over the values of a record: compiled once,
 * bounded in what they cost, evaluated on the thread that asks. An {@code Expression} is immutable
 * and may be shared by threads; values are not. The only package that uses the classes of CEL.
 * Steps of the chain and whoever filters records may call it; compiling takes milliseconds, so not
 * on an event loop.
 */
@NullMarked
package io.galop.expression;

import org.jspecify.annotations.NullMarked;
