package io.galop.enrich;

import java.nio.charset.StandardCharsets;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Fork;
import org.openjdk.jmh.annotations.Measurement;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.Warmup;

/** The data of a sensor with five fields against a schema with a rule for each, by one thread. */
@State(Scope.Benchmark)
@BenchmarkMode(Mode.Throughput)
@Fork(1)
@Warmup(iterations = 5, time = 2)
@Measurement(iterations = 5, time = 2)
public class SchemaBenchmark {
  private final DataSchema schema =
      DataSchema.parse(
          """
          {
            "type": "object",
            "required": ["sensor", "celsius"],
            "properties": {
              "sensor": {"type": "string", "pattern": "^[a-z]+-[0-9]+$"},
              "celsius": {"type": "number", "minimum": -60, "maximum": 200},
              "humidity": {"type": "number", "minimum": 0, "maximum": 100},
              "at": {"type": "string", "format": "date-time"},
              "state": {"enum": ["ok", "late", "broken"]}
            },
            "additionalProperties": false
          }
          """);

  private final byte[] fine = data("21.5");
  private final byte[] broken = data("\"warm\"");

  private static byte[] data(String celsius) {
    String json =
        "{\"sensor\":\"boiler-7\",\"celsius\":%s,\"humidity\":40,\"at\":\"2026-01-02T03:04:05Z\",\"state\":\"ok\"}";
    return json.formatted(celsius).getBytes(StandardCharsets.UTF_8);
  }

  /** Data that conform. */
  @Benchmark
  public boolean fine() {
    return schema.violation(fine).isEmpty();
  }

  /** Data of which one field breaks its rule. */
  @Benchmark
  public boolean broken() {
    return schema.violation(broken).isEmpty();
  }
}
