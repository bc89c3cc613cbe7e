// A reporter of one JSON line a test: its name, and what failed it, or null.

/** @param {AsyncIterable<{type: string, data: any}>} events */
export default async function* report(events) {
  for await (const { type, data } of events) {
    if (type === "test:pass" || type === "test:fail") {
      const failure = type === "test:fail" ? String(data.details.error.cause ?? data.details.error) : null;
      yield `${JSON.stringify({ name: data.name, failure })}\n`;
    }
  }
}
