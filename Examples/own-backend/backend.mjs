// A backend that takes App Store notifications, with Node's own modules only.
import { X509Certificate, verify } from "node:crypto";
import { createServer } from "node:http";

const store = process.env.STORE; // in production: Apple's root, your bundle id, and the machine's clock
const ask = async (path, body) => {
  const init = body && { method: "PUT", body: JSON.stringify(body) };
  return (await fetch(`${store}/_store/${path}`, { signal: AbortSignal.timeout(10_000), ...init })).json();
};
const { rootCertificate, bundleId } = await ask("credentials");
const root = new X509Certificate(rootCertificate);
// Apple marks the certificates that may sign for the App Store: 1.2.840.113635.100.6.11.1 and …6.2.1.
const marks = ["2a864886f76364060b01", "2a864886f76364060201"].map((mark) => Buffer.from(mark, "hex"));
const facts = new Map(); // customer -> kind of record and purchase -> the newest record

function decoded(jws) {
  const [header, payload, signature] = jws.split(".");
  const { alg, x5c } = JSON.parse(Buffer.from(header, "base64url"));
  const chain = x5c.map((text) => new X509Certificate(Buffer.from(text, "base64")));
  const body = JSON.parse(Buffer.from(payload, "base64url"));
  const key = { key: chain[0].publicKey, dsaEncoding: "ieee-p1363" };
  const isGenuine =
    alg === "ES256" && chain.length === 3 && chain[2].fingerprint256 === root.fingerprint256 &&
    chain[0].verify(chain[1].publicKey) && chain[1].verify(root.publicKey) && chain[1].ca &&
    marks.every((mark, place) => chain[place].raw.includes(mark)) &&
    chain.every((c) => Date.parse(c.validFrom) <= body.signedDate && body.signedDate <= Date.parse(c.validTo)) &&
    verify("sha256", Buffer.from(`${header}.${payload}`), key, Buffer.from(signature, "base64url"));
  if (!isGenuine) throw new Error("not signed by the App Store");
  return body;
}

function take(body) {
  const { data } = decoded(JSON.parse(body).signedPayload);
  if (data && data.bundleId !== bundleId) throw new Error("another app");
  if (!data?.signedTransactionInfo) return;
  const transaction = decoded(data.signedTransactionInfo);
  const records = [["transaction", transaction.transactionId, transaction]];
  if (data.signedRenewalInfo) {
    const renewal = decoded(data.signedRenewalInfo);
    records.push(["renewal", renewal.originalTransactionId, renewal]);
  }
  const held = facts.get(transaction.appAccountToken) ?? new Map();
  facts.set(transaction.appAccountToken, held);
  for (const [kind, id, record] of records) {
    // The newest record counts, so that order and copies do not matter.
    if (!(held.get(kind + id)?.signedDate > record.signedDate)) held.set(kind + id, record);
  }
}

async function isActive(customer) {
  const { now } = await ask("clock"); // the store's clock, which the test moves
  return [...(facts.get(customer)?.values() ?? [])].some((record) =>
    record.transactionId
      ? !record.revocationDate && (record.expiresDate ?? Infinity) > now
      : (record.gracePeriodExpiresDate ?? 0) > now);
}

const server = createServer(async (request, response) => {
  try {
    let body = "";
    for await (const part of request) body += part;
    if (request.method === "POST") take(body);
    if (request.method === "DELETE") facts.clear(); // for tests only: a restored snapshot sends the same ids again
    const customer = request.url.replace("/access/", "");
    response.end(request.method === "GET" ? JSON.stringify({ active: await isActive(customer) }) : "");
  } catch {
    response.writeHead(400).end();
  }
});
server.listen(Number(process.env.PORT ?? 0), "127.0.0.1", async () => {
  const address = `http://127.0.0.1:${server.address().port}`;
  await ask("notification-endpoint", { url: `${address}/notifications`, version: "V2" });
  console.log(`listening on ${address}`);
});
