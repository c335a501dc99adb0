import { type ApiObject, canonicalJson, isPlainObject, resultOf, type Step, type WriteRequest } from '#kind';

/** The flag as it was planned on, with the ETag that guards the write that follows. */
const readBeforeWrite: WriteRequest = {
  endpoint: 'GET /v1/projects/{project}/feature-flags/flags/{id}',
  sameVersion: true,
  etag: true,
};

/**
 * Returns the PATCH request of a flag. It sends the ETag of the operation's first request (a read), so that the
 * platform refuses it if somebody changed the flag in between.
 */
const patch = (body: (step: Step) => ApiObject): WriteRequest => ({
  endpoint: 'PATCH /v1/projects/{project}/feature-flags/flags/{id}?ifMatch={etag}',
  body,
  params: () => ({ etag: resultOf(0, 'etag') }),
});

/**
 * Changes a flag. The platform keeps environments that a PATCH leaves out and replaces those that it has (its own command line
 * sends one at a time), so only those that change go, each whole.
 */
export const updateFlag: WriteRequest[] = [
  readBeforeWrite,
  patch(({ body: { environments, ...body }, before }) => {
    const changed = changedMembers(environments, before?.fields.environments);
    return { ...body, ...(changed ? { environments: changed } : {}) };
  }),
];

/**
 * Returns the members of an object that differ from the live ones, so that only these are sent; undefined for a value that is no object.
 */
function changedMembers(wanted: unknown, before: unknown): ApiObject | undefined {
  if (!isPlainObject(wanted)) return undefined;
  const liveMembers = isPlainObject(before) ? before : {};
  return Object.fromEntries(
    Object.entries(wanted).filter(
      ([name, value]) => canonicalJson(value) !== canonicalJson(liveMembers[name]),
    ),
  );
}

const isArchived = ({ before }: Step) => before!.fields.state === 'archived';
const isInUse = (step: Step) => !isArchived(step);

/** Deletes a flag, which the platform allows for archived ones only. */
export const deleteFlag: WriteRequest[] = [
  readBeforeWrite,
  { ...patch(() => ({ state: 'archived' })), when: isInUse },
  // Whether the answer to a PATCH has an ETag is not documented.
  {
    endpoint: 'GET /v1/projects/{project}/feature-flags/flags/{id}',
    when: isInUse,
    etag: true,
    expects: [{ path: ['state'], value: 'archived' }],
  },
  {
    endpoint: 'DELETE /v1/projects/{project}/feature-flags/flags/{id}?ifMatch={etag}',
    params: (step) => ({ etag: resultOf(isArchived(step) ? 0 : 2, 'etag') }),
  },
];
