package io.galop.loadtest.sample;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.StringReader;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(180)
class SocketStatesTest {
  private static final String TABLE =
      """
        sl  local_address rem_address   st tx_queue rx_queue tr tm->when retrnsmt   uid  timeout inode
         0: 0100007F:1F90 00000000:0000 0A 00000000:00000000 00:00000000 00000000     0        0 1
         1: 0100007F:1F90 0100007F:A000 01 00000000:00000000 00:00000000 00000000     0        0 2
         2: 0100007F:A000 0100007F:1F90 05 00000000:00000000 00:00000000 00000000     0        0 3
         3: 0100007F:1F90 0100007F:A001 08 00000000:00000000 00:00000000 00000000     0        0 4
         4: 0100007F:A002 0100007F:1F90 06 00000000:00000000 00:00000000 00000000     0        0 5
         5: 0100007F:A002 0100007F:1F91 08 00000000:00000000 00:00000000 00000000     0        0 6
         6: 0100007F:1F91 0100007F:A003 01 00000000:00000100 00:00000000 00000000     0        0 7
         7: 0100007F:1F91 0100007F:A004 01 0000A010:00000000 00:00000000 00000000     0        0 8
         8: 0100007F:A005 0100007F:1F91 01 00000010:00000000 00:00000000 00000000     0        0 9
      """;

  @Test
  void bothEndsOfTheseConnectionsAreCounted() throws IOException {
    BufferedReader lines = new BufferedReader(new StringReader(TABLE));
    assertEquals(new SocketStates(1, 1, 1, 1), SocketStates.read(lines, Set.of(8080)));
  }

  @Test
  void bytesWaitWhereTheOtherEndHasNotTakenWhatTheServerSent() throws IOException {
    BufferedReader lines = new BufferedReader(new StringReader(TABLE));
    assertEquals(1, SocketStates.countWaiting(lines, 8081));
  }

  @Test
  void aConnectionThatNobodyAnswersIsLeft() throws Exception {
    try (ServerSocket listener = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
      Set<Integer> port = Set.of(listener.getLocalPort());
      Socket client = new Socket(InetAddress.getLoopbackAddress(), listener.getLocalPort());
      try (Socket accepted = listener.accept()) {
        client.close();
        assertTrue(SocketStates.awaitNone(port, 0).left() > 0, "the other end is still open");
        assertEquals(port.iterator().next(), accepted.getLocalPort());
      }
      assertEquals(0, SocketStates.awaitNone(port, 30).left());
    }
  }
}
