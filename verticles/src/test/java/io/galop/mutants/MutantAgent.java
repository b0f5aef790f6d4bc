package io.galop.mutants;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.lang.instrument.ClassFileTransformer;
import java.lang.instrument.Instrumentation;
import java.nio.charset.StandardCharsets;
import java.security.ProtectionDomain;
import java.util.HashMap;
import java.util.Map;

/** Loads the changed classes that are in its jar in place of the product's. */
public final class MutantAgent implements ClassFileTransformer {
  static final String INDEX = "mutant.index";
  static final String FOLDER = "mutant/";

  private final Map<String, byte[]> classes = new HashMap<>();

  private MutantAgent() throws IOException {
    for (String name : new String(read(INDEX), StandardCharsets.UTF_8).split("\n")) {
      classes.put(name, read(FOLDER + name));
    }
  }

  private static byte[] read(String resource) throws IOException {
    try (InputStream in = MutantAgent.class.getResourceAsStream("/" + resource)) {
      return in.readAllBytes();
    }
  }

  /** Called by the Java machine before {@code main}. */
  public static void premain(String unused, Instrumentation java) {
    try {
      java.addTransformer(new MutantAgent());
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    System.err.println("ACKNOWLEDGED RECORDS WILL BE LOST OR DOUBLED: this node is a mutant");
  }

  @Override
  public byte[] transform(
      ClassLoader loader, String name, Class<?> redefined, ProtectionDomain domain, byte[] bytes) {
    return classes.get(name);
  }
}
