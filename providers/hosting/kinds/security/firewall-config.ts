import { type ApiObject, type Endpoint, type Request, request, type Step, type Value } from '#kind';

/** The answer that every firewall kind is read from: one request for all of them. */
export const config: Endpoint = 'GET /v1/security/firewall/config?projectId={project}';

/** The endpoint of every change. */
export const changes: Endpoint = 'PATCH /v1/security/firewall/config?projectId={project}';

/** Reads the active configuration alone, without the other versions. */
const activeConfig: Endpoint = 'GET /v1/security/firewall/config/active?projectId={project}';

/** The active configuration in the answer; empty for a project that never had one. */
export function active(answer: ApiObject): ApiObject {
  const found = answer.active as ApiObject | null | undefined;
  // Nothing may be concluded from an answer that is something else.
  if (found === undefined || (found !== null && typeof found.firewallEnabled !== 'boolean'))
    throw new Error('the answer is not a firewall configuration');
  return found ?? {};
}

/** The version counts the envelopes, whoever sent them. */
const writes = (answer: ApiObject): number | undefined => {
  const { version } = active(answer);
  return typeof version === 'number' ? version : undefined;
};

/** Somebody's pending draft is based on the version that a change here would replace. */
const blocked = ({ draft }: ApiObject) =>
  draft
    ? {
        code: 'firewall/draft',
        message: 'the firewall has a pending draft from somewhere else',
        hint: 'publish or discard it in the dashboard, or continue with --ignore-draft',
      }
    : undefined;

/** All kinds of a firewall are read from one configuration, whose answer says whether and how often it was written. */
export const watched = { blocked, writes };

/** Every change of the configuration is live at once: one after the other. */
export const lane = 'firewall';

/** A list of the active configuration, as a kind's `read`. */
export const listed = (member: 'rules' | 'ips') => ({
  endpoint: config,
  items: (answer: ApiObject) => (active(answer)[member] ?? []) as ApiObject[],
  ...watched,
});

/** One change of the firewall, of which `made` tells what it is about and what becomes of it. */
export const envelope = (action: string, made: (step: Step) => { id: Value; value: unknown }) => ({
  endpoint: changes,
  body: (step: Step) => ({ action, ...made(step) }),
});

/** The same as a request. */
export const envelopeRequest = (action: string, id: Value, value: unknown): Request =>
  request(changes, { action, id, value });

/**
 * The envelope's answer says nothing about what was inserted: its id is known after another look, where it is the last. Only at
 * what is active, since the answer above holds all versions too.
 */
export const insertedId = (list: 'rules' | 'ips', members: (whole: ApiObject) => ApiObject) => ({
  endpoint: activeConfig,
  returns: ({ address, fullBody }: Step) => [{ address, path: [list, members(fullBody), 'id'] }],
});
