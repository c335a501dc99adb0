import {
  type ApiObject,
  type BatchContext,
  type Draft,
  type Fields,
  type ItemOutcome,
  type LiveResource,
  problem,
  type Request,
  request,
  type Step,
} from '#kind';

/** The endpoint of every change to a project's bypasses. */
export const bypass = 'PATCH /v1/projects/{project}/protection-bypass';
const command = (body: ApiObject): Request => request(bypass, body);

/**
 * Returns drafts for the changes of a project's bypasses (secrets that pass its protection), each after the other: creations first,
 * then a new default (which demotes the other one), then notes, then deletions. So there is always a default, and every user of a
 * bypass keeps access until the new secret works.
 */
export function bypassWrites(steps: Step[], context: BatchContext): Draft[] {
  const refused = refuseSeveralDefaults(steps, context) ?? refuseMissingDefault(steps, context);
  if (refused) return [refused];
  const isWanted = ({ after }: Step) => after!.fields.isEnvVar === true;
  // The first one of a project is the default.
  const created = steps
    .filter(({ action }) => action === 'create' || action === 'replace')
    .sort((a, b) => Number(isWanted(b)) - Number(isWanted(a)));
  const changed = steps.filter(({ action }) => action === 'update');
  const [newDefault] = [...created, ...changed].filter(isWanted);
  // A replacement of the default becomes the default, unless another one is to be.
  const inherits = ({ action, before }: Step) =>
    !newDefault && action === 'replace' && before!.fields.isEnvVar === true;
  // The default is deleted last.
  const isDefault = ({ before }: Step) => Number(before!.fields.isEnvVar === true);
  const isFirst = (step: Step) => context.live.length === 0 && step === created[0];
  const promoted = [...created, ...changed].filter(
    (step) => (isWanted(step) || inherits(step)) && !isFirst(step),
  );
  const demoted = [...created, ...changed].filter(({ after }) => after!.fields.isEnvVar === false);
  const drafts = [
    ...created.map((step) => draft(step, generate(step))),
    // The promotion of the new default also demotes the old one, so its change is part of this draft.
    ...promoted.map((step) => ({
      changes: [step, ...demoted].map(({ address }) => address),
      requests: [promote(step)],
    })),
    ...changed.filter(({ body }) => 'note' in body).map((step) => draft(step, note(step))),
    ...changed
      .filter(({ body }) => body.isEnvVar === false && promoted.length === 0)
      .map((step) => draft(step, demote(step))),
    ...steps
      .filter(({ action }) => action !== 'create' && action !== 'update')
      .sort((a, b) => isDefault(a) - isDefault(b))
      .map((step) => draft(step, revoke(step))),
  ];
  return drafts.map((draft, index) => Object.assign(draft, index > 0 ? { after: [drafts[index - 1]!] } : {}));
}

const draft = ({ address }: Step, request: Request): Draft => ({ changes: [address], requests: [request] });

/** Returns the request that creates a bypass, with a secret and a note if they are declared. */
const generate = ({ address, after }: Step): Request => {
  const { secret, note } = after!.fields;
  const members = Object.entries({ secret, note }).filter(([, value]) => value !== undefined);
  return { ...command({ generate: Object.fromEntries(members) }), batch: [[address]] };
};
/** The secret that names a bypass in a request: as found for one that exists, as declared for one that is created or replaced. */
const secretOf = ({ before, after, action }: Step) =>
  (action === 'replace' || !before ? after : before)!.fields.secret;
const promote = (step: Step) => command({ update: { secret: secretOf(step), isEnvVar: true } });
const demote = (step: Step) => command({ update: { secret: secretOf(step), isEnvVar: false } });
const note = (step: Step) => command({ update: { secret: secretOf(step), note: step.body.note } });
const revoke = ({ address, before }: Step): Request => ({
  ...command({ revoke: { secret: before!.fields.secret, regenerate: false } }),
  drops: before!.ids.map((id) => ({ address, id })),
});

/**
 * Refuses two declared default bypasses, because a project has only one: each run would make the other one the
 * default. Returns the refusal, or undefined.
 */
function refuseSeveralDefaults(steps: Step[], { desired }: BatchContext): Draft | undefined {
  const [first, second] = desired.filter(({ fields }) => fields.isEnvVar === true);
  const step = steps.find(({ address }) => address === first?.address || address === second?.address);
  if (!first || !second || !step) return undefined;
  const message = `${first.address} and ${second.address} would both be the default, but a project can have only one`;
  const hint = 'keep `isEnvVar: true` on one of them';
  return {
    changes: [step.address],
    requests: [],
    problem: problem('bypass/default', message, { address: second.address, at: second.at, hint }),
  };
}

/**
 * Refuses to remove the default bypass while others remain and none is declared as the new default, because the
 * platform would choose one. Returns the refusal, or undefined.
 */
function refuseMissingDefault(steps: Step[], { live, desired }: BatchContext): Draft | undefined {
  const stepOf = new Map(steps.map((step) => [step.address, step]));
  const fieldsOf = (resource: LiveResource): Fields | undefined => {
    const step = stepOf.get(resource.address);
    return step?.action === 'delete' ? undefined : { ...resource.fields, ...step?.after?.fields };
  };
  const [old] = live.filter(({ fields }) => fields.isEnvVar === true);
  const remaining = live.map(fieldsOf).filter((fields) => fields !== undefined);
  const resources = desired.filter(({ address }) => stepOf.get(address)?.action === 'create');
  const bypasses: Fields[] = [...remaining, ...resources.map(({ fields }) => fields)];
  if (!old || bypasses.length === 0 || bypasses.some(({ isEnvVar }) => isEnvVar === true)) return undefined;
  const step = stepOf.get(old.address)!;
  return {
    changes: [old.address],
    requests: [],
    problem: problem(
      'bypass/default',
      `${old.address} is the default of the project, and nothing would replace it`,
      { address: old.address, at: step.after?.at, hint: 'set `isEnvVar: true` on the new default' },
    ),
  };
}

/**
 * Returns the outcome of the creation of a bypass. The answer has all bypasses of the project: the new one has the
 * requested secret or, if the platform generated the secret, is one of those with the requested note.
 */
export function outcomeOfGeneration(answer: unknown, { body }: Request): ItemOutcome[] {
  const { secret, note = '' } = (body as { generate: { secret?: string; note?: string } }).generate;
  const bypasses = Object.entries(((answer ?? {}) as ApiObject).protectionBypass ?? {}).filter(
    (bypass): bypass is [string, ApiObject] => typeof bypass[1] === 'object' && bypass[1] !== null,
  );
  if (secret !== undefined)
    return [bypasses.some(([key]) => key === secret) ? { id: secret } : { unknown: true }];
  return [{ oneOf: bypasses.filter(([, bypass]) => (bypass.note ?? '') === note).map(([key]) => key) }];
}
