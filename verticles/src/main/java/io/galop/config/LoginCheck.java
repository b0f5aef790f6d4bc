package io.galop.config;

import io.galop.config.store.StoreLoginConfig;
import java.io.IOException;
import java.lang.reflect.RecordComponent;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** Looks whether the passwords of all stores can be read that a node needs. */
public final class LoginCheck {
  private final List<String> problems = new ArrayList<>();

  private LoginCheck() {}

  /**
   * Reads files and variables; blocks.
   *
   * @return what is wrong, each a sentence that begins with a dotted path and shows no password
   */
  public static List<String> problems(GalopConfig config) {
    LoginCheck check = new LoginCheck();
    if (config.runs(Role.PERSIST)) {
      check.look("persist", config.persist());
      check.look("alarms", config.alarms());
    }
    if (config.runs(Role.ENRICH)) {
      check.look("enrich", config.enrich());
    }
    return check.problems;
  }

  /** Sections are records, so that no store that is added later can be left out here. */
  private void look(String path, Object section) {
    if (section instanceof StoreLoginConfig login) {
      read(path, login);
    } else if (section instanceof Optional<?> one) {
      one.ifPresent(present -> look(path, present));
    } else if (section instanceof List<?> list) {
      for (int i = 0; i < list.size(); i++) {
        look(path + "[" + i + "]", list.get(i));
      }
    } else if (section instanceof Record) {
      for (RecordComponent component : section.getClass().getRecordComponents()) {
        look(path + "." + component.getName(), value(section, component));
      }
    }
  }

  private static Object value(Object section, RecordComponent component) {
    try {
      return component.getAccessor().invoke(section);
    } catch (ReflectiveOperationException e) {
      throw new IllegalStateException("no " + component + " of a configuration can be read", e);
    }
  }

  private void read(String path, StoreLoginConfig login) {
    try {
      login.readPassword();
    } catch (IOException e) {
      problems.add(path + ": " + e.getMessage());
    }
  }
}
