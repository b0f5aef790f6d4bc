package io.galop.alarm;

/** Takes each change of an alarm, to have it recorded and told. On the loop of alarms. */
interface AlarmSink {
  /** An alarm of a shard has become this. */
  void changed(int shard, AlarmState now);

  /**
   * An alarm of a shard stands as it did, and is to be recorded once more: the record before may be
   * in the Log of another node only, or leave this one's soon.
   */
  void restated(int shard, AlarmState now);

  /** An alarm stood already when the shard became this node's. */
  void found(AlarmState state);

  /** An alarm is another node's from now on. */
  void gone(AlarmState state);
}
