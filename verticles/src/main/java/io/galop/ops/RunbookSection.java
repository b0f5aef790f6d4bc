package io.galop.ops;

import io.galop.node.Condition;
import io.galop.node.Condition.Level;
import java.util.Arrays;
import java.util.regex.Pattern;

/**
 * Where the runbook says what a condition means for people and what to do: the section of the alert
 * that tells of it. The first that fits counts.
 */
enum RunbookSection {
  LOG_UNUSABLE("GalopLogUnusable", Level.UNREADY, "persist"),
  NOT_READY("GalopNotReady", Level.UNREADY, ".*"),
  REFUSES("GalopRefusesRecords", Level.REFUSING, ".*"),
  DISK_NEARLY_FULL("GalopDiskNearlyFull", Level.WARNING, "persist[.]log"),
  LOG_DAMAGED("GalopLogDamaged", Level.WARNING, "log"),
  STORE_BEHIND("GalopStoreBehind", Level.WARNING, "persist[.]sink[.].+"),
  CLOCK_AHEAD("GalopClockAhead", Level.WARNING, "persist[.]retention"),
  REJECTED("GalopRecordsRejected", Level.WARNING, "ingest"),
  DEAD_LETTERS("GalopDeadLetters", Level.WARNING, "dead letters"),
  SCRIPT_MEMORY("GalopScriptMemory", Level.WARNING, "script .+ memory"),
  SCRIPT_SUSPENDED("GalopScriptSuspended", Level.WARNING, "script .+"),
  CERTIFICATE("GalopCertificateEnds", Level.WARNING, "tls[.].+"),
  TOPICS_SILENT("GalopTopicsSilent", Level.WARNING, "silent topics"),
  VIEWERS_TOO_SLOW("GalopViewersTooSlow", Level.WARNING, "viewers"),
  LEDGER("GalopLedgerResidual", Level.WARNING, "ledger"),
  DRILL("GalopDrillFailed", Level.WARNING, "drill"),
  LOST("GalopDown", Level.WARNING, "lost nodes"),
  OTHER("GalopWarning", Level.WARNING, ".*");

  private final String title;
  private final Level level;
  private final Pattern part;

  RunbookSection(String title, Level level, String part) {
    this.title = title;
    this.level = level;
    this.part = Pattern.compile(part);
  }

  /** The title of the section. */
  String title() {
    return title;
  }

  /** Whether the section is about such a condition; of several the first. */
  boolean isAbout(Condition condition) {
    return level == condition.level() && part.matcher(condition.part()).matches();
  }

  /** The one of a condition. */
  static RunbookSection of(Condition condition) {
    return Arrays.stream(values())
        .filter(section -> section.isAbout(condition))
        .findFirst()
        .orElse(OTHER);
  }
}
