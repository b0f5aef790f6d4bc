package io.galop.loadtest.experiments.reads;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.List;
import org.junit.jupiter.api.Test;

class CoresTest {
  @Test
  void coresAreReadFromTheKernelsList() {
    assertEquals(List.of(0, 1, 2, 5, 7, 8), Cores.list("0-2,5,7-8"));
  }
}
