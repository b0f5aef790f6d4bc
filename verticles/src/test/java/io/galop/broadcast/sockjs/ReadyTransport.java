package io.galop.broadcast.sockjs;

/** A connection that always has room; what it does with what is written is up to the test. */
public abstract class ReadyTransport implements Transport {
  @Override
  public String kind() {
    return "test";
  }

  @Override
  public boolean isReady() {
    return true;
  }

  @Override
  public void onBeat() {}

  @Override
  public void close(Ending why) {}
}
