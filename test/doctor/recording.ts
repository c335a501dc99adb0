/** A request of a recording with the answer of the platform, in short. */
export interface Recorded {
  request: [method: string, path: string, body?: unknown];
  status: number;
  body?: unknown;
  headers?: Record<string, string>;
}

/** Returns a HAR file with these exchanges, as a browser writes it: with tokens and cookies. */
export const harOf = (exchanges: readonly Recorded[], host = 'https://api.vercel.com'): string =>
  JSON.stringify({
    log: {
      version: '1.2',
      creator: { name: 'test', version: '1' },
      entries: exchanges.map(({ request: [method, path, sent], status, body, headers = {} }, index) => ({
        startedDateTime: new Date(Date.UTC(2026, 0, 1) + index * 1000).toISOString(),
        request: {
          method,
          url: `${host}${path}`,
          headers: [{ name: 'Authorization', value: 'Bearer canary-bearer' }],
          cookies: [{ name: 'session', value: 'canary-cookie' }],
          ...(sent === undefined
            ? {}
            : { postData: { mimeType: 'application/json', text: JSON.stringify(sent) } }),
        },
        response: {
          status,
          headers: Object.entries(headers).map(([name, value]) => ({ name, value })),
          content:
            body === undefined
              ? { size: 0 }
              : { size: 1, mimeType: 'application/json', text: JSON.stringify(body) },
        },
      })),
    },
  });
