package io.galop.servers;

import java.lang.reflect.InvocationHandler;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import java.util.Map;

/**
 * Serves mongo-java-server's H2 backend on a port; its classes are not on Galop's class path, hence
 * by reflection. The backend writes to its file about once a second; here it does before each
 * answer, so that what was answered survives a {@code kill -9}, as it does with MongoDB and {@code
 * j: true}. Like a MongoDB without replicas it refuses commands that want more than one.
 */
public final class MongoServerMain {
  private static final String PACKAGE = "de.bwaldvogel.mongo.";

  private MongoServerMain() {}

  /** Takes the port and the file. */
  public static void main(String[] args) throws Exception {
    Class<?> type = Class.forName(PACKAGE + "MongoBackend");
    Class<?> h2 = Class.forName(PACKAGE + "backend.h2.H2Backend");
    Object backend = h2.getConstructor(String.class).newInstance(args[1]);
    Object committing =
        Proxy.newProxyInstance(
            type.getClassLoader(),
            new Class<?>[] {type},
            committing(backend, h2.getMethod("commit")));
    Class<?> server = Class.forName(PACKAGE + "MongoServer");
    Object running = server.getConstructor(type).newInstance(committing);
    server
        .getMethod("bind", String.class, int.class)
        .invoke(running, "127.0.0.1", Integer.parseInt(args[0]));
    Method end = server.getMethod("shutdownNow");
    Runtime.getRuntime().addShutdownHook(new Thread(() -> quietly(end, running)));
    System.out.println("listening " + ProcessHandle.current().pid());
  }

  private static InvocationHandler committing(Object backend, Method commit) {
    return (proxy, method, args) -> {
      if (method.getName().equals("handleMessage") && wantsReplicas(args[0])) {
        throw refusal("cannot use 'w' > 1 when a host is not replicated");
      }
      Object answer = call(method, backend, args);
      if (method.getName().startsWith("handle")) {
        quietly(commit, backend);
      }
      return answer;
    };
  }

  private static boolean wantsReplicas(Object message) throws ReflectiveOperationException {
    Map<?, ?> command = (Map<?, ?>) message.getClass().getMethod("getDocument").invoke(message);
    return command.get("writeConcern") instanceof Map<?, ?> concern
        && concern.get("w") instanceof Number members
        && members.intValue() > 1;
  }

  /** With code 2. */
  private static Throwable refusal(String why) throws ReflectiveOperationException {
    Class<?> type = Class.forName(PACKAGE + "exception.BadValueException");
    return (Throwable) type.getConstructor(String.class).newInstance(why);
  }

  private static Object call(Method method, Object on, Object[] args) throws Throwable {
    try {
      return method.invoke(on, args);
    } catch (InvocationTargetException e) {
      throw e.getCause();
    }
  }

  private static void quietly(Method method, Object on) {
    try {
      method.invoke(on);
    } catch (ReflectiveOperationException e) {
      throw new IllegalStateException(e);
    }
  }
}
