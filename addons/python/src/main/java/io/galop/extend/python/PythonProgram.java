package io.galop.extend.python;

import io.galop.extend.GalopApi;
import io.galop.extend.GuestEngine;
import io.galop.extend.Program;
import io.galop.extend.ScriptText;
import io.vertx.core.Future;
import org.graalvm.polyglot.Context;
import org.graalvm.polyglot.PolyglotException;
import org.graalvm.polyglot.Source;
import org.graalvm.polyglot.Value;

/** A verticle in Python: its own global state, on the thread of its instance. */
final class PythonProgram implements Program {
  /** Gives scripts objects of their own language. */
  private static final Source BOOTSTRAP =
      Source.newBuilder(
              PythonVerticleFactory.LANGUAGE,
              """
              class Record:
                  __slots__ = ('id', 'topic', 'time_us', 'data')

                  def __init__(self, id, topic, time_us, data):
                      self.id, self.topic, self.time_us, self.data = id, topic, time_us, data


              class Galop:
                  def __init__(self, host):
                      self._host = host
                      self.settings = dict(host.settings())
                      self.instance = host.instance()
                      self.instances = host.instances()
                      self.log = host.log()

                  def publish(self, topic, data, id=None, time_us=None):
                      return self._host.publish(topic, data, id, time_us)

                  def consume(self, filter, handler, on_missed=None):
                      def handle(id, topic, time_us, data):
                          return handler(Record(id, topic, time_us, data))
                      return self._host.consume(filter, handle, on_missed or (lambda why: None)).end

                  def every(self, ms, handler):
                      return self._host.every(ms, handler).end


              Galop
              """,
              "galop")
          .internal(true)
          .buildLiteral();

  private final ScriptText script;
  private final Context context;

  private PythonProgram(ScriptText script, Context context) {
    this.script = script;
    this.context = context;
  }

  /** Makes the context that {@link #start} runs the script in. */
  static PythonProgram open(ScriptText script, GalopApi galop) {
    Context context =
        GuestEngine.context(PythonVerticleFactory.LANGUAGE, galop.getLog())
            .allowExperimentalOptions(true)
            .option("python.PosixModuleBackend", "java")
            .option("python.ForceImportSite", "false")
            .option("python.DontWriteBytecodeFlag", "true")
            .build();
    PythonProgram program = new PythonProgram(script, context);
    Value globals = context.getBindings(PythonVerticleFactory.LANGUAGE);
    globals.putMember("galop", context.eval(BOOTSTRAP).execute(new PythonHost(galop)));
    globals.putMember("vertx", galop.getVertx());
    return program;
  }

  @Override
  public Future<?> start() {
    context.eval(GuestEngine.source(PythonVerticleFactory.LANGUAGE, script));
    return call("start");
  }

  private Future<?> call(String name) {
    Value function = context.getBindings(PythonVerticleFactory.LANGUAGE).getMember(name);
    return function != null && function.canExecute()
        ? PythonHost.future(function.execute())
        : Future.succeededFuture();
  }

  @Override
  public Future<?> stop() {
    return call("stop");
  }

  @Override
  public void close() {
    context.close(true);
  }

  @Override
  public void cancel() {
    context.close(true);
  }

  @Override
  public String describe(Throwable failure) {
    String said = GuestEngine.inWords(failure, script.name());
    boolean isPlaced = said.endsWith(")") && said.contains(" (" + script.name() + ", line ");
    return failure instanceof PolyglotException raised && !isPlaced
        ? said + Traceback.where(raised, script.name())
        : said;
  }
}
