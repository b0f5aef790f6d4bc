package io.galop.enrich.script;

import io.galop.record.Record;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * What has to come of some records.
 *
 * @param name says what the case shows
 * @param settings handed to the script's init
 * @param inputs go one after the other into one freshly loaded script
 * @param outputs all that must come out
 * @param rejects what the refusal of the last input must hold; then there are no outputs
 */
public record ScriptCase(
    String name,
    Map<String, String> settings,
    List<Record> inputs,
    List<Record> outputs,
    Optional<String> rejects) {}
