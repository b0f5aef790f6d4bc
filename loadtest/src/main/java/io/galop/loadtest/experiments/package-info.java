/**
 * Experiments that answered one question once and stay repeatable: each in a package of its own,
 * started by a scenario of its kind. Nothing that measures Galop day by day refers to them, except
 * the table of kinds and the commands that they start as processes.
 */
@NullMarked
package io.galop.loadtest.experiments;

import org.jspecify.annotations.NullMarked;
