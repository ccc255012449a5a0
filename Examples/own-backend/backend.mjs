// A backend that takes App Store notifications, with Node's own modules only: Node 18 or newer.
import { X509Certificate, verify } from "node:crypto";
import { createServer } from "node:http";
import { json } from "node:stream/consumers";

const ask = async (path) =>
  (await fetch(`${process.env.STORE}/_store/${path}`, { signal: AbortSignal.timeout(10_000) })).json();
const { rootCertificate, bundleId } = await ask("credentials"); // in production: Apple's root, your bundle id
const root = new X509Certificate(rootCertificate);
// Apple marks the certificates that may sign for the App Store: 1.2.840.113635.100.6.11.1 and …6.2.1.
const marks = ["2a864886f76364060b01", "2a864886f76364060201"].map((mark) => Buffer.from(mark, "hex"));
const stored = new Map(); // by notificationUUID, so that copies change nothing; in production: a table with that key

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

function take({ signedPayload }) {
  const { notificationUUID, data } = decoded(signedPayload);
  if (data && data.bundleId !== bundleId) throw new Error("another app");
  if (!data?.signedTransactionInfo) return;
  const transaction = decoded(data.signedTransactionInfo);
  stored.set(notificationUUID, { transaction, renewal: data.signedRenewalInfo && decoded(data.signedRenewalInfo) });
}

// Of each purchase the record that was signed last, in whatever order they came.
const newest = (records, id) =>
  [...new Map(records.sort((a, b) => a.signedDate - b.signedDate).map((record) => [record[id], record])).values()];

async function isActive(customer) {
  const { now } = await ask("clock"); // the store's clock, which the test moves
  const held = [...stored.values()].filter(({ transaction }) => transaction.appAccountToken === customer);
  const transactions = newest(held.map((pair) => pair.transaction), "transactionId");
  const renewals = newest(held.flatMap((pair) => pair.renewal ?? []), "originalTransactionId");
  return transactions.some((t) => !t.revocationDate && (t.expiresDate ?? Infinity) > now) ||
    renewals.some((r) => (r.gracePeriodExpiresDate ?? 0) > now);
}

const calls = {
  POST: async (request) => take(await json(request)),
  GET: async (request) => JSON.stringify({ active: await isActive(request.url.replace("/access/", "")) }),
  DELETE: async () => stored.clear(), // for tests only: a snapshot that is restored sends the same ids again
};
const server = createServer(async (request, response) => {
  try {
    response.end(await calls[request.method](request));
  } catch {
    response.writeHead(request.method === "POST" ? 400 : 500).end();
  }
});
server.listen(Number(process.env.PORT ?? 0), "127.0.0.1", () => {
  console.log(`listening on http://127.0.0.1:${server.address().port}`);
});
