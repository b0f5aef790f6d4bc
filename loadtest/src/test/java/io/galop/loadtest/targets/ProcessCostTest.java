package io.galop.loadtest.targets;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.util.List;
import org.junit.jupiter.api.Test;

class ProcessCostTest {
  @Test
  void aNameMayHoldSpacesAndBrackets() {
    String stat = "42 (a) b) S 1 42 42 0 -1 4194304 1 2 3 4 150 50 0 0 20 0 9 0";
    assertEquals(2_000_000, ProcessCost.cpuMicros(stat));
  }

  @Test
  void fieldsOfStatusHaveUnits() {
    List<String> status = List.of("Name:\tjava", "VmRSS:\t  123 kB", "voluntary_ctxt_switches:\t7");
    assertEquals(123 * 1024, ProcessCost.residentBytes(status));
    assertEquals(7, ProcessCost.field(status, "voluntary_ctxt_switches:"));
  }

  @Test
  void thisProcessHasUsedSomething() throws IOException {
    ProcessCost own = ProcessCost.of(ProcessHandle.current().pid());
    assertTrue(own.cpuMicros() > 0 && own.residentBytes() > 1 << 20, own.toString());
    assertTrue(own.waits() > 0, own.toString());
    assertEquals(0, ProcessCost.of(List.of()).cpuMicros());
  }
}
