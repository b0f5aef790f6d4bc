package io.galop.persist.redis;

import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;

/** A command on its way to the server. */
final class RedisCommand {
  private final String name;
  private final List<byte[]> arguments = new ArrayList<>();

  RedisCommand(String name, String key) {
    this.name = name;
    arg(key);
  }

  RedisCommand arg(byte[] argument) {
    arguments.add(argument);
    return this;
  }

  RedisCommand arg(String argument) {
    return arg(argument.getBytes(StandardCharsets.UTF_8));
  }

  RedisCommand arg(long argument) {
    return arg(Long.toString(argument));
  }

  RedisCommand args(List<byte[]> more) {
    arguments.addAll(more);
    return this;
  }

  /** In capitals. */
  String name() {
    return name;
  }

  List<byte[]> arguments() {
    return arguments;
  }
}
