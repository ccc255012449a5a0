// A backend that takes App Store notifications, with Java's own classes only: java Backend.java (a JDK, 11 or newer).

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.URI;
import java.net.http.*;
import java.security.Signature;
import java.security.cert.*;
import java.time.Duration;
import java.util.*;
import java.util.concurrent.ConcurrentHashMap;
import java.util.regex.Pattern;

public class Backend {
    static final HttpClient client = HttpClient.newHttpClient();
    // Transaction and renewal by notificationUUID, so that copies change nothing; in production: a table with that key.
    static final Map<String, List<String>> stored = new ConcurrentHashMap<>();
    static X509Certificate root; // in production: Apple's root, your bundle id
    static String bundleId;

    static String ask(String path) throws Exception {
        var address = URI.create(System.getenv("STORE") + "/_store/" + path);
        var request = HttpRequest.newBuilder(address).timeout(Duration.ofSeconds(10)).build();
        return client.send(request, HttpResponse.BodyHandlers.ofString()).body();
    }

    /** A member of a JSON object by its name: enough here; use a JSON library in your own code. */
    static String member(String json, String name) {
        var found = Pattern.compile('"' + name + "\"\\s*:\\s*(?:\"((?:[^\"\\\\]++|\\\\.)*+)\"|(\\d+))").matcher(json);
        if (!found.find()) return null;
        return found.group(1) != null ? found.group(1).replace("\\n", "\n").replace("\\/", "/") : found.group(2);
    }

    static long time(String json, String name, long otherwise) {
        var text = member(json, name);
        return text == null ? otherwise : Long.parseLong(text);
    }

    static X509Certificate certificate(byte[] bytes) throws CertificateException {
        var factory = CertificateFactory.getInstance("X.509");
        return (X509Certificate) factory.generateCertificate(new ByteArrayInputStream(bytes));
    }

    static String decoded(String jws) throws Exception {
        var parts = jws.split("\\.");
        var base64 = Base64.getUrlDecoder();
        var header = new String(base64.decode(parts[0]));
        var payload = new String(base64.decode(parts[1]));
        var chain = new ArrayList<X509Certificate>();
        var texts = Pattern.compile("\"([A-Za-z0-9+/=]{200,})\"").matcher(header.replace("\\/", "/"));
        while (texts.find()) chain.add(certificate(Base64.getDecoder().decode(texts.group(1))));
        var signature = Signature.getInstance("SHA256withECDSAinP1363Format");
        signature.initVerify(chain.get(0).getPublicKey());
        signature.update((parts[0] + "." + parts[1]).getBytes());
        // Apple marks the certificates that may sign for the App Store.
        if (!"ES256".equals(member(header, "alg")) || chain.size() != 3
            || chain.get(0).getExtensionValue("1.2.840.113635.100.6.11.1") == null
            || chain.get(1).getExtensionValue("1.2.840.113635.100.6.2.1") == null
            || !signature.verify(base64.decode(parts[2]))) throw new SecurityException("not signed by the App Store");
        var parameters = new PKIXParameters(Set.of(new TrustAnchor(root, null)));
        parameters.setRevocationEnabled(false);
        parameters.setDate(new Date(time(payload, "signedDate", 0)));
        var path = CertificateFactory.getInstance("X.509").generateCertPath(chain.subList(0, 2));
        CertPathValidator.getInstance("PKIX").validate(path, parameters);
        return payload;
    }

    static void take(String body) throws Exception {
        var notification = decoded(member(body, "signedPayload"));
        if (!bundleId.equals(member(notification, "bundleId"))) throw new SecurityException("another app");
        var transaction = member(notification, "signedTransactionInfo");
        if (transaction == null) return;
        var renewal = member(notification, "signedRenewalInfo");
        var records = renewal == null ? List.of(decoded(transaction)) : List.of(decoded(transaction), decoded(renewal));
        stored.put(member(notification, "notificationUUID"), records);
    }

    static boolean isActive(String customer) throws Exception {
        var now = time(ask("clock"), "now", 0); // the store's clock, which the test moves
        var newest = new HashMap<String, String>(); // of each purchase what was signed last, in whatever order it came
        stored.values().stream().filter(records -> customer.equals(member(records.get(0), "appAccountToken")))
            .flatMap(List::stream).sorted(Comparator.comparing(record -> time(record, "signedDate", 0)))
            .forEach(record -> newest.put(purchase(record), record));
        return newest.values().stream().anyMatch(record -> purchase(record).startsWith("renewal")
            ? time(record, "gracePeriodExpiresDate", 0) > now
            : member(record, "revocationDate") == null && time(record, "expiresDate", Long.MAX_VALUE) > now);
    }

    static String purchase(String record) {
        var transaction = member(record, "transactionId");
        return transaction != null ? transaction : "renewal of " + member(record, "originalTransactionId");
    }

    static void serve(HttpExchange exchange) throws IOException {
        var method = exchange.getRequestMethod();
        var customer = exchange.getRequestURI().getPath().replace("/access/", "");
        try {
            var answer = "";
            if (method.equals("POST")) take(new String(exchange.getRequestBody().readAllBytes()));
            if (method.equals("GET")) answer = "{\"active\":" + isActive(customer) + "}";
            if (method.equals("DELETE")) stored.clear(); // for tests only: a restored snapshot sends the same ids again
            exchange.sendResponseHeaders(200, 0);
            exchange.getResponseBody().write(answer.getBytes());
        } catch (Exception error) {
            exchange.sendResponseHeaders(method.equals("POST") ? 400 : 500, -1);
        }
        exchange.close();
    }

    public static void main(String[] arguments) throws Exception {
        var credentials = ask("credentials");
        root = certificate(member(credentials, "rootCertificate").getBytes());
        bundleId = member(credentials, "bundleId");
        var port = Integer.parseInt(System.getenv().getOrDefault("PORT", "0"));
        var server = HttpServer.create(new InetSocketAddress("127.0.0.1", port), 0);
        server.createContext("/", Backend::serve);
        server.start();
        System.out.println("listening on http://127.0.0.1:" + server.getAddress().getPort());
    }
}
