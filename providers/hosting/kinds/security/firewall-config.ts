import { type ApiObject, type Endpoint, type Request, request, type Step, type Value } from '#kind';

/** The answer that every firewall kind is read from: one request for all of them. */
export const config: Endpoint = 'GET /v1/security/firewall/config?projectId={project}';

/** The endpoint of every change. */
export const changes: Endpoint = 'PATCH /v1/security/firewall/config?projectId={project}';

/** Reads the active configuration alone, without the other versions. */
const activeConfig: Endpoint = 'GET /v1/security/firewall/config/active?projectId={project}';

/**
 * Returns the active configuration of the firewall from the answer; empty for a project that never had one. Throws
 * if the answer has another form, so that it does not look empty.
 */
export function active(answer: ApiObject): ApiObject {
  const config = answer.active as ApiObject | null | undefined;
  // An answer of an unknown form must not look like a project without rules.
  if (config === undefined || (config !== null && typeof config.firewallEnabled !== 'boolean'))
    throw new Error('the answer is not a firewall configuration');
  return config ?? {};
}

/** Returns the version of the active configuration: it counts the writes of everybody. */
const writes = (answer: ApiObject): number | undefined => {
  const { version } = active(answer);
  return typeof version === 'number' ? version : undefined;
};

/**
 * Returns the obstacle that a draft from somewhere else is pending, because a change would replace the version that
 * it is based on; undefined without a draft.
 */
const blocked = ({ draft }: ApiObject) =>
  draft
    ? {
        code: 'staged/elsewhere',
        message: 'the firewall has a pending draft from somewhere else',
        hint: 'publish or discard it in the dashboard, or continue with --ignore-draft',
      }
    : undefined;

/** All kinds of a firewall are read from one configuration, whose answer says whether and how often it was written. */
export const watched = { blocked, writes };

/** Every change of the configuration is live at once: one after the other. */
export const lane = 'firewall';

/** Returns the `read` of a kind whose objects are a list (rules or IPs) in the active configuration of the firewall. */
export const listed = (member: 'rules' | 'ips') => ({
  endpoint: config,
  items: (answer: ApiObject) => (active(answer)[member] ?? []) as ApiObject[],
  ...watched,
});

/** Returns the request for one change of the firewall. `contentOf` gives the id of the changed object and its new value. */
export const envelope = (action: string, contentOf: (step: Step) => { id: Value; value: unknown }) => ({
  endpoint: changes,
  body: (step: Step) => ({ action, ...contentOf(step) }),
});

/** The same as a request. */
export const envelopeRequest = (action: string, id: Value, value: unknown): Request =>
  request(changes, { action, id, value });

/**
 * The envelope's answer says nothing about the inserted object. Its id is known after another read, where it is the last. Only the
 * active configuration is read, since the answer above holds all versions.
 */
export const insertedId = (list: 'rules' | 'ips', members: (whole: ApiObject) => ApiObject) => ({
  endpoint: activeConfig,
  returns: ({ address, fullBody }: Step) => [{ address, path: [list, members(fullBody), 'id'] }],
});
