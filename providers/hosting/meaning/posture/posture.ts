import type { Check, Fields, Finding, Value, View, ViewedObject } from '#kind';
import { isPrivateHost } from './private-host.ts';

/**
 * Finds declared objects that could be safer, each with the field that makes them so. Everything here works as it is, so all findings are
 * notes. Objects that no configuration declares are left out, because no YAML could change them.
 */
export const posture: Check = {
  codes: [
    'posture/bypass-without-end',
    'posture/plain-http',
    'posture/private-address',
    'posture/public-files',
    'posture/public-sourcemaps',
    'posture/token-without-end',
  ],
  *find(view) {
    for (const [kind, judge] of Object.entries(rules))
      for (const object of view.ofKind(kind)) if (object.isDeclared) yield* judge(object, view);
  },
};

type Judge = (object: ViewedObject, view: View) => Iterable<Finding>;

const rules: Record<string, Judge> = {
  *firewallBypass({ address, fields: { ttl, sourceIp, domain }, facts }) {
    // A live bypass does not show its `ttl`, but its end.
    if (ttl !== undefined || facts?.ExpiresAt) return;
    const who = sourceIp === '*' ? 'everybody' : `${sourceIp}`;
    const where = domain === '*' ? 'the whole project' : `${domain}`;
    yield note('posture/bypass-without-end', address, {
      message: `${address} lets ${who} pass the platform's protection of ${where} without end`,
      hint: 'set `ttl`, in milliseconds, or remove the block as soon as the bypass is not needed',
      path: 'ttl',
    });
  },
  *authToken({ address, fields: { expiresAt } }) {
    if (expiresAt !== undefined && expiresAt !== null) return;
    yield note('posture/token-without-end', address, {
      message: `${address} never expires, so anyone who finds it can use it until it is deleted`,
      hint: 'set `expiresAt`, and renew the token before that time',
      path: 'expiresAt',
    });
  },
  webhook: ({ address, fields: { url } }) => judgeUrl(address, url, 'url'),
  *drain({ address, fields }) {
    const { endpoint } = (fields.delivery ?? {}) as Fields;
    const isTraces = typeof endpoint === 'object' && endpoint !== null && 'traces' in endpoint;
    if (isTraces) yield* judgeUrl(address, (endpoint as Fields).traces, 'delivery.endpoint.traces');
    else yield* judgeUrl(address, endpoint, 'delivery.endpoint');
  },
  *project({ address, fields: { protectedSourcemaps, directoryListing } }) {
    if (protectedSourcemaps === false)
      yield note('posture/public-sourcemaps', address, {
        message: `everybody can read the source maps of ${address}, and with them its source, if its builds make any`,
        hint: 'set `protectedSourcemaps: true`, so that only authenticated users can read them',
        path: 'protectedSourcemaps',
      });
    if (directoryListing === true)
      yield note('posture/public-files', address, {
        message: `folders of ${address} without an index page list all their files to everybody`,
        hint: 'set `directoryListing: false`, unless visitors should find these files',
        path: 'directoryListing',
      });
  },
};

/** Reports a URL that the platform calls, if it is not encrypted or has an address that only a private network knows. */
function* judgeUrl(address: string, value: Value | undefined, path: string): Iterable<Finding> {
  if (typeof value !== 'string' || !URL.canParse(value)) return;
  const url = new URL(value);
  if (!['http:', 'https:'].includes(url.protocol)) return;
  if (isPrivateHost(url.hostname))
    yield note('posture/private-address', address, {
      message: `${address} sends to ${url.hostname}, which only a private network knows, so the platform cannot reach it`,
      hint: 'use a host that the internet knows',
      path,
    });
  else if (url.protocol === 'http:')
    yield note('posture/plain-http', address, {
      message: `${address} sends to ${url.hostname} over plain HTTP, so everybody on the way can read and change the data`,
      hint: 'use an `https://` URL',
      path,
    });
}

const note = (
  code: string,
  address: string,
  finding: Pick<Finding, 'message' | 'hint' | 'path'>,
): Finding => ({ code, severity: 'note', address, ...finding });
