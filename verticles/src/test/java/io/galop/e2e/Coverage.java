package io.galop.e2e;

import java.io.BufferedInputStream;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.File;
import java.io.IOException;
import java.net.InetAddress;
import java.net.Socket;
import java.util.Arrays;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;

/**
 * Which source files of Galop a process has run code of, as the JaCoCo agent in it says. Reads what
 * the agent's {@code tcpserver} answers: a few bytes for each class that has run since the last
 * question.
 */
final class Coverage implements AutoCloseable {
  private static final String AGENT = "org.jacoco.agent";
  private static final int MAGIC = 0xc0c0;
  private static final int VERSION = 0x1007;
  private static final int HEADER = 0x01;
  private static final int SESSION = 0x10;
  private static final int CLASS = 0x11;
  private static final int DONE = 0x20;
  private static final int DUMP = 0x40;

  private final Socket socket;
  private final DataInputStream in;
  private final DataOutputStream out;

  private Coverage(Socket socket) throws IOException {
    this.socket = socket;
    this.in = new DataInputStream(new BufferedInputStream(socket.getInputStream()));
    this.out = new DataOutputStream(socket.getOutputStream());
    out.writeByte(HEADER);
    out.writeChar(MAGIC);
    out.writeChar(VERSION);
  }

  /** The agent's jar, if the class path has it, or {@code galop.jacoco} names it. */
  static Optional<String> agent() {
    return Optional.ofNullable(System.getProperty("galop.jacoco"))
        .or(
            () ->
                Arrays.stream(System.getProperty("java.class.path").split(File.pathSeparator))
                    .filter(path -> path.contains(AGENT) && path.endsWith("-runtime.jar"))
                    .findFirst());
  }

  /** The option that lets a Java machine answer on a port. */
  static String option(String agent, int port) {
    return "-javaagent:%s=output=tcpserver,address=127.0.0.1,port=%d,includes=io.galop.*"
        .formatted(agent, port);
  }

  static Coverage connect(int port) throws IOException {
    return new Coverage(new Socket(InetAddress.getLoopbackAddress(), port));
  }

  /** The files that have run since the last question, as {@code bus/ShardStream}. */
  Set<String> sinceLast() throws IOException {
    out.writeByte(DUMP);
    out.writeBoolean(true);
    out.writeBoolean(true);
    out.flush();
    Set<String> files = new TreeSet<>();
    for (int block = in.readByte(); block != DONE; block = in.readByte()) {
      switch (block) {
        case HEADER -> in.readInt();
        case SESSION -> {
          in.readUTF();
          in.readLong();
          in.readLong();
        }
        case CLASS -> files.add(file());
        default -> throw new IOException("the agent answers with a block of type " + block);
      }
    }
    return files;
  }

  private String file() throws IOException {
    in.readLong();
    String name = in.readUTF();
    int probes = probes();
    in.readNBytes((probes + Byte.SIZE - 1) / Byte.SIZE);
    int nested = name.indexOf('$');
    return (nested < 0 ? name : name.substring(0, nested)).replaceFirst("^io/galop/", "");
  }

  /** A number of seven bits in each byte, the lowest first. */
  private int probes() throws IOException {
    int value = 0;
    int shift = 0;
    int next;
    do {
      next = in.readByte();
      value |= (next & 0x7f) << shift;
      shift += 7;
    } while (next < 0);
    return value;
  }

  @Override
  public void close() throws IOException {
    socket.close();
  }
}
