// A small service of a test's own on loopback: it answers what it is told to, and remembers what it was asked.

import { createServer } from "node:http";
import { after } from "node:test";

/**
 * @typedef {{method: string, path: string, headers: import("node:http").IncomingHttpHeaders, body: any}} Asked
 * @typedef {(response: import("node:http").ServerResponse, asked: Asked) => void} Answer
 */

/** @param {Answer} answer */
export async function wire(answer) {
  /** @type {Asked[]} */
  const asked = [];
  const server = createServer(async (request, response) => {
    let text = "";
    for await (const chunk of request.setEncoding("utf8")) text += chunk;
    const { method = "", url: path = "", headers } = request;
    const one = { method, path, headers, body: text === "" ? null : JSON.parse(text) };
    asked.push(one);
    answer(response, one);
  });
  await new Promise((listening) => server.listen(0, "127.0.0.1", () => listening(null)));
  after(() => {
    server.closeAllConnections();
    server.close();
  });
  const { port } = /** @type {import("node:net").AddressInfo} */ (server.address());
  return { service: `http://127.0.0.1:${port}`, asked };
}

/**
 * @param {number} status
 * @param {unknown} body
 * @param {Record<string, string>} [headers]
 * @returns {Answer}
 */
export const json = (status, body, headers = {}) => (response) =>
  void response.writeHead(status, { "Content-Type": "application/json", ...headers }).end(JSON.stringify(body));

/**
 * Bytes of an event stream, in these pieces; then the end, or with `cut` a connection that breaks.
 *
 * @param {readonly (string | Uint8Array)[]} pieces
 * @param {{cut?: boolean}} [how]
 * @returns {Answer}
 */
export const stream = (pieces, { cut = false } = {}) => async (response) => {
  response.writeHead(200, { "Content-Type": "text/event-stream" });
  response.flushHeaders();
  for (const piece of pieces) await new Promise((written) => response.write(piece, () => written(null)));
  if (cut) response.destroy();
  else response.end();
};

/**
 * A session token of these claims, as far as a client can see.
 *
 * @param {Record<string, unknown>} claims
 */
export const tokenOf = (claims) => `e30.${Buffer.from(JSON.stringify(claims)).toString("base64url")}.c2lnbmF0dXJl`;

/** Seconds since the epoch. */
export const seconds = () => Math.floor(Date.now() / 1000);
