import { type Draft, type Request, request, type Step } from '#kind';

/** Returns the draft for all changes of a project's links to shared variables, for the kind `sharedEnvLink`. */
export const linkWrites = (steps: Step[]): Draft[] => [
  { changes: steps.map(({ address }) => address), requests: [linkRequest(steps)] },
];

/** Returns the request that links shared variables to a project, and ends links. Links of other projects are not in it. */
function linkRequest(steps: Step[]): Request {
  const stepOf = new Map(steps.map((step) => [String((step.after ?? step.before)!.fields.envVarId), step]));
  const updates = Object.fromEntries(
    [...stepOf].map(([id, { action, parent }]) => [
      id,
      { projectIdUpdates: { [action === 'delete' ? 'unlink' : 'link']: [parent] } },
    ]),
  );
  return {
    ...request('PATCH /v1/env', { updates }),
    batch: Object.keys(updates).map((id) => [stepOf.get(id)!.address]),
    drops: steps.flatMap(({ action, address, before }) =>
      action === 'delete' ? before!.ids.map((id) => ({ address, id })) : [],
    ),
  };
}
