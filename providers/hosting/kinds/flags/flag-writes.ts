import { type ApiObject, canonical, isPlainObject, type Request, request, resultOf, type Step } from '#kind';

/** The flag as it was planned on, with the ETag that guards the write that follows. */
const found = ({ guard }: Step): Request => ({ ...guard!, etag: true });

const patch = (body: ApiObject, read: number): Request =>
  request('PATCH /v1/projects/{project}/feature-flags/flags/{id}?ifMatch={etag}', body, {
    etag: resultOf(read, 'etag'),
  });

/**
 * Changes a flag. The platform keeps environments that a PATCH leaves out and replaces those that it has (its own command line
 * sends one at a time), so only those that change go, each whole.
 */
export function updateFlag(step: Step): Request[] {
  const { environments, ...body } = step.body;
  const changed = changedMembers(environments, step.before?.fields.environments);
  return [found(step), patch({ ...body, ...(changed ? { environments: changed } : {}) }, 0)];
}

function changedMembers(wanted: unknown, before: unknown): ApiObject | undefined {
  if (!isPlainObject(wanted)) return undefined;
  const known = isPlainObject(before) ? before : {};
  return Object.fromEntries(
    Object.entries(wanted).filter(([name, value]) => canonical(value) !== canonical(known[name])),
  );
}

/** Deletes a flag, which the platform allows for archived ones only. */
export function deleteFlag(step: Step): Request[] {
  const isArchived = step.before!.fields.state === 'archived';
  const archive = isArchived
    ? []
    : [
        patch({ state: 'archived' }, 0),
        // Whether the answer to a PATCH has an ETag is not documented.
        {
          ...request('GET /v1/projects/{project}/feature-flags/flags/{id}'),
          etag: true as const,
          expects: [{ path: ['state'], value: 'archived' }],
        },
      ];
  return [
    found(step),
    ...archive,
    request('DELETE /v1/projects/{project}/feature-flags/flags/{id}?ifMatch={etag}', undefined, {
      etag: resultOf(isArchived ? 0 : 2, 'etag'),
    }),
  ];
}
