// A backend that takes App Store notifications, with Java's own classes only: java Backend.java

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.security.Signature;
import java.security.cert.*;
import java.time.Duration;
import java.util.*;
import java.util.concurrent.ConcurrentHashMap;
import java.util.regex.Pattern;

public class Backend {
    // In production: Apple's root, your bundle id, and the machine's clock.
    static final String STORE = System.getenv("STORE");
    static final HttpClient client = HttpClient.newHttpClient();
    // Customer -> kind of record and purchase -> the newest record, as JSON.
    static final Map<String, Map<String, String>> facts = new ConcurrentHashMap<>();
    static X509Certificate root;
    static String bundleId;

    static String ask(String path, String body) throws Exception {
        var request = HttpRequest.newBuilder(URI.create(STORE + "/_store/" + path)).timeout(Duration.ofSeconds(10));
        if (body != null) request.PUT(HttpRequest.BodyPublishers.ofString(body));
        return client.send(request.build(), HttpResponse.BodyHandlers.ofString()).body();
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
        if (!"ES256".equals(member(header, "alg")) || chain.size() != 3) throw new SecurityException("header");
        // Apple marks the certificates that may sign for the App Store.
        if (chain.get(0).getExtensionValue("1.2.840.113635.100.6.11.1") == null
                || chain.get(1).getExtensionValue("1.2.840.113635.100.6.2.1") == null) throw new SecurityException("mark");
        var parameters = new PKIXParameters(Set.of(new TrustAnchor(root, null)));
        parameters.setRevocationEnabled(false);
        parameters.setDate(new Date(time(payload, "signedDate", 0)));
        var path = CertificateFactory.getInstance("X.509").generateCertPath(chain.subList(0, 2));
        CertPathValidator.getInstance("PKIX").validate(path, parameters);
        var signature = Signature.getInstance("SHA256withECDSAinP1363Format");
        signature.initVerify(chain.get(0).getPublicKey());
        signature.update((parts[0] + "." + parts[1]).getBytes());
        if (!signature.verify(base64.decode(parts[2]))) throw new SecurityException("signature");
        return payload;
    }

    static void take(String body) throws Exception {
        var notification = decoded(member(body, "signedPayload"));
        if (!bundleId.equals(member(notification, "bundleId"))) throw new SecurityException("another app");
        var signed = member(notification, "signedTransactionInfo");
        if (signed == null) return;
        var transaction = decoded(signed);
        var held = facts.computeIfAbsent(member(transaction, "appAccountToken"), key -> new ConcurrentHashMap<>());
        keep(held, "transaction " + member(transaction, "transactionId"), transaction);
        var renewal = member(notification, "signedRenewalInfo");
        if (renewal != null) keep(held, "renewal " + member(transaction, "originalTransactionId"), decoded(renewal));
    }

    /** The newest record counts, so that order and copies do not matter. */
    static void keep(Map<String, String> held, String name, String record) {
        held.merge(name, record, (old, late) -> time(old, "signedDate", 0) > time(late, "signedDate", 0) ? old : late);
    }

    static boolean isActive(String customer) throws Exception {
        var now = time(ask("clock", null), "now", 0); // the store's clock, which the test moves
        return facts.getOrDefault(customer, Map.of()).entrySet().stream().anyMatch(entry -> {
            var record = entry.getValue();
            if (entry.getKey().startsWith("renewal")) return time(record, "gracePeriodExpiresDate", 0) > now;
            return member(record, "revocationDate") == null && time(record, "expiresDate", Long.MAX_VALUE) > now;
        });
    }

    static void serve(HttpExchange exchange) throws IOException {
        var status = 200;
        var answer = "";
        try (exchange) {
            try {
                var body = new String(exchange.getRequestBody().readAllBytes());
                switch (exchange.getRequestMethod()) {
                    case "POST" -> take(body);
                    case "DELETE" -> facts.clear(); // for tests only: a restored snapshot sends the same ids again
                    default -> {
                        var customer = exchange.getRequestURI().getPath().replace("/access/", "");
                        answer = "{\"active\":" + isActive(customer) + "}";
                    }
                }
            } catch (Exception error) {
                status = 400;
            }
            var bytes = answer.getBytes();
            exchange.sendResponseHeaders(status, bytes.length == 0 ? -1 : bytes.length);
            if (bytes.length > 0) exchange.getResponseBody().write(bytes);
        }
    }

    public static void main(String[] arguments) throws Exception {
        var credentials = ask("credentials", null);
        root = certificate(member(credentials, "rootCertificate").getBytes());
        bundleId = member(credentials, "bundleId");
        var port = Integer.parseInt(System.getenv().getOrDefault("PORT", "0"));
        var server = HttpServer.create(new InetSocketAddress("127.0.0.1", port), 0);
        server.createContext("/", Backend::serve);
        server.start();
        var address = "http://127.0.0.1:" + server.getAddress().getPort();
        ask("notification-endpoint", "{\"url\":\"" + address + "/notifications\",\"version\":\"V2\"}");
        System.out.println("listening on " + address);
    }
}
