// Prints the records of a filter as they come, and what becomes of the connection. A condition in CEL may follow:
//   java -cp galop-client-0.1.0.jar:jackson-core-2.22.4.jar Watch.java http://127.0.0.1:8080/live 'race/#'
//   … Watch.java http://127.0.0.1:8080/live 'race/+/runner/+' 'has(data.odds) && data.odds < 3.0'
import io.galop.client.GalopClient;
import io.galop.client.SubscribeOptions;

public class Watch {
  public static void main(String[] args) {
    var builder =
        GalopClient.builder()
            .url(args[0])
            .onConnection(now -> System.out.println(now.state() + " " + now.message()));
    var wishes =
        SubscribeOptions.create()
            .snapshot()
            .onStatus(status -> System.out.println(status.state() + " " + status.reason()));
    try (GalopClient client = builder.connect()) {
      client
          .subscribe(args[1], args.length > 2 ? wishes.where(args[2]) : wishes)
          .forEach(record -> System.out.println(record.topic() + " " + record.json()))
          .toCompletableFuture()
          .join();
    }
  }
}
