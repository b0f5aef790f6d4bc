package io.galop.extend.python;

import io.galop.extend.GalopApi;
import io.galop.extend.GuestEngine;
import io.galop.extend.GuestProgram;
import io.galop.guest.SourceFile;
import io.galop.python.PythonOptions;
import org.graalvm.polyglot.Context;
import org.graalvm.polyglot.PolyglotException;
import org.graalvm.polyglot.Source;
import org.graalvm.polyglot.Value;

/** A verticle in Python. */
final class PythonProgram extends GuestProgram {
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

  private PythonProgram(SourceFile script, Context context) {
    super(PythonVerticleFactory.LANGUAGE, script, context);
  }

  /** Makes the context that {@link #start} runs the script in. */
  static PythonProgram open(SourceFile script, GalopApi galop) {
    Context context =
        PythonOptions.of(GuestEngine.context(PythonVerticleFactory.LANGUAGE, galop.getLog()));
    Value globals = context.getBindings(PythonVerticleFactory.LANGUAGE);
    globals.putMember("galop", context.eval(BOOTSTRAP).execute(new PythonHost(galop)));
    globals.putMember("vertx", galop.getVertx());
    return new PythonProgram(script, context);
  }

  @Override
  public String describe(Throwable failure) {
    String said = super.describe(failure);
    String file = script().name();
    boolean isPlaced = said.endsWith(")") && said.contains(" (" + file + ", line ");
    return failure instanceof PolyglotException raised && !isPlaced
        ? said + Traceback.where(raised, file)
        : said;
  }
}
